// bounded_queue/timeouts: puts that give up while others wait for the same place, under the free clock.
#include "models/handoff.hpp"
#include "sink/bounded_queue.hpp"
#include "sink/event_wake.hpp"

namespace wakeproof {
namespace {

using models::skip;

template <Platform P>
using Bounded = BoundedQueue<P, int, EventWake<P>>;

// The queue is full when the producers come. The last one gives up after a millisecond, the others wait as long
// as it takes; who is through last closes the queue. Who has given up puts nothing more.
template <class Queue>
class LastGivesUp {
 public:
  LastGivesUp(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), last_(bounds.producers - 1), items_(bounds.items), left_(bounds.producers, "producers_left") {
    queue_.put(kOneBefore);
  }

  void put(int producer, int item) {
    if (producer != last_) {
      ledger_.check(queue_.put(item) == PutResult::delivered, "a put without a timeout is delivered");
    } else if (gave_up_ || queue_.put(item, std::chrono::milliseconds(1)) == PutResult::full) {
      gave_up_ = true;
      ledger_.refused(item);
    }
    const bool through = item == Ledger::item(producer, items_ - 1);
    if (through && left_.fetch_sub(1, std::memory_order_acq_rel) == 1) queue_.close();
  }
  void consumer() {
    ledger_.check(queue_.take() == kOneBefore, "what was there first is taken first");
    while (const std::optional<int> item = queue_.take()) ledger_.took(*item);
  }
  void judge() {}
  Observation observe() const { return {queue_.peek_size()}; }

 private:
  using P = typename Queue::platform;
  static constexpr int kOneBefore = -1;

  Ledger& ledger_;
  int last_;
  bool gave_up_ = false;  // the last producer's own
  int items_;
  Queue queue_{1};
  typename P::template atomic<int> left_;
};

const bool added[] = {
    add<LastGivesUp, Bounded>({.name = "bounded_queue/timeouts",
                               .story = "A put gives up at any moment, also at the one at which it is told of room: "
                                        "then it looks once more.",
                               .ticks = 1}),
    add<LastGivesUp, Bounded>({.name = "bounded_queue/gives_up_without_look",
                               .story = "A put that gives up takes the notification of a place with it; another that "
                                        "waits sleeps on.",
                               .expected = Verdict::deadlock,
                               .fails_from = {{2, 1}},
                               .mutations = {skip("last_look")},
                               .ticks = 1}),
};

}  // namespace
}  // namespace wakeproof
