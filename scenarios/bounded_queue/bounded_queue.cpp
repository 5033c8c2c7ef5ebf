// bounded_queue/*: threads that wait for room on one side, one consumer that waits for items on the other.
#include "sink/bounded_queue.hpp"

#include "models/handoff.hpp"
#include "one_condition.hpp"
#include "sink/event_wake.hpp"
#include "sink/loop_wake.hpp"

namespace wakeproof {
namespace {

using models::skip;
using models::swap;

template <Platform P>
using Bounded = BoundedQueue<P, int, EventWake<P>>;
template <Platform P>
using BoundedOnLoop = BoundedQueue<P, int, LoopWake<P>>;

// One item at a time through a queue that holds one.
template <class Queue>
class TakeEach {
 public:
  TakeEach(const Bounds&, Ledger& ledger) : ledger_(ledger), queue_(1) {}

  void put(int, int item) {
    ledger_.check(queue_.put(item) == PutResult::delivered, "a put without a timeout is delivered");
  }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) took(queue_.take());
  }
  void judge() {}
  Observation observe() const { return {queue_.peek_size()}; }

 protected:
  void took(const std::optional<int>& item) {
    ledger_.check(item.has_value(), "a take without a timeout has an item");
    if (item) ledger_.took(*item);
  }

  Ledger& ledger_;
  Queue queue_;
};

template <class Queue>
class TakeEachOnLoop : public TakeEach<Queue> {
 public:
  TakeEachOnLoop(const Bounds& bounds, Ledger& ledger) : TakeEach<Queue>(bounds, ledger) {
    this->queue_.bind_loop(loop_);
  }

  void consumer() { loop_.run_until_complete(take_all()); }

 private:
  Task<bool> take_all() {
    while (this->ledger_.taken() < this->ledger_.expected()) this->took(co_await this->queue_.take());
    co_return true;
  }

  EventLoop<typename Queue::platform> loop_;
};

// The consumer closes the queue, at any time for those who put, and takes to the end: a put that waits is refused.
template <class Queue>
class CloseAtOnce : public TakeEach<Queue> {
 public:
  using TakeEach<Queue>::TakeEach;

  void put(int, int item) {
    if (this->queue_.put(item) == PutResult::closed) this->ledger_.refused(item);
  }
  void consumer() {
    this->queue_.close();
    while (const std::optional<int> item = this->queue_.take()) this->ledger_.took(*item);
    this->ledger_.check(this->queue_.ended(), "without a timeout, nothing comes only at the end");
  }
};

// The first producer closes after its last put, while the consumer may be waiting.
template <class Queue>
class CloseAfterLast : public CloseAtOnce<Queue> {
 public:
  CloseAfterLast(const Bounds& bounds, Ledger& ledger)
      : CloseAtOnce<Queue>(bounds, ledger), last_(Ledger::item(0, bounds.items - 1)) {}

  void put(int producer, int item) {
    CloseAtOnce<Queue>::put(producer, item);
    if (item == last_) this->queue_.close();
  }
  void consumer() {
    while (const std::optional<int> item = this->queue_.take()) this->ledger_.took(*item);
  }

 private:
  int last_;
};

// With two producers no more than one waits when the last item is taken, and that take notifies it.
const std::vector<Bounds> kThreeWaiting{{1, 1}, {1, 2}, {2, 1}, {3, 1}};

constexpr const char* kLoop = "of the event loop, not of the queue: see the audit of output_sink/loop";

const bool added[] = {
    add<TakeEach, Bounded>({.name = "bounded_queue/correct",
                            .story = "Looking and sleeping are one critical section on either side, and each side has "
                                     "a bell of its own."}),
    add<TakeEach, Bounded>({.name = "bounded_queue/room_not_notified",
                            .story = "A take makes room and tells nobody: a put waits for ever.",
                            .expected = Verdict::deadlock,
                            .fails_from = {{1, 2}, {2, 1}},
                            .mutations = {skip("notify_room")}}),
    add<TakeEach, Bounded>({.name = "bounded_queue/ring_before_append",
                            .story = "The bell comes before the append, which finds the consumer armed too late.",
                            .expected = Verdict::lost_wakeup,
                            .mutations = {swap("append", "ring")}}),
    add<TakeEach, Bounded>({.name = "bounded_queue/item_not_notified",
                            .story = "An append rings for nobody.",
                            .expected = Verdict::lost_wakeup,
                            .mutations = {skip("ring")}}),
    add<TakeEach, OneCondition>({.name = "bounded_queue/one_condition",
                                 .story = "Both sides wait on one condition and wake one: a put wakes another put, and "
                                          "the consumer sleeps on a full queue.",
                                 .expected = Verdict::lost_wakeup,
                                 .fails_from = {{2, 1}}}),
    add<CloseAtOnce, Bounded>({.name = "bounded_queue/close_while_full",
                               .story = "The consumer closes the queue while a put waits for room: it is refused, "
                                        "and says so.",
                               .sizes = kThreeWaiting,
                               .tags = {"closing"}}),
    add<CloseAtOnce, Bounded>({.name = "bounded_queue/close_leaves_waiting",
                               .story = "The queue is closed and those who wait for room are not told: "
                                        "the last take wakes one of them.",
                               .expected = Verdict::deadlock,
                               .fails_from = {{3, 1}},
                               .mutations = {skip("refuse_waiting")},
                               .sizes = kThreeWaiting,
                               .tags = {"closing"}}),
    add<CloseAfterLast, Bounded>({.name = "bounded_queue/close_while_empty",
                                  .story = "A producer closes the queue after its last put: a consumer that waits "
                                           "finds the end.",
                                  .tags = {"closing"}}),
    add<CloseAfterLast, Bounded>({.name = "bounded_queue/close_does_not_wake",
                                  .story = "The queue is closed and the consumer that waits is not told.",
                                  .expected = Verdict::deadlock,
                                  .mutations = {skip("ring_for_end")},
                                  .tags = {"closing"}}),
    add<TakeEachOnLoop, BoundedOnLoop>({.name = "bounded_queue/loop/correct",
                                        .story = "The consumer is a coroutine on a loop; producers wait for room."}),
    models::excuse("bounded_queue", "swap take and clear_event",
                   "whoever rings next finds the consumer armed first, and it is armed under the lock that both are "
                   "in; a ring that is cleared too early announced what the take then finds"),
    models::excuse("bounded_queue", "swap clear_event and arm",
                   "both are in one critical section, and nobody rings who has not found it armed there"),
    models::excuse("bounded_queue", "swap refuse_waiting and ring_for_end",
                   "they are for two sides that wait for nothing of each other once the end is there"),
    models::excuse("bounded_queue", "swap post and write_byte", kLoop),
    models::excuse("bounded_queue", "swap empty_pipe and collect", kLoop),
};

}  // namespace
}  // namespace wakeproof
