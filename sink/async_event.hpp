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
// A coroutine that waits here may be cancelled (loop_task.hpp), or destroyed on the loop's thread while
// the loop is there: the wait takes itself out. So may the event: who waits then waits for the deadline.
#pragma once

#include <algorithm>
#include <coroutine>
#include <vector>

#include "event_loop.hpp"
#include "platform.hpp"
#include "suspension.hpp"

namespace wakeproof {

template <Platform P>
class AsyncEvent {
 public:
  explicit AsyncEvent(EventLoop<P>& loop, Label label = {}) : loop_(loop), set_(false, label) {}
  AsyncEvent(const AsyncEvent&) = delete;
  AsyncEvent& operator=(const AsyncEvent&) = delete;
  ~AsyncEvent() {
    for (Waiter* waiter : waiters_) waiter->forget_event();
  }

  void set() {
    if (set_.get()) return;
    set_.set(true);
    for (Waiter* waiter : waiters_) waiter->ring();
    waiters_.clear();
  }

  void clear() { set_.set(false); }

  auto wait_until(Deadline<P> deadline) { return Waiter(*this, deadline); }

  // For observers, while nothing runs.
  bool peek_set() const { return set_.peek(); }

 private:
  class Waiter final : public Suspension<P> {
   public:
    Waiter(AsyncEvent& event, Deadline<P> deadline) : Suspension<P>(event.loop_), event_(&event), deadline_(deadline) {}
    ~Waiter() {
      if (this->waiting()) withdraw();
    }

    bool await_ready() {
      rung_ = event_->set_.get();
      if (rung_) P::wait_passed(event_);
      return rung_;
    }
    bool await_suspend(std::coroutine_handle<> coroutine) {
      if (!this->begin(coroutine)) return false;
      event_->waiters_.push_back(this);
      if (deadline_) timer_ = this->loop().call_at(*deadline_, this->while_waiting([this] { time_out(); }));
      return true;
    }
    bool await_resume() {
      this->end();
      return rung_;
    }

    void ring() {
      rung_ = true;
      if (deadline_) this->loop().cancel(timer_);
      this->wake();
    }
    void forget_event() { event_ = nullptr; }

   private:
    void withdraw() override {
      if (event_ != nullptr) std::erase(event_->waiters_, this);
      if (deadline_) this->loop().cancel(timer_);
    }
    void time_out() {
      withdraw();
      this->go_on();
    }

    AsyncEvent* event_;
    Deadline<P> deadline_;
    typename EventLoop<P>::Timer timer_{};
    bool rung_ = false;
  };

  EventLoop<P>& loop_;
  typename P::template plain<bool> set_;
  std::vector<Waiter*> waiters_;
};

}  // namespace wakeproof
