// A sink for a loop that suspends while it arms, in the middle of what is one plain function in the right one (A5).
#pragma once

#include "scripts.hpp"

namespace wakeproof {

// Put together from the sink's own parts. Lowers its flag first, which is immaterial where nothing runs before
// the event is cleared (output_sink/loop/arm_swapped); here a callback does.
template <Platform P>
class SuspendingSink {
 public:
  using platform = P;
  using Batch = std::vector<int>;

  explicit SuspendingSink(Ledger& ledger) : wake_(ledger) {}

  void bind_loop(EventLoop<P>& loop) {
    loop_ = &loop;
    wake_.bind(loop);
    flag_.lower();
  }

  void put(int item) {
    queue_.append(std::move(item));
    if (flag_.raise()) wake_.ring();
  }

  Task<Batch> get_batch(std::size_t max_items) {
    Batch batch;
    while (!queue_.drain(batch, max_items)) {
      flag_.lower();
      co_await loop_->sleep(std::chrono::nanoseconds(0));
      wake_.clear();
      if (queue_.drain(batch, max_items)) break;
      co_await wake_.wait_until(std::nullopt);
    }
    co_return batch;
  }

  struct Observation {
    std::size_t queued;
    bool wake_in_flight;
    std::size_t wakeups_scheduled;
  };
  Observation observe() const { return {queue_.peek_size(), wake_.peek_in_flight(), flag_.peek_count()}; }

 private:
  LockedQueue<P, int> queue_;
  WakeFlag<P> flag_{true};
  CountedWake<LoopWake<P>> wake_;
  EventLoop<P>* loop_ = nullptr;
};

}  // namespace wakeproof
