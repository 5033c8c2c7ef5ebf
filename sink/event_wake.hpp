// EventWake: wakes a consumer that owns its thread and blocks on an event.
//
//   ring()              any thread   the wake; true: delivered
//   clear()             consumer     part of arming
//   wait_until(when)    consumer     blocks; false when `when` has passed without a ring
#pragma once

#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class EventWake {
 public:
  static constexpr bool kOnLoop = false;

  bool ring() {
    rung_.set();
    return true;
  }
  void clear() { rung_.clear(); }
  bool wait_until(Deadline<P> deadline) { return rung_.wait_until(deadline); }

  // For observers, while nothing runs.
  bool peek_in_flight() const { return rung_.is_set(); }

 private:
  typename P::event rung_{"data_ready"};
};

}  // namespace wakeproof
