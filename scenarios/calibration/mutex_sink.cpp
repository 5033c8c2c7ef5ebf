// calibration/mutex_sink: the sink that the numbers of every checker are compared on.
//
// Only the lock, unlock, set, clear and wait operations are visible steps, in exactly this order;
// the counts of executions are asserted in models/search/calibration_test.cpp.
#include <vector>

#include "models/handoff.hpp"

namespace wakeproof {
namespace {

template <class Platform>
class MutexSink {
 public:
  using platform = Platform;

  explicit MutexSink(std::size_t capacity) : queue_(std::vector<int>(capacity), "queue") {}

  void put(int item) {
    Platform::run(step("append", [&] { append(item); }),  //
                  step("notify", [&] { notify(); }));
  }

  // Copies everything to `out`, as large as the capacity, waiting until there is something.
  std::size_t get(std::vector<int>& out) {
    std::size_t taken = 0;
    while (!take_or_arm(out, taken)) ready_.wait();
    return taken;
  }

  // For observers, while nothing runs.
  std::size_t peek_queued() const { return tail_.peek() - head_.peek(); }

 private:
  void append(int item) {
    typename Platform::lock_guard lock(queue_lock_);
    const std::size_t tail = tail_.get();
    queue_.write()[tail] = item;  // never taken back: as large as all items
    tail_.set(tail + 1);
  }

  void notify() {
    bool wake = false;
    {
      typename Platform::lock_guard lock(flag_lock_);
      wake = !flag_.get();
      if (wake) {
        flag_.set(true);
        wakes_.set(wakes_.get() + 1);
      }
    }
    if (wake) ready_.set();
  }

  bool take_or_arm(std::vector<int>& out, std::size_t& taken) {
    return Platform::run(step("drain", [&] { return drain(out, taken); }), step("arm", [&] { arm(); }),  //
                         step("second_drain", [&] { return drain(out, taken); }));
  }

  void arm() {
    ready_.clear();
    typename Platform::lock_guard lock(flag_lock_);
    flag_.set(false);
  }

  bool drain(std::vector<int>& out, std::size_t& taken) {
    typename Platform::lock_guard lock(queue_lock_);
    std::size_t head = head_.get();
    const std::size_t tail = tail_.get();
    for (taken = 0; head != tail; ++head) out[taken++] = queue_.read()[head];
    head_.set(head);
    return taken > 0;
  }

  typename Platform::mutex queue_lock_{"queue_lock"};
  typename Platform::template plain<std::vector<int>> queue_;
  typename Platform::template plain<std::size_t> head_{0, "head"};
  typename Platform::template plain<std::size_t> tail_{0, "tail"};
  typename Platform::mutex flag_lock_{"flag_lock"};
  typename Platform::template plain<bool> flag_{false, "wake_in_flight"};
  typename Platform::template plain<int> wakes_{0, "wakeups_scheduled"};
  typename Platform::event ready_{"data_ready"};
};

template <class Sink>
class TakeAll {
 public:
  TakeAll(const Bounds&, Ledger& ledger) : ledger_(ledger), sink_(static_cast<std::size_t>(ledger.expected())) {}

  void put(int, int item) { sink_.put(item); }
  void consumer() {
    std::vector<int> items(static_cast<std::size_t>(ledger_.expected()));
    while (ledger_.taken() < ledger_.expected()) {
      const std::size_t taken = sink_.get(items);
      for (std::size_t i = 0; i < taken; ++i) ledger_.took(items[i]);
    }
  }
  void judge() {}
  Observation observe() const { return {sink_.peek_queued()}; }

 private:
  Ledger& ledger_;
  Sink sink_;
};

const bool added[] = {
    add<TakeAll, MutexSink>({.name = "calibration/mutex_sink",
                             .story = "Queue, flag and event of the batching sink, in as few steps as possible."}),
    add<TakeAll, MutexSink>({.name = "calibration/mutex_sink_wake_first",
                             .story = "Check-and-set and event come before the append (M1).",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {models::swap("append", "notify")}}),
    add<TakeAll, MutexSink>({.name = "calibration/mutex_sink_no_second_drain",
                             .story = "The consumer sleeps after arming without looking again (M2).",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {models::skip("second_drain")}}),
};

}  // namespace
}  // namespace wakeproof
