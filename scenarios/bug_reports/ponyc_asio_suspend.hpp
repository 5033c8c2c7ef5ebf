// SuspendingScheduler: a scheduler that goes to sleep for want of work, and a thread that injects some, after
// Pony's scheduler 0 and its ASIO thread.
//
//   put(producer, item)   any thread      injects an item; wakes the scheduler if it is marked as suspended
//   turn(took)            the scheduler   takes what was injected, or suspends until it is woken
//
// [mark_then_look] The mark is set before the last look at the queue, and looked at after the append: one of the two
//                  sees the other, by the queue's mutex. The mark is sequentially consistent nevertheless, so that a
//                  counterexample shows the race that was reported and no old value.
// [knock]          From the mark to the wait the scheduler holds the mutex, and only the wait gives it back: a notifier
//                  that gets the mutex notifies somebody who waits. One who finds it held has to wait for it.
#pragma once

#include <vector>

#include "sink/locked_queue.hpp"

namespace wakeproof {

struct KnockUntilHeard {
  static bool acquire(auto& mutex) {
    mutex.lock();
    return true;
  }
};

// As it was: whoever finds the mutex held takes the scheduler for awake. It tries twice here, for try_lock may fail
// although nobody holds the mutex, and that is not what was reported.
struct KnockAndGiveUp {
  static bool acquire(auto& mutex) { return mutex.try_lock() || mutex.try_lock(); }
};

template <Platform P, class Knock>
class SuspendingScheduler {
 public:
  void put(int, int item) {
    P::run(step("inject", [&] { injected_.append(item); }),
           step("look_for_sleeper", [&] { return !suspended_.load(kMark); }),  //
           step("notify", [&] { notify(); }));
  }

  template <class Took>
  void turn(Took took) {
    std::vector<int> batch;
    if (!injected_.drain(batch, kAll)) suspend(batch);
    for (const int item : batch) took(item);
  }

  std::size_t peek_queued() const { return injected_.peek_size(); }

 private:
  static constexpr Order kMark{std::memory_order_seq_cst};
  static constexpr std::size_t kAll = 1'000'000;

  void notify() {
    if (!Knock::acquire(sleep_lock_)) return;
    woken_.notify_one();
    sleep_lock_.unlock();
  }

  void suspend(std::vector<int>& batch) {
    typename P::unique_lock lock(sleep_lock_);
    const bool found = P::run(step("mark_suspended", [&] { suspended_.store(true, kMark); }),
                              step("last_look", [&] { return injected_.drain(batch, kAll); }));
    if (!found) woken_.wait(lock);
    suspended_.store(false, kMark);
  }

  LockedQueue<P, int> injected_;
  typename P::template atomic<bool> suspended_{false, "suspended"};
  typename P::mutex sleep_lock_{"sleep_lock"};
  typename P::condition_variable woken_{"woken"};
};

}  // namespace wakeproof
