// Wakes that go past the loop: a producer sets the event itself (P4b).
#pragma once

#include "sink/loop_wake.hpp"

namespace wakeproof {

// The event, and the list of callbacks that it resumes its waiters by, are the loop thread's own.
template <Platform P>
class DirectWake : public LoopWake<P> {
 public:
  bool ring() {
    this->event().set();
    return true;
  }
};

// The same with nothing left to race for: state and waiter under a lock, the waiter resumed by a callback that is
// queued under the loop's lock. Whether the loop hears of it is another matter.
template <Platform P>
class GuardedDirectWake : public LoopWake<P> {
 public:
  bool ring() {
    typename P::lock_guard lock(lock_);
    set_.set(true);
    if (std::coroutine_handle<> waiter = waiter_.get()) {
      waiter_.set({});
      this->loop().call_soon_threadsafe([waiter] { waiter.resume(); });
    }
    return true;
  }
  void clear() {
    typename P::lock_guard lock(lock_);
    set_.set(false);
  }
  // Without a timeout: what is asked here is whether the wake comes at all.
  auto wait_until(Deadline<P>) { return Waiter{*this}; }

  bool peek_in_flight() const { return set_.peek() || LoopWake<P>::peek_in_flight(); }

 private:
  struct Waiter {
    GuardedDirectWake& wake;

    bool await_ready() const { return false; }
    bool await_suspend(std::coroutine_handle<> coroutine) {
      typename P::lock_guard lock(wake.lock_);
      if (wake.set_.get()) {
        P::wait_passed(&wake);
        return false;
      }
      wake.waiter_.set(coroutine);
      return true;
    }
    bool await_resume() const { return true; }
  };

  typename P::mutex lock_{"event_lock"};
  typename P::template plain<bool> set_{false, "event"};
  typename P::template plain<std::coroutine_handle<>> waiter_{{}, "waiter"};
};

}  // namespace wakeproof
