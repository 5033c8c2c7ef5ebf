// run_coroutine_threadsafe(coroutine, loop): a task on a loop, and the future of a plain thread for it.
//
//   run_coroutine_threadsafe   any thread                the future; throws loop_closed
//   wait(), wait_until, wait_for  any thread but the loop's  true: it has ended; false: the time is up
//   get()                      any thread but the loop's    waits; the value, or the exception that ended the task
//   done()                     any thread                it has ended
//   cancel()                   any thread                asks; false: it has ended, or the loop is closed
//
// The outcome:  none --publish--> known, once
//
// [told]      Every way to an end publishes: the task ends (also by loop_closed, when the loop goes before it),
//             or its launch is dropped unrun with the loop's queue. So a waiting thread is never left asleep.
// [stored]    The outcome is stored under the lock and then announced. The other way round, a thread that looks
//             just before the store sleeps on an announcement that is over.
// [request]   cancel() asks the task, and what the future gives is what the task made of it: a cancellation, or
//             the value of one that had ended, or did not let itself be cancelled. Never both.
// [lifetime]  The loop outlives every cancel() of a future that is not done(); the waits need no loop.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "event_loop.hpp"
#include "loop_task.hpp"
#include "outcome.hpp"
#include "platform.hpp"

namespace wakeproof {

// What the loop's thread publishes to and the others wait at. `Guard` is what the store holds the lock
// with; a scenario puts one in its place that does not.
template <Platform P, class T, class Guard = typename P::lock_guard>
class OutcomeSlot {
 public:
  void publish(Outcome<T> outcome) {
    P::run(step("store_result",
                [&] {
                  Guard lock(lock_);
                  outcome_.write() = std::move(outcome);
                }),
           step("announce", [&] { ended_.notify_all(); }));  // [stored]
  }

  bool known() {
    typename P::lock_guard lock(lock_);
    return outcome_.read().known();
  }

  bool wait_until(Deadline<P> deadline) {
    typename P::unique_lock lock(lock_);
    while (!outcome_.read().known()) {
      if (!ended_.wait_until(lock, deadline)) return outcome_.read().known();
    }
    return true;
  }

  // Only when known().
  T get() {
    typename P::lock_guard lock(lock_);
    return outcome_.write().get();
  }

 private:
  typename P::mutex lock_{"outcome_lock"};
  typename P::condition_variable ended_{"ended"};
  typename P::template plain<Outcome<T>> outcome_{{}, "outcome"};
};

// On its way to the loop's thread: the coroutine that is to become a task. Dropped unrun, it says so.
template <Platform P, class T>
class Launch {
 public:
  // What the future and the loop share. `task` is the loop thread's own.
  struct Shared {
    OutcomeSlot<P, T> slot;
    std::optional<LoopTask<P, T>> task;
  };

  Launch(EventLoop<P>& loop, Task<T> body, std::shared_ptr<Shared> shared)
      : loop_(loop), body_(std::move(body)), shared_(std::move(shared)) {}
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  ~Launch() {
    if (!shared_) return;
    try {
      P::run(step("tell_dropped", [&] { shared_->slot.publish(Outcome<T>(std::make_exception_ptr(loop_closed()))); }));
    } catch (...) {
      // A lock that fails leaves nothing to be told with, and a destructor must not throw.
    }
  }

  void run() {
    LoopTask<P, T> task = loop_.create_task(std::move(body_));
    // Nothing of the outcome stays with the loop: its exception is then the waiting threads' alone.
    task.on_end([shared = shared_](Outcome<T>& outcome) {
      shared->task.reset();
      shared->slot.publish(std::move(outcome));
    });
    shared_->task.emplace(std::move(task));
    shared_.reset();
  }

 private:
  EventLoop<P>& loop_;
  Task<T> body_;
  std::shared_ptr<Shared> shared_;
};

// What run_coroutine_threadsafe gives: the future of a task on a loop, for plain threads; see above who may call what.
// Copies are of the same task. It waits on and cancels through the loop, which must outlive a call of cancel().
template <Platform P, class T>
class LoopFuture {
 public:
  using Shared = typename Launch<P, T>::Shared;

  LoopFuture(EventLoop<P>& loop, std::shared_ptr<Shared> shared) : loop_(&loop), shared_(std::move(shared)) {}

  bool done() const { return shared_->slot.known(); }

  void wait() const { wait_until(std::nullopt); }
  bool wait_for(std::chrono::nanoseconds timeout) const { return wait_until(deadline_after<P>(timeout)); }
  bool wait_until(Deadline<P> deadline) const {
    // The loop's thread would wait for itself.
    if (EventLoop<P>::running() == loop_ && !done()) {
      throw std::logic_error("a future's wait on its own loop's thread: await the task instead");
    }
    return shared_->slot.wait_until(deadline);
  }

  T get() const {
    wait();
    return shared_->slot.get();
  }

  bool cancel() const {
    if (done()) return false;
    try {
      loop_->call_soon_threadsafe([shared = shared_] {
        if (shared->task) shared->task->cancel();
      });
      return true;
    } catch (const loop_closed&) {
      return false;
    }
  }

 protected:
  EventLoop<P>* loop_;
  std::shared_ptr<Shared> shared_;
};

template <Platform P, class T>
LoopFuture<P, T> run_coroutine_threadsafe(Task<T> coroutine, EventLoop<P>& loop) {
  auto shared = std::make_shared<typename Launch<P, T>::Shared>();
  auto launch = std::make_shared<Launch<P, T>>(loop, std::move(coroutine), shared);
  loop.call_soon_threadsafe([launch = std::move(launch)] { launch->run(); });
  return LoopFuture<P, T>(loop, std::move(shared));
}

}  // namespace wakeproof
