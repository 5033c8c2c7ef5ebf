// LockedQueue: a FIFO under a mutex, taken in batches.
//
//   append(item)               any thread   at the end
//   drain(batch, max_items)    any thread   moves up to max_items to `batch`; true when it moved any
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "platform.hpp"

namespace wakeproof {

template <Platform P, class Item>
class LockedQueue {
 public:
  void append(Item item) {
    typename P::lock_guard lock(lock_);
    items_.write().push_back(std::move(item));
  }

  bool drain(std::vector<Item>& batch, std::size_t max_items) {
    typename P::lock_guard lock(lock_);
    if (items_.read().empty()) return false;
    std::deque<Item>& items = items_.write();
    while (!items.empty() && batch.size() < max_items) {
      batch.push_back(std::move(items.front()));
      items.pop_front();
    }
    return true;
  }

  // For observers, while nothing runs.
  std::size_t peek_size() const { return items_.peek().size(); }

 private:
  typename P::mutex lock_{"queue_lock"};
  typename P::template plain<std::deque<Item>> items_{{}, "queue"};
};

}  // namespace wakeproof
