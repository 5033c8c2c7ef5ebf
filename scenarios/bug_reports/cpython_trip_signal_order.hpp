// WakeupFd: a signal that is noted and announced by a byte to the loop, after CPython's wakeup descriptor.
//
//   put(producer, item)   any thread   the signal `producer` comes once more
//   turn(took)            the loop     sleeps in its selector, then handles what has come
//
// [announced] The byte comes after what it announces: whoever reads it, sees it. No memory order helps
//             one that comes before.
#pragma once

#include "counted_lanes.hpp"

namespace wakeproof {

// The byte would be order enough. These are as strong as can be, so that a counterexample shows two steps in the wrong
// order and no old value.
struct TripOrders {
  static constexpr Order post{std::memory_order_seq_cst};
  static constexpr Order take{std::memory_order_seq_cst};
};

template <Platform P>
class WakeupFd {
 public:
  explicit WakeupFd(int signals) : tripped_(signals) { selector_.add(pipe_); }

  void put(int signal, int) {
    P::run(step("trip", [&] { tripped_.post(signal); }),  //
           step("write_byte", [&] { pipe_.write_byte(); }));
  }

  template <class Took>
  void turn(Took took) {
    selector_.wait_until(std::nullopt);
    P::run(step("empty_pipe", [&] { pipe_.read_all(); }),  //
           step("handle", [&] { tripped_.take(took); }));
  }

  std::size_t peek_queued() const { return tripped_.peek_queued(); }

 private:
  CountedLanes<P, TripOrders> tripped_;
  typename P::wake_pipe pipe_{"wakeup_fd"};
  typename P::selector selector_{"selector"};
};

}  // namespace wakeproof
