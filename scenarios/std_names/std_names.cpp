// std_names/*: two queues that are written on the standard's names, and know nothing of the model.
#include "models/std_names.hpp"

#include <deque>

#include "ring.hpp"

#define CONDITION_QUEUE_NAMES wakeproof::checked
#include "condition_queue.hpp"

namespace wakeproof {
namespace {

using std_names::ConditionQueue;
using std_names::Ring;
using std_names::Variant;

// Two slots, so that three items go round. var: every item is checked for races.
template <class Names>
using CorrectRing = Ring<Names, typename Names::template var<int>, 2>;
template <class Names>
using PublishesRelaxed = Ring<Names, typename Names::template var<int>, 2, std::memory_order_relaxed>;
// One slot: goes round with the second item.
template <class Names>
using RoomRelaxed =
    Ring<Names, typename Names::template var<int>, 1, std::memory_order_release, std::memory_order_relaxed>;

template <class>
using CorrectQueue = ConditionQueue<checked::var<int>>;
template <class>
using LooksOnce = ConditionQueue<checked::var<int>, Variant::looks_once>;
template <class>
using NotifiesFirst = ConditionQueue<checked::var<int>, Variant::notifies_first>;

// A ring for each producer, emptied one after the other.
template <class OneRing>
class EachThroughItsRing {
 public:
  EachThroughItsRing(const Bounds& bounds, Ledger& ledger)
      : bounds_(bounds), ledger_(ledger), rings_(static_cast<std::size_t>(bounds.producers)) {}

  void put(int producer, int item) { rings_[static_cast<std::size_t>(producer)].push(item); }
  void consumer() {
    for (OneRing& ring : rings_) {
      for (int taken = 0; taken < bounds_.items; ++taken) ledger_.took(ring.pop());
    }
  }
  void judge() {}

 private:
  Bounds bounds_;
  Ledger& ledger_;
  std::deque<OneRing> rings_;
};

template <class Queue>
class PutAndTake {
 public:
  PutAndTake(const Bounds&, Ledger& ledger) : ledger_(ledger) {}

  void put(int, int item) { queue_.put(item); }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) ledger_.took(queue_.take());
  }
  void judge() {}

 private:
  Ledger& ledger_;
  Queue queue_;
};

const std::vector<Bounds> kRound{{1, 1}, {1, 2}};

const bool added[] = {
    add_names<EachThroughItsRing, CorrectRing>({.name = "std_names/ring",
                                                .story = "A single-producer ring on std::atomic and its waits, with "
                                                         "the names as a parameter.",
                                                .sizes = kRound,
                                                .larger_sizes = {{1, 3}}}),
    add_names<EachThroughItsRing, PublishesRelaxed>(
        {.name = "std_names/ring_published_relaxed",
         .story = "The index is published relaxed: the consumer reads a slot that is still written.",
         .expected = Verdict::data_race,
         .sizes = kRound,
         .tags = {"weak_memory"}}),
    add_names<EachThroughItsRing, RoomRelaxed>(
        {.name = "std_names/ring_room_relaxed",
         .story = "Room is published relaxed: a push overwrites a slot that is still read.",
         .expected = Verdict::data_race,
         .fails_from = {{1, 2}},
         .sizes = kRound,
         .tags = {"weak_memory"}}),
    add_checked<PutAndTake, CorrectQueue>({.name = "std_names/condition_queue",
                                           .story = "A queue on std::mutex and std::condition_variable, with the "
                                                    "names from a namespace alias."}),
    add_checked<PutAndTake, LooksOnce>(
        {.name = "std_names/condition_queue_if",
         .story = "The consumer looks once: a wait that ends for no reason takes from an empty queue.",
         .expected = Verdict::assertion_failed}),
    add_checked<PutAndTake, NotifiesFirst>(
        {.name = "std_names/condition_queue_notify_first",
         .story = "The notification comes before its item, outside of the lock: the consumer waits after it.",
         .expected = Verdict::lost_wakeup}),
};

}  // namespace
}  // namespace wakeproof
