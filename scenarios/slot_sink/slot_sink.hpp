// SlotSink: a lock-free teaching sink, one atomic slot an item and a flag; it shows what the
// sequentially consistent orders are for.
//
//   put(producer, item)   that producer's thread   item > 0
//   get_batch(took)       consumer                 calls took(item) for at least one item; blocks
//
// [wake]  Store buffering: a put writes a slot and then looks at the flag, the consumer writes the
//         flag and then looks at the slots. Only with all four in one total order is it certain
//         that one of them sees the other. A mutex around either pair would do as well.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sink/platform.hpp"

namespace wakeproof {

// Each of the four takes part in [wake]; with any one weakened both sides can miss each other.
struct SlotOrders {
  static constexpr Order publish{"publish", std::memory_order_seq_cst};
  static constexpr Order look_for_sleeper{"look_for_sleeper", std::memory_order_seq_cst};
  static constexpr Order lower_flag{"lower_flag", std::memory_order_seq_cst};
  static constexpr Order look_for_item{"look_for_item", std::memory_order_seq_cst};
  // Only its atomicity is needed: of several puts one rings, and the event carries the rest.
  static constexpr Order claim{"claim", std::memory_order_relaxed};
};

template <Platform P>
class SlotSink {
 public:
  using platform = P;

  SlotSink(int producers, int items) : lanes_(static_cast<std::size_t>(producers)) {
    for (int producer = 0; producer < producers; ++producer) {
      for (int i = 0; i < items; ++i) {
        lanes_[static_cast<std::size_t>(producer)].slots.emplace_back(kEmpty, Label("slot", producer * items + i));
      }
    }
  }

  void put(int producer, int item) {
    Lane& lane = lanes_[static_cast<std::size_t>(producer)];
    P::run(step("append", [&] { lane.slots[lane.put++].store(item, SlotOrders::publish); }),
           step("notify", [&] { notify(); }));
  }

  template <class Took>
  void get_batch(Took took) {
    while (!take_or_arm(took)) ready_.wait();
  }

  // For observers, while nothing runs.
  std::size_t peek_queued() const {
    std::size_t queued = 0;
    for (const Lane& lane : lanes_) {
      for (std::size_t i = lane.taken; i < lane.slots.size(); ++i) queued += lane.slots[i].peek() != kEmpty;
    }
    return queued;
  }

 private:
  static constexpr int kEmpty = 0;

  struct Lane {
    std::deque<typename P::template atomic<int>> slots;
    std::size_t put = 0;    // the producer's own
    std::size_t taken = 0;  // the consumer's own
  };

  void notify() {
    if (raised_.load(SlotOrders::look_for_sleeper)) return;
    P::run(step("claim_wake", [&] { return raised_.exchange(true, SlotOrders::claim); }),
           step("ring", [&] { ready_.set(); }));
  }

  template <class Took>
  bool take_or_arm(Took& took) {
    return P::run(step("drain", [&] { return drain(took); }),  //
                  step("clear_event", [&] { ready_.clear(); }),
                  step("lower_flag", [&] { raised_.store(false, SlotOrders::lower_flag); }),
                  step("second_drain", [&] { return drain(took); }));
  }

  template <class Took>
  bool drain(Took& took) {
    bool any = false;
    for (Lane& lane : lanes_) {
      while (lane.taken < lane.slots.size()) {
        const int item = lane.slots[lane.taken].load(SlotOrders::look_for_item);
        if (item == kEmpty) break;
        took(item);
        ++lane.taken;
        any = true;
      }
    }
    return any;
  }

  std::vector<Lane> lanes_;
  typename P::template atomic<bool> raised_{false, "wake_in_flight"};
  typename P::event ready_{"data_ready"};
};

}  // namespace wakeproof
