// CountedLanes: how many items each producer has posted; data under no mutex, with the orders it is given.
//
//   post(producer)   that producer's thread
//   take(took)       the loop                 calls took(item) for each that is new
#pragma once

#include <cstddef>
#include <deque>

#include "models/ledger.hpp"
#include "sink/platform.hpp"

namespace wakeproof {

template <Platform P, class Orders>
class CountedLanes {
 public:
  explicit CountedLanes(int producers) {
    for (int producer = 0; producer < producers; ++producer) lanes_.emplace_back(producer);
  }

  void post(int producer) {
    Lane& lane = lanes_[static_cast<std::size_t>(producer)];
    lane.posted.store(++lane.put, Orders::post);
  }

  template <class Took>
  void take(Took& took) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      const int posted = lane.posted.load(Orders::take);
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
  struct Lane {
    explicit Lane(int producer) : posted(0, Label("posted", producer)) {}
    typename P::template atomic<int> posted;
    int put = 0;    // the producer's own
    int taken = 0;  // the loop's own
  };

  std::deque<Lane> lanes_;
};

}  // namespace wakeproof
