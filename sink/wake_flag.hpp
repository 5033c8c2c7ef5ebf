// WakeFlag: "a wake is in flight", and how often that became true.
//
//   raise()   any thread     true when this call raised it: the caller owes one ring
//   lower()   consumer, or a producer whose ring failed
//   count()   any thread     how often it was raised: the number of wake cycles
//
// lowered --raise() = true--> raised --raise() = false--> raised --lower()--> lowered
//
// [one_ring] Of all raise() calls between two lower() calls exactly one answers true. That
//            needs check-and-set in one critical section; two would ring twice.
#pragma once

#include <cstddef>

#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class WakeFlag {
 public:
  // Starts raised where there is nobody to wake yet.
  explicit WakeFlag(bool raised) : raised_(raised, "wake_in_flight") {}

  bool raise() {
    typename P::lock_guard lock(lock_);
    if (raised_.get()) return false;
    raised_.set(true);
    ++cycles_.write();
    return true;
  }

  void lower() {
    typename P::lock_guard lock(lock_);
    raised_.set(false);
  }

  std::size_t count() {
    typename P::lock_guard lock(lock_);
    return cycles_.get();
  }

  // For observers, while nothing runs.
  bool peek_raised() const { return raised_.peek(); }
  std::size_t peek_count() const { return cycles_.peek(); }

 private:
  typename P::mutex lock_{"flag_lock"};
  typename P::template plain<bool> raised_;
  typename P::template plain<std::size_t> cycles_{0, "wakeups_scheduled"};
};

}  // namespace wakeproof
