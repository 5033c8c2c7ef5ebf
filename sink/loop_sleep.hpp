// LoopSleep: what EventLoop::sleep gives. co_await on the loop's thread: true once the moment has come.
//
// Cancelling the task that sleeps forgets the timer.
#pragma once

#include <coroutine>

#include "platform.hpp"
#include "suspension.hpp"

namespace wakeproof {

template <Platform P>
class LoopSleep final : public Suspension<P> {
 public:
  LoopSleep(EventLoop<P>& loop, typename P::clock::time_point until) : Suspension<P>(loop), until_(until) {}
  ~LoopSleep() {
    if (this->waiting()) withdraw();
  }

  bool await_ready() const { return false; }  // also one of no length lets the others have their turn
  bool await_suspend(std::coroutine_handle<> coroutine) {
    if (!this->begin(coroutine)) return false;
    timer_ = this->loop().call_at(until_, this->while_waiting([this] { this->go_on(); }));
    return true;
  }
  bool await_resume() {
    this->end();
    return true;
  }

 private:
  void withdraw() override { this->loop().cancel(timer_); }

  typename P::clock::time_point until_;
  typename EventLoop<P>::Timer timer_{};
};

}  // namespace wakeproof
