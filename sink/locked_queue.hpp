// LockedQueue: a FIFO under a mutex, taken in batches.
//
//   append(item)               any thread   at the end; false: closed, the item is not taken
//   drain(batch, max_items)    any thread   moves up to max_items to `batch`; true when it moved any, or ended
//   close()                    any thread   no append is taken from now on
//   ended()                    any thread   closed, and everything was drained; stays so
//
// open --close()--> closed --the last drain--> ended
//
// [one_lock] `closed` is the queue's own, under its lock. Beside it, an append that found it open could come
//            after a drain that found it closed, and its item would stay for ever (output_sink/end_checked_first).
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "platform.hpp"

namespace wakeproof {

// Guard: one that holds nothing is a scenario's (output_sink/queue_not_guarded).
template <Platform P, class Item, class Guard = typename P::lock_guard>
class LockedQueue {
 public:
  bool append(Item item) {
    const Guard lock(lock_);
    if (closed_.get()) return false;
    items_.write().push_back(std::move(item));
    return true;
  }

  bool drain(std::vector<Item>& batch, std::size_t max_items) {
    const Guard lock(lock_);
    if (items_.read().empty()) return closed_.get();
    std::deque<Item>& items = items_.write();
    while (!items.empty() && batch.size() < max_items) {
      batch.push_back(std::move(items.front()));
      items.pop_front();
    }
    return true;
  }

  void close() {
    const Guard lock(lock_);
    closed_.set(true);
  }

  bool ended() {
    const Guard lock(lock_);
    return closed_.get() && items_.read().empty();
  }

  // For observers, while nothing runs.
  std::size_t peek_size() const { return items_.peek().size(); }

 private:
  typename P::mutex lock_{"queue_lock"};
  typename P::template plain<std::deque<Item>> items_{{}, "queue"};
  typename P::template plain<bool> closed_{false, "closed"};
};

}  // namespace wakeproof
