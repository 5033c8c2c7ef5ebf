// AsyncEvent: a manual-reset event for coroutines on one event loop.
//
// Every member is for the loop's thread alone; a producer gets there through
// EventLoop::call_soon_threadsafe. Setting it from another thread is a data race, and does not
// interrupt the loop's wait either.
//
//   set()               resumes every waiter on the loop's next turn
//   clear()
//   wait_until(when)    co_await: true once set, false when `when` has passed (none: never)
//
// A coroutine that waits here must not be destroyed while the loop runs.
#pragma once

#include <algorithm>
#include <coroutine>
#include <vector>

#include "event_loop.hpp"
#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class AsyncEvent {
 public:
  explicit AsyncEvent(EventLoop<P>& loop, Label label = {}) : loop_(loop), set_(false, label) {}

  void set() {
    if (set_.get()) return;
    set_.set(true);
    for (Waiter* waiter : waiters_) waiter->wake();
    waiters_.clear();
  }

  void clear() { set_.set(false); }

  auto wait_until(Deadline<P> deadline) { return Waiter(*this, deadline); }

  // For observers, while nothing runs.
  bool peek_set() const { return set_.peek(); }

 private:
  class Waiter {
   public:
    Waiter(AsyncEvent& event, Deadline<P> deadline) : event_(event), deadline_(deadline) {}

    bool await_ready() {
      rung_ = event_.set_.get();
      if (rung_) P::wait_passed(&event_);
      return rung_;
    }
    void await_suspend(std::coroutine_handle<> coroutine) {
      coroutine_ = coroutine;
      event_.waiters_.push_back(this);
      if (deadline_) timer_ = event_.loop_.call_at(*deadline_, [this] { time_out(); });
    }
    bool await_resume() const { return rung_; }

    void wake() {
      rung_ = true;
      if (deadline_) event_.loop_.cancel(timer_);
      event_.loop_.call_soon([coroutine = coroutine_] { coroutine.resume(); });
    }

   private:
    void time_out() {
      std::erase(event_.waiters_, this);
      coroutine_.resume();
    }

    AsyncEvent& event_;
    Deadline<P> deadline_;
    typename EventLoop<P>::Timer timer_{};
    std::coroutine_handle<> coroutine_;
    bool rung_ = false;
  };

  EventLoop<P>& loop_;
  typename P::template plain<bool> set_;
  std::vector<Waiter*> waiters_;
};

}  // namespace wakeproof
