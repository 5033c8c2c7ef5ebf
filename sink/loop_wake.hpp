// LoopWake: wakes a consumer that is a coroutine on an event loop.
//
//   bind()              loop thread   the loop that runs the caller; std::logic_error when none does
//   bind(loop)          loop thread   that loop
//   ring()              any thread    the wake; false: the loop is closed, nobody was woken
//   clear()             loop thread   part of arming
//   wait_until(when)    loop thread   co_await: false when `when` has passed without a ring
//
// [one_bridge] A producer never touches the event: call_soon_threadsafe is the only way to the
//              loop's thread, and the only one that interrupts its wait.
// The object outlives every callback that ring() has queued.
#pragma once

#include <memory>
#include <stdexcept>

#include "async_event.hpp"
#include "event_loop.hpp"
#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class LoopWake {
 public:
  static constexpr bool kOnLoop = true;

  void bind() {
    EventLoop<P>* loop = EventLoop<P>::running();
    if (loop == nullptr) throw std::logic_error("bind_loop: no event loop runs this thread; pass one");
    bind(*loop);
  }
  void bind(EventLoop<P>& loop) {
    rung_ = std::make_unique<AsyncEvent<P>>(loop, "data_ready");
    loop_.set(&loop);
  }

  bool ring() {
    try {
      loop_.get()->call_soon_threadsafe([event = rung_.get()] { event->set(); });
      return true;
    } catch (const loop_closed&) {
      return false;
    }
  }
  void clear() { rung_->clear(); }
  auto wait_until(Deadline<P> deadline) { return rung_->wait_until(deadline); }

  // For observers, while nothing runs.
  bool peek_in_flight() const { return rung_ && (rung_->peek_set() || loop_.peek()->peek_posted() > 0); }

 protected:
  AsyncEvent<P>& event() { return *rung_; }
  EventLoop<P>& loop() { return *loop_.get(); }

 private:
  // Written before the sink's flag is first lowered, read after it was raised: ordered by its lock.
  typename P::template plain<EventLoop<P>*> loop_{nullptr, "loop"};
  std::unique_ptr<AsyncEvent<P>> rung_;
};

}  // namespace wakeproof
