// OneCondition: a bounded queue whose two sides wait on one condition variable, to show why that is wrong.
#pragma once

#include <deque>
#include <optional>

#include "sink/bounded_queue.hpp"

namespace wakeproof {

template <Platform P>
class OneCondition {
 public:
  using platform = P;

  explicit OneCondition(std::size_t capacity) : capacity_(capacity) {}

  PutResult put(int item) {
    {
      typename P::unique_lock lock(lock_);
      while (items_.read().size() >= capacity_) changed_.wait(lock);
      items_.write().push_back(item);
    }
    changed_.notify_one();  // of those who wait, whoever it is
    return PutResult::delivered;
  }

  std::optional<int> take() {
    std::optional<int> item;
    {
      typename P::unique_lock lock(lock_);
      while (items_.read().empty()) changed_.wait(lock);
      item = items_.read().front();
      items_.write().pop_front();
    }
    changed_.notify_one();
    return item;
  }

  std::size_t peek_size() const { return items_.peek().size(); }

 private:
  const std::size_t capacity_;
  typename P::mutex lock_{"queue_lock"};
  typename P::template plain<std::deque<int>> items_{{}, "queue"};
  typename P::condition_variable changed_{"changed"};
};

}  // namespace wakeproof
