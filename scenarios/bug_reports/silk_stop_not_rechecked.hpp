// ParkingProcessor: a processor that parks when it has no work, until there is some or it is to stop, after silk.
//
//   put(item)   any thread      queues work, and rings a processor that sleeps
//   stop()      one thread      ends run(), and rings for that; what is queued by then stays there
//   run(took)   the processor   until it is stopped
//
// [announce_then_look] The processor announces its sleep and then looks; the others write and then look for a sleeper:
//                      store buffering, and it has to hold for everything that a sleeper is woken for.
// [one_permit]         Who takes the announcement back gives the permit that the processor waits for. Where that is
//                      the processor itself, it does not wait.
#pragma once

#include <vector>

#include "sink/locked_queue.hpp"

namespace wakeproof {

// Each of the four takes part in [announce_then_look] for the end. Work is ordered by its queue's mutex besides.
struct ParkOrders {
  static constexpr Order stop{"stop", std::memory_order_seq_cst};
  static constexpr Order look_for_sleeper{"look_for_sleeper", std::memory_order_seq_cst};
  static constexpr Order announce{"announce", std::memory_order_seq_cst};
  static constexpr Order look_for_stop{"look_for_stop", std::memory_order_seq_cst};
  // Only its atomicity is needed: of those who take it back one has to do with the permit.
  static constexpr Order withdraw{"withdraw", std::memory_order_relaxed};
};

template <Platform P>
class ParkingProcessor {
 public:
  using platform = P;

  void put(int item) {
    P::run(step("queue_work", [&] { work_.append(item); }),  //
           step("ring", [&] { ring(); }));
  }
  void stop() {
    P::run(step("set_stopping", [&] { stopping_.store(true, ParkOrders::stop); }),
           step("ring_for_stop", [&] { ring(); }));
  }

  template <class Took>
  void run(Took took) {
    std::vector<int> batch;
    while (!stopping_.load(ParkOrders::look_for_stop)) {
      if (!work_.drain(batch, kAll)) park(batch);
      for (const int item : batch) took(item);
      batch.clear();
    }
  }

  std::size_t peek_queued() const { return work_.peek_size(); }

 private:
  static constexpr std::size_t kAll = 1'000'000;

  void ring() {
    if (!asleep_.load(ParkOrders::look_for_sleeper)) return;
    if (asleep_.exchange(false, ParkOrders::withdraw)) permit_.release(1U);
  }

  void park(std::vector<int>& batch) {
    const bool found =
        P::run(step("announce", [&] { asleep_.store(true, ParkOrders::announce); }),
               step("look_for_work", [&] { return work_.drain(batch, kAll) && withdrawn(); }),
               step("look_again_for_stop", [&] { return stopping_.load(ParkOrders::look_for_stop) && withdrawn(); }));
    if (!found) permit_.acquire();
  }
  // False: somebody has rung, and there is a permit to take, or will be at once.
  bool withdrawn() { return asleep_.exchange(false, ParkOrders::withdraw); }

  LockedQueue<P, int> work_;
  typename P::template atomic<bool> asleep_{false, "asleep"};
  typename P::template atomic<bool> stopping_{false, "stopping"};
  typename P::semaphore permit_{0U, "permit"};
};

}  // namespace wakeproof
