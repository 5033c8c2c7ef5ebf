// Ledger: what a hand-off's script writes down of puts and takes, and the verdict it comes to.
//
//   putting(p), has_put(p)   producer p   before and after each put
//   took(item)               the consumer
//   check(ok, what)          any thread   a fact that must hold; a false one is kept, the script goes on
//   verdict()                at the end
//
// Not part of what is checked: it is no scheduling point, orders nothing, and works on real threads.
#pragma once

#include <atomic>
#include <mutex>
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
      : bounds_(bounds), kind_(kind), next_(static_cast<std::size_t>(bounds.producers), 0) {}

  static int item(int producer, int number) { return producer * kMaxItems + number; }
  int expected() const { return bounds_.producers * bounds_.items; }
  int taken() const { return static_cast<int>(takes_); }

  void putting() { add(in_put_, 1); }
  void has_put() {
    add(puts_, 1);
    add(in_put_, -1);
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

  // A wait gave up. Items that were put by then, with nobody in the middle of a put, are a lost wakeup.
  void gave_up() {
    if (kind_ != Kind::model || in_put_ > 0 || puts_ <= takes_) return;
    note(Verdict::lost_wakeup, "the wait gave up while " + std::to_string(puts_ - takes_) + " items were queued");
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

  // As check(), of what holds at a moment: on real threads it may be over by now.
  void check_moment(bool ok, const char* what) {
    if (kind_ == Kind::model) check(ok, what);
  }

  Account account() const { return {puts_, takes_}; }

  bool has_finding() const {
    const std::lock_guard lock(finding_lock_);
    return static_cast<bool>(finding_);
  }

  Finding verdict() {
    const std::lock_guard lock(finding_lock_);
    if (finding_) return finding_;
    for (std::size_t producer = 0; producer < next_.size(); ++producer) {
      if (next_[producer] != bounds_.items) {
        return {Verdict::item_lost, "producer " + std::to_string(producer) + ": " + std::to_string(next_[producer]) +
                                        " of " + std::to_string(bounds_.items) + " items arrived"};
      }
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
  std::vector<int> next_;  // the number expected next, by producer; the consumer's own
  std::size_t takes_ = 0;  // the consumer's own
  std::atomic<std::size_t> puts_{0};
  std::atomic<int> in_put_{0};
  std::atomic<std::size_t> rings_{0};
  mutable std::mutex finding_lock_;
  Finding finding_;
};

}  // namespace wakeproof::models
