// FairSemaphore: permits, and a queue of waiters that can be cancelled, after asyncio's semaphore.
//
//   release()         any thread     one permit more; wakes the first who waits
//   acquire(waiter)   its thread     true: a permit; false: cancelled
//   cancel(waiter)    any thread     its acquire() returns false, unless it returned before
//
// [passed_on] A permit is there and somebody waits => somebody was woken and has not looked yet. Whoever leaves the
//             queue without looking, because it was cancelled after it was woken, wakes the next in its place.
//
// asyncio has one thread: there each critical section is a turn of the loop, here the mutex makes it one.
#pragma once

#include <algorithm>
#include <deque>

#include "sink/platform.hpp"

namespace wakeproof {

template <Platform P>
class FairSemaphore {
 public:
  using platform = P;

  class Waiter {
   public:
    explicit Waiter(Label name) : called_(name) {}

   private:
    friend class FairSemaphore;
    typename P::template plain<bool> cancelled_{false, "cancelled"};
    typename P::event called_;  // woken or cancelled
  };

  void release() {
    typename P::lock_guard turn(turn_);
    permits_.set(permits_.get() + 1);
    wake_next();
  }

  bool acquire(Waiter& waiter) {
    typename P::unique_lock turn(turn_);
    bool cancelled = waiter.cancelled_.get();
    while (!cancelled && permits_.get() == 0) {
      wait(waiter, turn);
      cancelled = waiter.cancelled_.get();
    }
    if (!cancelled) {
      permits_.set(permits_.get() - 1);
      return true;
    }
    P::run(step("leave_queue", [&] { leave_queue(waiter); }),  //
           step("pass_on", [&] {
             if (permits_.get() > 0) wake_next();
           }));
    return false;
  }

  void cancel(Waiter& waiter) {
    typename P::lock_guard turn(turn_);
    waiter.cancelled_.set(true);
    waiter.called_.set();
  }

  std::size_t peek_permits() const { return static_cast<std::size_t>(permits_.peek()); }

 private:
  void wait(Waiter& waiter, typename P::unique_lock& turn) {
    waiter.called_.clear();
    waiting_.write().push_back(&waiter);
    turn.unlock();
    waiter.called_.wait();
    turn.lock();
  }
  void wake_next() {
    if (waiting_.read().empty()) return;
    waiting_.read().front()->called_.set();
    waiting_.write().pop_front();
  }
  void leave_queue(Waiter& waiter) {
    std::deque<Waiter*>& waiting = waiting_.write();
    waiting.erase(std::remove(waiting.begin(), waiting.end(), &waiter), waiting.end());
  }

  typename P::mutex turn_{"turn"};
  typename P::template plain<int> permits_{0, "permits"};
  typename P::template plain<std::deque<Waiter*>> waiting_{{}, "waiting"};
};

}  // namespace wakeproof
