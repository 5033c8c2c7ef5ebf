// AtomicFlag: the sink's flag as a relaxed atomic, to show that a mutex around the queue orders it.
//
// Say the put's exchange finds the flag raised, so it does not ring, and its append came after the
// consumer's second drain. Then the lowering came before that drain, the drain's unlock before the
// append's lock, and the append before the exchange: the lowering happens before the exchange,
// which reads it or something newer. It finds the flag lowered after all.
#pragma once

#include <cstddef>

#include "sink/platform.hpp"

namespace wakeproof {

template <Platform P>
class AtomicFlag {
 public:
  explicit AtomicFlag(bool raised) : raised_(raised, "wake_in_flight") {}

  bool raise() {
    if (raised_.exchange(true, std::memory_order_relaxed)) return false;
    cycles_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  void lower() { raised_.store(false, std::memory_order_relaxed); }
  std::size_t count() { return cycles_.load(std::memory_order_relaxed); }

  bool peek_raised() const { return raised_.peek(); }
  std::size_t peek_count() const { return cycles_.peek(); }

 private:
  typename P::template atomic<bool> raised_;
  typename P::template atomic<std::size_t> cycles_{0, "wakeups_scheduled"};
};

}  // namespace wakeproof
