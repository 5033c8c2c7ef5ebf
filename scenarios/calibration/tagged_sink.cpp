// calibration/tagged_sink: one word that is empty, armed, or the newest of a list of nodes.
//
// After folly's AtomicNotificationQueue and its kin. Only the operations on the word and the event
// are visible steps, in exactly this order.
#include <deque>

#include "models/handoff.hpp"

namespace wakeproof {
namespace {

struct TaggedOrders {
  // The node's contents, to `take`; and what the consumer did before arming, to the put that rings.
  static constexpr Order link{"link", std::memory_order_acq_rel};
  // Sees every node linked so far: links are read-modify-writes, one release sequence.
  static constexpr Order take{"take", std::memory_order_acquire};
  // What the consumer saw when it found nothing, to the put that rings.
  static constexpr Order arm{"arm", std::memory_order_acq_rel};
  static constexpr Order guess{"guess", std::memory_order_relaxed};  // compared, never followed
};

template <class Platform>
class TaggedSink {
 public:
  using platform = Platform;

  struct Node {
    Node(int value, Label label) : item(value, label) {}
    typename Platform::template plain<int> item;
    typename Platform::template plain<Node*> older{nullptr, "older"};
  };

  void put(Node& node) {
    Node* head = head_.load(TaggedOrders::guess);
    do {
      node.older.set(head == armed() ? nullptr : head);
    } while (!head_.compare_exchange_strong(head, &node, TaggedOrders::link, TaggedOrders::guess));
    if (head == armed()) ready_.set();
  }

  // Newest first; waits until there is something.
  Node* get() {
    for (;;) {
      Node* head = head_.exchange(nullptr, TaggedOrders::take);
      if (head != nullptr && head != armed()) return head;
      ready_.clear();
      Node* empty = nullptr;
      if (head_.compare_exchange_strong(empty, armed(), TaggedOrders::arm, TaggedOrders::guess)) ready_.wait();
    }
  }

  // For observers, while nothing runs.
  std::size_t peek_queued() const {
    std::size_t queued = 0;
    for (const Node* node = head_.peek(); node != nullptr && node != armed(); node = node->older.peek()) ++queued;
    return queued;
  }

 private:
  const Node* armed() const { return reinterpret_cast<const Node*>(&armed_); }
  Node* armed() { return reinterpret_cast<Node*>(&armed_); }

  alignas(Node) char armed_ = 0;  // an address that no node has
  typename Platform::template atomic<Node*> head_{nullptr, "head"};
  typename Platform::event ready_{"data_ready"};
};

template <class Sink>
class TakeList {
 public:
  TakeList(const Bounds& bounds, Ledger& ledger) : items_(bounds.items), ledger_(ledger) {
    for (int producer = 0; producer < bounds.producers; ++producer) {
      for (int number = 0; number < bounds.items; ++number) {
        nodes_.emplace_back(Ledger::item(producer, number), Label("node", static_cast<int>(nodes_.size())));
      }
    }
  }

  void put(int producer, int item) {
    sink_.put(nodes_[static_cast<std::size_t>(producer * items_ + item % models::kMaxItems)]);
  }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) take_oldest_first(sink_.get());
  }
  void judge() {}
  Observation observe() const { return {sink_.peek_queued()}; }

 private:
  void take_oldest_first(typename Sink::Node* newest) {
    if (newest == nullptr) return;
    take_oldest_first(newest->older.get());
    ledger_.took(newest->item.get());
  }

  int items_;
  Ledger& ledger_;
  std::deque<typename Sink::Node> nodes_;
  Sink sink_;
};

const bool added[] = {
    add<TakeList, TaggedSink>({.name = "calibration/tagged_sink",
                               .story = "Queue and flag are one word, exchanged whole: nothing can fall in between."}),
    // Needed under RC11, where GenMC finds a lost wakeup from 1x2 and 2x1 without this edge.
    models::excuse("calibration/tagged_sink", "weaken link to release",
                   "the link that finds the word armed must come after the consumer's clear, or its set may be wiped "
                   "out; the model keeps one order of an event's operations, the one they ran in, and cannot show it"),
    models::excuse("calibration/tagged_sink", "weaken arm to acquire",
                   "the other half of the same edge, from the consumer's clear to the set of the put that finds the "
                   "word armed; the model cannot show it missing"),
    models::excuse("calibration/tagged_sink", "weaken arm to release",
                   "needless: the empty word that it replaces was written by the consumer itself; it stays because "
                   "the counts of the other checkers are of this order"),
};

}  // namespace
}  // namespace wakeproof
