// several_consumers/*: two consumers, on two threads or two loops, share what is put.
//
// Each takes its share and then stays away, as one does that is busy for long: nobody may count on it.
#include "group.hpp"
#include "models/handoff.hpp"
#include "sink/event_wake.hpp"
#include "sink/loop_wake.hpp"
#include "sink/output_sink.hpp"

namespace wakeproof {
namespace {

template <Platform P>
using GroupOfThreads = ConsumerGroup<P, int, EventWake<P>>;
template <Platform P>
using GroupOfLoops = ConsumerGroup<P, int, LoopWake<P>>;

// What happens when two threads call get_batch() of one sink.
template <Platform P>
class OneFlag {
 public:
  using platform = P;
  static constexpr bool kOnLoop = false;

  explicit OneFlag(int) {}
  void put(int item) { sink_.put(item); }
  std::vector<int> get_batch(int, std::size_t max_items) { return sink_.get_batch(max_items); }
  std::size_t peek_queued() const { return sink_.observe().queued; }

 private:
  OutputSink<P, int, EventWake<P>> sink_;
};

template <class Group>
class TakeShares {
 public:
  TakeShares(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), group_(2), max_items_(static_cast<std::size_t>(bounds.max_items)) {
    if constexpr (Group::kOnLoop) {
      for (int i = 0; i < 2; ++i) group_.bind_loop(i, loops_[i]);
    }
  }

  void put(int, int item) { group_.put(item); }
  void consumer() {
    const auto all = static_cast<std::size_t>(ledger_.expected());
    typename Group::platform::thread other("other consumer", [this, all] { take(1, all / 2); });
    take(0, all - all / 2);
    other.join();
  }
  void judge() {}
  Observation observe() const { return {group_.peek_queued()}; }

 private:
  struct NoLoop {};
  template <class P, bool kOnLoop>
  struct LoopOf {
    using type = NoLoop;
  };
  template <class P>
  struct LoopOf<P, true> {
    using type = EventLoop<P>;
  };

  void take(int who, std::size_t share) {
    if constexpr (Group::kOnLoop) {
      loops_[who].run_until_complete(take_on_loop(who, share));
    } else {
      while (share > 0) share -= told(group_.get_batch(who, std::min(share, max_items_)));
    }
  }
  Task<bool> take_on_loop(int who, std::size_t share) {
    while (share > 0) {
      const std::vector<int> batch = co_await group_.get_batch(who, std::min(share, max_items_));
      share -= told(batch);
    }
    co_return true;
  }
  std::size_t told(const std::vector<int>& batch) {
    for (const int item : batch) ledger_.took_by_any(item);
    return batch.size();
  }

  Ledger& ledger_;
  typename LoopOf<typename Group::platform, Group::kOnLoop>::type loops_[2];
  Group group_;
  std::size_t max_items_;
};

constexpr const char* kLoop = "of the event loop, not of the sink: see the audit of output_sink/loop";

const bool added[] = {
    add<TakeShares, GroupOfThreads>({.name = "several_consumers/correct",
                                     .story = "A flag and an event for each consumer: whoever sleeps is woken.",
                                     .spare_threads = 1}),
    add<TakeShares, OneFlag>({.name = "several_consumers/one_flag",
                              .story = "Two consumers of one sink, with one flag and one event: a put finds the flag "
                                       "raised for the one who stays away, or its ring is wiped out by the other, and "
                                       "a consumer sleeps on items.",
                              .expected = Verdict::lost_wakeup,
                              .fails_from = {{1, 2}, {2, 1}},
                              .spare_threads = 1}),
    add<TakeShares, GroupOfThreads>({.name = "several_consumers/missing_second_drain",
                                     .story = "A consumer sleeps after arming without looking again.",
                                     .expected = Verdict::lost_wakeup,
                                     .mutations = {models::skip("second_drain")},
                                     .spare_threads = 1}),
    add<TakeShares, GroupOfThreads>({.name = "several_consumers/check_flags_before_append",
                                     .story = "Everybody is woken before the item is there.",
                                     .expected = Verdict::lost_wakeup,
                                     .mutations = {models::swap("append", "notify_all")},
                                     .sizes = {{1, 1}, {1, 2}},  // twice as many puts apart: a minute
                                     .spare_threads = 1}),
    add<TakeShares, GroupOfLoops>({.name = "several_consumers/loop/correct",
                                   .story = "Two coroutines on two loops, each with its flag and its callback.",
                                   .sizes = {{1, 1}, {1, 2}},
                                   .spare_threads = 1}),
    models::excuse("several_consumers", "skip claim_wake",
                   "every put rings everybody then, and setting an event twice is setting it once; the claim saves "
                   "the rings"),
    models::excuse("several_consumers", "swap claim_wake and ring", "as without the claim, every put rings everybody"),
    models::excuse("several_consumers", "skip drain",
                   "the second drain takes whatever the first would have; the first saves the arming"),
    models::excuse("several_consumers", "swap drain and clear_event",
                   "a ring that is cleared too early announced an item that the second drain finds, if nobody else "
                   "has taken it (P6b)"),
    models::excuse("several_consumers", "swap post and write_byte", kLoop),
    models::excuse("several_consumers", "swap empty_pipe and collect", kLoop),
};

}  // namespace
}  // namespace wakeproof
