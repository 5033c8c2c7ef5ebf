// OwnQueue: a queue that holds one item; both sides wait on the same condition.
//
//   put(item)  any thread  waits while there is an item
//   take()     one thread  waits while there is none
//
// [wake]  A notification is for those that wait already, so it comes after the change. `Wake::early` is the bug.
#pragma once

#include <optional>

#include "sink/platform.hpp"

namespace own {

enum class Wake { after_change, early };

template <wakeproof::Platform P, Wake kWake>
class OwnQueue {
 public:
  void put(int item) {
    if constexpr (kWake == Wake::early) changed_.notify_all();
    typename P::unique_lock lock(lock_);
    while (slot_.read()) changed_.wait(lock);
    slot_.write() = item;
    if constexpr (kWake == Wake::after_change) changed_.notify_all();
  }

  int take() {
    typename P::unique_lock lock(lock_);
    while (!slot_.read()) changed_.wait(lock);
    const int item = *slot_.read();
    slot_.write().reset();
    changed_.notify_all();
    return item;
  }

 private:
  typename P::mutex lock_{"lock"};
  typename P::condition_variable changed_{"changed"};
  typename P::template plain<std::optional<int>> slot_{{}, "slot"};
};

}  // namespace own
