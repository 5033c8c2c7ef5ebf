// Ledger: what a hand-off's script writes down of puts and takes, and the verdict it comes to.
//
//   putting(p), has_put(p)   producer p   before and after each put
//   refused(item)            producer p   before has_put: its put said so, as those of all later ones must
//   took(item)               the consumer
//   took_by_any(item)        any thread   instead, where several consumers share the items, in whatever order
//   check(ok, what)          any thread   a fact that must hold; a false one is kept, the script goes on
//   check_deadline(ok, what) any thread   a wait that ended in time; on real threads nothing is promised of that
//   is_to_end_by(deadline)   the consumer, in a call: nobody sleeps past its first deadline; ends_in_time() after it
//   verdict()                at the end
//
// Not part of what is checked: it is no scheduling point, orders nothing, and works on real threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "script.hpp"

namespace wakeproof::models {

class Ledger {
 public:
  // On the model nothing runs between two of a thread's steps, so that also a moment can be judged.
  enum class Kind { model, threads };

  Ledger(const Bounds& bounds, Kind kind)
      : bounds_(bounds),
        kind_(kind),
        next_(static_cast<std::size_t>(bounds.producers), 0),
        owed_(static_cast<std::size_t>(bounds.producers), bounds.items) {}

  static int item(int producer, int number) { return producer * kMaxItems + number; }
  int expected() const { return bounds_.producers * bounds_.items; }
  int taken() const { return static_cast<int>(takes_); }

  void putting() { add(in_put_, 1); }
  void has_put() {
    add(puts_, 1);
    add(in_put_, -1);
  }

  void refused(int item) {
    int& owed = owed_[static_cast<std::size_t>(item / kMaxItems)];
    owed = std::min(owed, item % kMaxItems);
    add(refusals_, 1);
  }

  void took(int item) {
    ++takes_;
    const auto producer = static_cast<std::size_t>(item / kMaxItems);
    if (producer >= next_.size()) return note(Verdict::assertion_failed, "an item that nobody put");
    const int number = item % kMaxItems;
    int& next = next_[producer];
    if (number < next) {
      note(Verdict::item_duplicated, name(item) + " was taken again, or after a later one");
    } else if (number > next) {
      note(Verdict::order_violated, name(item) + " was taken before item " + std::to_string(next));
    }
    next = number + 1;
  }

  void took_by_any(int item) {
    const auto producer = static_cast<std::size_t>(item / kMaxItems);
    const std::lock_guard lock(shared_lock_);
    ++takes_;
    if (producer >= next_.size()) return note(Verdict::assertion_failed, "an item that nobody put");
    if (!shared_.insert(item).second) return note(Verdict::item_duplicated, name(item) + " was taken again");
    ++next_[producer];
  }

  // A wait gave up. Items that were put by then, with nobody in the middle of a put, are a lost wakeup.
  void gave_up() {
    const auto [puts, takes] = account();
    if (kind_ != Kind::model || in_put_ > 0 || puts <= takes) return;
    note(Verdict::lost_wakeup, "the wait gave up while " + std::to_string(puts - takes) + " items were queued");
  }

  void rang() { add(rings_, 1); }
  std::size_t rings() const { return rings_; }

  // After the last put: no cycle may have rung twice.
  void check_wakes(std::size_t cycles) {
    if (rings_ <= cycles) return;
    note(Verdict::excess_wakeups,
         std::to_string(rings_) + " wakes in " + std::to_string(cycles) + (cycles == 1 ? " cycle" : " cycles"));
  }

  void check(bool ok, const char* what) {
    if (!ok) note(Verdict::assertion_failed, what);
  }

  // A wait that was to end by now.
  void check_deadline(bool kept, const char* what) {
    if (!kept && kind_ == Kind::model) note(Verdict::deadline_missed, what);
  }

  template <class TimePoint>
  void is_to_end_by(TimePoint deadline) {
    if (kind_ == Kind::model && !due_) due_ = deadline.time_since_epoch();
  }
  void ends_in_time() { due_.reset(); }
  std::optional<std::chrono::nanoseconds> due() const { return due_; }

  // As check(), of what holds at a moment: on real threads it may be over by now.
  void check_moment(bool ok, const char* what) {
    if (kind_ == Kind::model) check(ok, what);
  }

  // Where a put is refused, it is out of the count before it is in it, for no longer than a call takes.
  Account account() const {
    const std::size_t puts = puts_;
    const std::size_t refusals = refusals_;
    return {puts > refusals ? puts - refusals : 0, takes_};
  }

  bool has_finding() const {
    const std::lock_guard lock(finding_lock_);
    return static_cast<bool>(finding_);
  }

  Finding verdict() {
    const std::lock_guard lock(finding_lock_);
    if (finding_) return finding_;
    for (std::size_t producer = 0; producer < next_.size(); ++producer) {
      const int arrived = next_[producer];
      const int owed = owed_[producer];
      if (arrived == owed) continue;
      if (arrived > owed && owed < bounds_.items) {
        return {Verdict::assertion_failed, "an item arrived whose put, or an earlier one, was refused"};
      }
      return {Verdict::item_lost, "producer " + std::to_string(producer) + ": " + std::to_string(arrived) + " of " +
                                      std::to_string(owed) + " items arrived"};
    }
    return {};
  }

 private:
  static std::string name(int item) {
    return "item " + std::to_string(item % kMaxItems) + " of producer " + std::to_string(item / kMaxItems);
  }

  // The model's threads are fibers of one thread: they need no read-modify-write, which is dear.
  template <class Count>
  void add(std::atomic<Count>& count, int change) {
    const auto by = static_cast<Count>(change);
    if (kind_ == Kind::threads) {
      count.fetch_add(by, std::memory_order_relaxed);
    } else {
      count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
    }
  }

  void note(Verdict verdict, std::string detail) {
    const std::lock_guard lock(finding_lock_);
    if (!finding_) finding_ = {verdict, std::move(detail)};
  }

  const Bounds bounds_;
  const Kind kind_;
  std::vector<int> next_;  // the number expected next, or how many came, by producer; the consumers' own
  std::vector<int> owed_;  // how many are to arrive, by producer; the producer's own
  std::size_t takes_ = 0;  // the consumers' own
  std::optional<std::chrono::nanoseconds> due_;  // the consumer's own
  std::atomic<std::size_t> puts_{0};
  std::atomic<std::size_t> refusals_{0};
  std::atomic<int> in_put_{0};
  std::atomic<std::size_t> rings_{0};
  std::mutex shared_lock_;
  std::set<int> shared_;  // what several consumers took
  mutable std::mutex finding_lock_;
  Finding finding_;
};

}  // namespace wakeproof::models
