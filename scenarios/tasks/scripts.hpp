// What the scenarios of tasks share: futures, right and wrong ones, and threads on a loop that they keep turning.
#pragma once

#include <optional>

#include "models/handoff.hpp"
#include "sink/loop_future.hpp"

namespace wakeproof {

template <Platform P>
struct Futures {
  using platform = P;
  using Future = LoopFuture<P, int>;
};

// A future that answers its own cancellation at once, where asyncio's does, and leaves the task to follow.
template <Platform P>
class AnsweringFuture : public LoopFuture<P, int> {
 public:
  explicit AnsweringFuture(LoopFuture<P, int> future) : LoopFuture<P, int>(std::move(future)) {}

  bool cancel() const {
    if (this->done()) return false;
    this->shared_->slot.publish(Outcome<int>(std::make_exception_ptr(cancelled())));
    return LoopFuture<P, int>::cancel();
  }
};

template <Platform P>
struct AnsweringFutures {
  using platform = P;
  using Future = AnsweringFuture<P>;
};

// A future whose cancel() is the task's, on the calling thread.
template <Platform P>
class DirectFuture : public LoopFuture<P, int> {
 public:
  explicit DirectFuture(LoopFuture<P, int> future) : LoopFuture<P, int>(std::move(future)) {}

  bool cancel() const { return this->shared_->task->cancel(); }
};

template <Platform P>
struct DirectFutures {
  using platform = P;
  using Future = DirectFuture<P>;
};

// What the scripts below share: the loop, turning until every thread is through.
template <class Subject>
class OnLoop {
 public:
  using P = typename Subject::platform;
  using Future = typename Subject::Future;

  OnLoop(const Bounds&, Ledger& ledger) : ledger_(ledger) {}

  void consumer() { loop_.run(); }
  void judge() {}

 protected:
  Future run(Task<int> coroutine) { return Future(run_coroutine_threadsafe(std::move(coroutine), loop_)); }

  // The item, or none: cancelled.
  std::optional<int> outcome_of(const Future& future) {
    try {
      return future.get();
    } catch (const cancelled&) {
      return std::nullopt;
    }
  }

  // At the end of each put, on its thread; `note` is made on the loop's.
  template <class Note>
  void through(int item, Note note) {
    ledger_.took_by_any(item);
    loop_.call_soon_threadsafe([this, note] {
      note();
      if (++through_ == ledger_.expected()) loop_.stop();
    });
  }

  Ledger& ledger_;
  EventLoop<P> loop_;

 private:
  int through_ = 0;  // the loop thread's own
};

// Tasks that may be cancelled on their way: each comes to its end or not, and its future says which.
template <class Subject>
class OneOutcome : public OnLoop<Subject> {
 public:
  using OnLoop<Subject>::OnLoop;

  void judge() {
    this->ledger_.check(values_ == to_the_end_, "the future of a task that came to its end says cancelled, or another");
  }

 protected:
  using Future = typename OnLoop<Subject>::Future;

  Future begin(int item) { return this->run(two_turns(item)); }

  // At the end of each put. Gives the outcome.
  std::optional<int> end(const Future& future, int item) {
    const std::optional<int> outcome = this->outcome_of(future);
    this->ledger_.check(outcome.value_or(item) == item, "a future gives the value of another's task");
    this->through(item, [this, outcome] { values_ += outcome.has_value(); });
    return outcome;
  }

 private:
  Task<int> two_turns(int item) {
    co_await this->loop_.sleep(std::chrono::nanoseconds(0));
    ++to_the_end_;
    co_return item;
  }

  // The loop thread's own.
  int values_ = 0;
  int to_the_end_ = 0;
};

}  // namespace wakeproof
