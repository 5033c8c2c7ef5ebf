// LoopTask: a coroutine that an event loop runs by itself; the handle of whoever made it or waits for it.
//
// Every member is for the loop's thread alone; other threads go through loop_future.hpp. Made by
// EventLoop::create_task. Handles are copies of one another, and the task goes on when they are gone.
//
//   done()         it has ended, by value, exception or cancellation
//   cancel()       asks; false: it has ended already. After asyncio's Task.cancel()
//   co_await task  its value, or its exception; cancelling who waits so cancels the task (else: shield.hpp)
//   result()       the same without waiting; only when done()
//
// scheduled --next turn--> running <--> waiting --> done
//
// [cancel]    The request is met as the exception `cancelled` at the point where the coroutine waits. It may
//             clean up, with further waits, and let it through, which makes the task a cancelled one; or swallow
//             it and go on. One that has not begun never does. One that waits for a task passes the request on
//             to that task, and goes on when that has ended.
// [owned]     The loop owns its tasks until they end. Closing or destroying it ends those that are left: their
//             coroutines are destroyed where they wait, in the order of their making, and their outcome is
//             loop_closed. So cancel them and wait for them first, if their clean-up has to wait for anything.
// [one_end]   A task ends once: its outcome is stored, then whoever waits is woken and the call of on_end() made.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "outcome.hpp"
#include "platform.hpp"
#include "suspension.hpp"
#include "task.hpp"

namespace wakeproof {

// The tasks of a loop that have not ended, in the order of their making.
template <Platform P>
class TaskSet {
 public:
  using Place = typename std::list<std::shared_ptr<TaskBase<P>>>::iterator;

  Place adopt(std::shared_ptr<TaskBase<P>> task) { return tasks_.insert(tasks_.end(), std::move(task)); }
  void release(Place place) { tasks_.erase(place); }

  // One by one, for the end of a coroutine's locals may end another task, or make one.
  void abandon(const std::exception_ptr& why) {
    while (!tasks_.empty()) {
      const std::shared_ptr<TaskBase<P>> task = tasks_.front();
      task->abandon(why);
    }
  }

 private:
  std::list<std::shared_ptr<TaskBase<P>>> tasks_;
};

// What the handles of one task share: its coroutine, who waits for it, and how it ended. The loop's thread alone.
template <Platform P, class T>
class TaskState final : public TaskBase<P> {
 public:
  TaskState(Task<T> body, TaskSet<P>& tasks) : body_(std::move(body)), tasks_(tasks) {}

  // The loop owns it from here on.
  void enter() { place_ = tasks_.adopt(this->shared_from_this()); }

  void start() {
    if (this->take_cancel_request()) return end(Outcome<T>(std::make_exception_ptr(cancelled())));
    this->run([this] { body_->start(); });
  }

  void abandon(std::exception_ptr why) override {
    waiters_.clear();  // nobody resumes on a closed loop
    end(Outcome<T>(std::move(why)));
  }

  void on_end(std::function<void(Outcome<T>&)> call) { on_end_ = std::move(call); }

  T result() { return outcome_.get(); }

  void add_waiter(Suspension<P>* waiter) { waiters_.push_back(waiter); }
  void remove_waiter(Suspension<P>* waiter) { std::erase(waiters_, waiter); }

 private:
  void settle() override {
    if (this->done_ || !body_->done()) return;
    // A request that came too late for any wait of the coroutine was granted all the same.
    if (this->take_cancel_request()) return end(Outcome<T>(std::make_exception_ptr(cancelled())));
    end(Outcome<T>::of([this] { return body_->result(); }));
  }

  void end(Outcome<T> outcome) {
    const auto alive = this->shared_from_this();
    tasks_.release(place_);
    outcome_ = std::move(outcome);
    this->done_ = true;
    body_.reset();  // and with it the coroutine's hold on its exception
    P::run(step("wake_waiters", [&] { wake_waiters(); }));
    P::run(step("call_on_end", [&] {
      if (const auto call = std::exchange(on_end_, nullptr)) call(outcome_);
    }));
  }

  void wake_waiters() {
    for (Suspension<P>* waiter : std::exchange(waiters_, {})) waiter->wake();
  }

  std::optional<Task<T>> body_;
  TaskSet<P>& tasks_;
  typename TaskSet<P>::Place place_;
  Outcome<T> outcome_;
  std::vector<Suspension<P>*> waiters_;
  std::function<void(Outcome<T>&)> on_end_;
};

// co_await of a task. `kShielded`: a cancellation ends the wait, not the task.
template <Platform P, class T, bool kShielded>
class TaskWait final : public Suspension<P> {
 public:
  TaskWait(EventLoop<P>& loop, std::shared_ptr<TaskState<P, T>> task) : Suspension<P>(loop), task_(std::move(task)) {}
  ~TaskWait() {
    if (this->waiting()) withdraw();
  }

  bool await_ready() const { return task_->done(); }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    if (TaskBase<P>::current() == task_.get()) throw std::logic_error("a task waits for itself");
    const bool pass_on = !kShielded && this->take_cancel_request();
    if (!this->begin(coroutine)) return false;
    task_->add_waiter(this);
    if (pass_on) task_->cancel();
    return true;
  }
  T await_resume() {
    this->end();
    return task_->result();
  }

  bool cancel() override {
    if constexpr (kShielded) {
      return Suspension<P>::cancel();
    } else {
      return this->waiting() && task_->cancel();
    }
  }

 private:
  void withdraw() override { task_->remove_waiter(this); }

  std::shared_ptr<TaskState<P, T>> task_;
};

template <Platform P, class T>
class LoopTask {
 public:
  LoopTask(EventLoop<P>& loop, std::shared_ptr<TaskState<P, T>> state) : loop_(&loop), state_(std::move(state)) {}

  bool done() const { return state_->done(); }
  bool cancel() { return state_->cancel(); }
  T result() {
    if (!done()) throw std::logic_error("result: the task has not ended");
    return state_->result();
  }
  auto operator co_await() const { return TaskWait<P, T, false>(*loop_, state_); }
  auto shielded() const { return TaskWait<P, T, true>(*loop_, state_); }

  // `call` is made with the outcome, which it may take; for the one who is the task's only owner.
  void on_end(std::function<void(Outcome<T>&)> call) { state_->on_end(std::move(call)); }

 private:
  EventLoop<P>* loop_;
  std::shared_ptr<TaskState<P, T>> state_;
};

}  // namespace wakeproof
