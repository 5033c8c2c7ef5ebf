// CountedLanes: how many items each producer has posted; data that only the wake beside it orders.
//
//   post(producer)   that producer's thread
//   take(took)       the loop                 calls took(item) for each that is new
#pragma once

#include <cstddef>
#include <deque>

#include "models/ledger.hpp"
#include "sink/platform.hpp"

namespace wakeproof {

template <Platform P>
class CountedLanes {
 public:
  explicit CountedLanes(int producers) {
    for (int producer = 0; producer < producers; ++producer) lanes_.emplace_back(producer);
  }

  void post(int producer) {
    Lane& lane = lanes_[static_cast<std::size_t>(producer)];
    lane.posted.store(++lane.put, kUnordered);
  }

  template <class Took>
  void take(Took& took) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      const int posted = lane.posted.load(kUnordered);
      while (lane.taken < posted) took(models::Ledger::item(static_cast<int>(i), lane.taken++));
    }
  }

  // For observers, while nothing runs.
  std::size_t peek_queued() const {
    std::size_t queued = 0;
    for (const Lane& lane : lanes_) queued += static_cast<std::size_t>(lane.posted.peek() - lane.taken);
    return queued;
  }

 private:
  // Whoever uses the lanes has to bring the order: it is what the report is about.
  static constexpr Order kUnordered{std::memory_order_relaxed};

  struct Lane {
    explicit Lane(int producer) : posted(0, Label("posted", producer)) {}
    typename P::template atomic<int> posted;
    int put = 0;    // the producer's own
    int taken = 0;  // the loop's own
  };

  std::deque<Lane> lanes_;
};

}  // namespace wakeproof
