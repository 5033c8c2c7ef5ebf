// bug_reports/asyncio_semaphore_cancel/*: CPython issue 90155 (bpo-45997) and asyncio issue 270.
#include "asyncio_semaphore_cancel.hpp"

#include "models/handoff.hpp"

namespace wakeproof {
namespace {

// A put releases a permit, and the consumer acquires them all. A second waiter competes with it, and is cancelled
// by the first producer after its first release; if it has a permit before that, it gives it back.
template <class Semaphore>
class CancelOne {
 public:
  CancelOne(const Bounds& bounds, Ledger& ledger) : ledger_(ledger), items_(bounds.items) {}

  void put(int, int item) {
    semaphore_.release();
    if (item == 0) semaphore_.cancel(cancelled_);
  }
  void consumer() {
    typename Semaphore::platform::thread other("cancelled waiter", [this] {
      if (semaphore_.acquire(cancelled_)) semaphore_.release();
    });
    // Permits are all alike: the first is called the first producer's first item, and so on.
    for (int i = 0; i < ledger_.expected(); ++i) {
      semaphore_.acquire(staying_);
      ledger_.took(Ledger::item(i / items_, i % items_));
    }
    other.join();
  }
  void judge() {}
  Observation observe() const { return {semaphore_.peek_permits()}; }

 private:
  Ledger& ledger_;
  int items_;
  Semaphore semaphore_;
  typename Semaphore::Waiter cancelled_{"called_cancelled"};
  typename Semaphore::Waiter staying_{"called_staying"};
};

const bool added[] = {
    add<CancelOne, FairSemaphore>({.name = "bug_reports/asyncio_semaphore_cancel/correct",
                                   .story = "CPython issue 90155 (bpo-45997), the fix: a waiter that was cancelled "
                                            "while a permit is there wakes the next one.",
                                   .spare_threads = 1}),
    add<CancelOne, FairSemaphore>({.name = "bug_reports/asyncio_semaphore_cancel/wake_not_passed_on",
                                   .story = "CPython issue 90155 (bpo-45997) and asyncio issue 270: a release wakes "
                                            "one waiter, which is cancelled before it runs. It leaves, and takes the "
                                            "wake with it; the next waits beside a free permit.",
                                   .expected = Verdict::lost_wakeup,
                                   .mutations = {models::skip("pass_on")},
                                   .spare_threads = 1}),
    models::excuse(
        "bug_reports/asyncio_semaphore_cancel", "swap leave_queue and pass_on",
        "who is cancelled in the queue may wake itself then, in vain; but it was not woken before, and where "
        "there is a permit somebody else was, who will look or pass on"),
};

}  // namespace
}  // namespace wakeproof
