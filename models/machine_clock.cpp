// Machine: virtual time. The idle clock, which passes only when nothing else can happen, and the free one.
//
// The free clock is a thread of its own. Each of its steps lets a millisecond pass; they are chosen like
// any other thread's, so one may come at any moment. Who looks at the clock, or waits with a deadline, is
// ordered with them. Where only a deadline can help and ticks are left, there are two ways to go on: a tick,
// or silence until the nearest deadline, as under the idle clock.
#include <algorithm>

#include "machine.hpp"
#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

Deadline Machine::nearest_deadline() const {
  Deadline nearest;
  for (ThreadId i = 0; i < threads_total_; ++i) {
    const Thread& thread = threads_[i];
    if (finished(i) || !may_block(pending_[i].kind) || !thread.deadline) continue;
    if (!nearest || *thread.deadline < *nearest) nearest = thread.deadline;
  }
  return nearest;
}

// Under the idle clock a timed wait would hide every lost wakeup if time could pass before everything else
// has come to rest. False: it would help nobody.
bool Machine::let_time_pass() {
  const Deadline nearest = nearest_deadline();
  if (!nearest) return false;
  silent_ = false;
  ticked_.clear();
  spin_watch_.time_passes();
  run_.strategy->time_passes({0, unfinished_, current_, pending_});
  // Whatever the timeout does to hide it: the consumer sleeps, nobody is about to wake it.
  const Account account = script_->account();
  if (account.puts > account.takes && !outcome_.finding) {
    const std::size_t left = account.puts - account.takes;
    outcome_.finding = {Verdict::lost_wakeup, "only the timeout ends a wait while " + std::to_string(left) +
                                                  (left == 1 ? " item is queued" : " items are queued")};
  }
  now_ = *nearest;
  const auto due = script_->due();
  if (due && now_ > *due && !outcome_.finding) {
    outcome_.finding = {Verdict::deadline_missed,
                        "a call sleeps past its deadline, by " + std::to_string((now_ - *due) / kTick) + " ms"};
  }
  if (run_.observer != nullptr) run_.observer->time_passed(*this);
  return true;
}

// Whether silence is possible is the same in all executions of a graph: it is there when all others have
// come to rest, whatever the order in which they did.
void Machine::run_clock() {
  const Where here = Where::current();
  for (int left = run_.program->ticks; left > 0;) {
    take_turn(clock_, OpKind::tick, std::memory_order_relaxed, here);
    const bool all_wait = (enabled_mask() & ~(1U << current_)) == 0 && nearest_deadline();
    silent_ = all_wait && !stock() && rl::ctx().rand(2, rl::sched_type_user) == 1;
    taken_.failed = silent_;
    if (silent_) continue;
    --left;
    now_ += kTick;
    const HostCode host(*this);
    ticked_.emplace_back(steps_ - 1, now_);
  }
}

// The step whose tick let the thread's deadline pass.
int Machine::due_since(ThreadId thread) const {
  const auto passed = [&](const auto& tick) { return tick.second >= *threads_[thread].deadline; };
  const auto first = std::find_if(ticked_.begin(), ticked_.end(), passed);
  if (first == ticked_.end()) return -1;
  const bool before = first == ticked_.begin() && first->second - kTick >= *threads_[thread].deadline;
  return before ? -1 : first->first;
}

VirtualTime Machine::look_at_clock(const Where& where) {
  if (clock_ != kNoObject) take_turn(clock_, OpKind::now, std::memory_order_relaxed, where);
  return now_;
}

}  // namespace wakeproof::models
