// tasks/*: threads that have coroutines run on an event loop, and each wait for the outcome (B5).
//
// Each producer is such a thread, and a put is one coroutine that it hands over and waits for. The consumer is
// the loop.
#include "scripts.hpp"

#include <deque>

#include "sink/async_event.hpp"

namespace wakeproof {
namespace {

using models::skip;
using models::swap;

// --- the slot alone: results published to a thread that waits -------------------------------------------

// A put publishes a result; the consumer is the thread that waits for each.
template <class Slot>
class PublishEach {
 public:
  PublishEach(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), items_(bounds.items), slots_(static_cast<std::size_t>(ledger.expected())) {}

  void put(int producer, int item) {
    const int number = item - Ledger::item(producer, 0);
    slots_[static_cast<std::size_t>(producer * items_ + number)].publish(Outcome<int>::of([item] { return item; }));
  }
  void consumer() {
    for (Slot& slot : slots_) {
      ledger_.check(slot.wait_until(std::nullopt), "a wait without a deadline ends with a result");
      ledger_.took(slot.get());
    }
  }
  void judge() {}

 private:
  Ledger& ledger_;
  int items_;
  std::deque<Slot> slots_;
};

struct NoGuard {
  explicit NoGuard(const auto&) {}
};

template <Platform P>
using Slot = OutcomeSlot<P, int>;
template <Platform P>
using UnguardedSlot = OutcomeSlot<P, int, NoGuard>;

// Cancels a task that is about to begin, sleeps, is about to end, or has ended: it has ended once, for all to see.
template <class Subject>
class CancelAtOnce : public OneOutcome<Subject> {
 public:
  using OneOutcome<Subject>::OneOutcome;

  void put(int, int item) {
    const auto future = this->begin(item);
    future.cancel();
    this->end(future, item);
    this->ledger_.check(!future.cancel(), "a task that has ended can be cancelled");
  }
};

// Cancels a task that waits for another, which would wait for ever: the request is passed on, and comes back.
template <class Subject>
class CancelAsleep : public OnLoop<Subject> {
 public:
  using P = typename Subject::platform;

  CancelAsleep(const Bounds& bounds, Ledger& ledger) : OnLoop<Subject>(bounds, ledger) {}

  void put(int, int item) {
    typename P::event asleep("asleep");
    const auto future = this->run(wait_for_sleeper(asleep));
    asleep.wait();
    this->ledger_.check(future.cancel(), "a task that waits cannot be cancelled");
    this->ledger_.check(!this->outcome_of(future), "a task that was cancelled where it waits has a value");
    this->through(item, [] {});
  }

 private:
  Task<int> wait_for_sleeper(typename P::event& asleep) { co_return co_await this->loop_.create_task(sleep(asleep)); }
  Task<int> sleep(typename P::event& asleep) {
    asleep.set();
    co_await never_.wait_until(std::nullopt);
    co_return 0;
  }

  AsyncEvent<P> never_{this->loop_, "never"};
};

// The loop turns a few times and is closed, at any time for the threads, whose tasks would wait for ever.
template <class Subject>
class CloseAtOnce : public OnLoop<Subject> {
 public:
  CloseAtOnce(const Bounds& bounds, Ledger& ledger) : OnLoop<Subject>(bounds, ledger) {}

  void put(int, int item) {
    try {
      this->run(sleep()).get();
      this->ledger_.check(false, "a task that waits for ever has a value");
    } catch (const loop_closed&) {
    }
    this->ledger_.took_by_any(item);
  }
  void consumer() {
    this->loop_.call_soon([this] { this->loop_.call_soon([this] { this->loop_.stop(); }); });
    this->loop_.run();
    this->loop_.close();
  }

 private:
  Task<int> sleep() {
    co_await never_.wait_until(std::nullopt);
    co_return 0;
  }

  AsyncEvent<typename Subject::platform> never_{this->loop_, "never"};
};

// Two threads that cancel at all moments take seconds, and meet nowhere but in the loop.
const std::vector<Bounds> kTwoThreads{{1, 1}, {1, 2}};

constexpr const char* kLoop = "of the event loop, not of its tasks: see the audit of output_sink/loop";

const bool added[] = {
    add<PublishEach, Slot>({.name = "tasks/future/correct",
                            .story = "A result is stored under the lock and then announced to the thread that waits "
                                     "for it (B5)."}),
    add<PublishEach, Slot>({.name = "tasks/future/announced_before_stored",
                            .story = "The announcement comes first: a thread that looks in between sleeps on one that "
                                     "is over.",
                            .expected = Verdict::lost_wakeup,
                            .mutations = {swap("store_result", "announce")}}),
    add<PublishEach, Slot>({.name = "tasks/future/not_announced",
                            .story = "The result is stored, and the thread that waits for it is not told.",
                            .expected = Verdict::lost_wakeup,
                            .mutations = {skip("announce")}}),
    add<PublishEach, UnguardedSlot>({.name = "tasks/future/stored_without_lock",
                                     .story = "The result is stored while the thread that waits may be looking.",
                                     .expected = Verdict::data_race}),
    add<CancelAtOnce, Futures>({.name = "tasks/cancel/correct",
                                .story = "A thread cancels its task before it begins, while it sleeps, or when it has "
                                         "ended: there is one outcome, and the thread wakes for it (B5).",
                                .sizes = kTwoThreads,
                                .larger_sizes = {{2, 1}}}),
    add<CancelAtOnce, Futures>({.name = "tasks/cancel/end_not_told",
                                .story = "A task ends, and the thread's future is not told.",
                                .expected = Verdict::deadlock,
                                .mutations = {skip("call_on_end")},
                                .sizes = kTwoThreads}),
    add<CancelAtOnce, AnsweringFutures>({.name = "tasks/cancel/answered_at_once",
                                         .story = "The future says that it is cancelled before the task is: the task "
                                                  "may have come to its end by then.",
                                         .expected = Verdict::assertion_failed,
                                         .sizes = kTwoThreads}),
    add<CancelAsleep, Futures>({.name = "tasks/cancel/asleep",
                                .story = "A task that waits for another, which waits for ever, passes its cancellation "
                                         "on, and both end by it."}),
    add<CancelAsleep, Futures>({.name = "tasks/cancel/waiter_not_woken",
                                .story = "A task ends, and the task that waits for it is not resumed.",
                                .expected = Verdict::deadlock,
                                .mutations = {skip("wake_waiters")}}),
    add<CancelAsleep, DirectFutures>({.name = "tasks/cancel/not_through_loop",
                                      .story = "A thread cancels the task itself instead of asking the loop to.",
                                      .expected = Verdict::data_race}),
    add<CloseAtOnce, Futures>({.name = "tasks/close/correct",
                               .story = "The loop is closed before a coroutine has come to it, or while its task "
                                        "waits: the thread is told so.",
                               .tags = {"closing"}}),
    add<CloseAtOnce, Futures>({.name = "tasks/close/dropped_not_told",
                               .story = "A coroutine that never came to run is dropped with the loop's queue, and "
                                        "nobody is told.",
                               .expected = Verdict::deadlock,
                               .mutations = {skip("tell_dropped")},
                               .tags = {"closing"}}),
    add<CloseAtOnce, Futures>({.name = "tasks/close/left_asleep",
                               .story = "A task that the loop leaves behind takes its thread's future with it.",
                               .expected = Verdict::deadlock,
                               .mutations = {skip("call_on_end")},
                               .tags = {"closing"}}),
    models::excuse("tasks", "swap post and write_byte", kLoop),
    models::excuse("tasks", "swap refuse and take_posted",
                   "both are under the loop's lock, and nobody else sees one of them without the other"),
};

}  // namespace
}  // namespace wakeproof
