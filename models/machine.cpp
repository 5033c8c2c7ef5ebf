// Machine: turns. Who goes on, when nobody can, and how an execution is left early.
#include "machine.hpp"

#include <algorithm>
#include <bit>

#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

namespace {

// Operations of destructors: when an execution is being left they do nothing, the next one throws.
constexpr bool must_not_throw(OpKind kind) {
  return kind == OpKind::unlock || kind == OpKind::close || kind == OpKind::notify_one || kind == OpKind::notify_all ||
         kind == OpKind::release;
}

// A thread that has done nothing else for so long is in a loop of them, which only a throw ends.
constexpr int kDestructors = 64;

// The C++ runtime keeps the exceptions being handled for each system thread; fibers share one.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};

}  // namespace

Machine Machine::only_;

bool Machine::take_turn(ObjectId id, OpKind kind, Order order, const Where& where, const Deadline& deadline,
                        ObjectId second) {
  if (alone_) return true;
  if (abandoned_) return leave_step(kind);
  use(id, where);
  if (second != kNoObject) use(second, where);
  const ThreadId me = current_;
  Thread& self = threads_[me];
  const Object& object = objects_[id];
  // Member by member, here and below: an Operation made elsewhere and copied is read back in wider
  // pieces than it was written in, and the processor waits for each.
  const auto announce = [&](Operation& operation) {
    operation.kind = kind;
    operation.order = order.value;
    operation.object = id;
    operation.conflict_class = object.conflict_class;
    operation.timed = deadline.has_value();
    operation.second_class = deadline ? clock_ : second;
  };
  announce(pending_[me]);
  self.where = where;
  if (deadline) {
    self.deadline = *deadline;
  } else {
    self.deadline.reset();
  }
  unannounced_ &= ~(1U << me);
  if (stock()) {
    stock_take_turn();
  } else {
    decided_ = decide();
    if (decided_ == me) {
      decided_ = kNobody;
    } else {
      switch_away();
    }
  }
  current_ = me;
  if (abandoned_) return leave_step(kind);
  taken_.thread = me;
  announce(taken_.op);
  taken_.ready_before = object.ready();
  taken_.overdue = overdue(me);
  taken_.due_since = taken_.overdue ? due_since(me) : -1;
  taken_.read_from = -1;
  taken_.failed = false;
  taken_.unlocks_next = false;
  if (run_.observer != nullptr) {
    detail_ = {};
    detail_.where = where;
    detail_.order = order;
    std::copy_n(rl::ctx().threadx_->acq_rel_order_, threads_total_, detail_.seen.seen);
  }
  step_open_ = true;
  passed_by_ = 0;
  ++steps_;
  if (run_.observer != nullptr) {
    const HostCode host(*this);
    run_.observer->step_begins(*this, me);
  }
  return true;
}

bool Machine::leave_step(OpKind kind) {
  if (!must_not_throw(kind) || ++threads_[current_].left_quietly > kDestructors) throw Abandoned{};
  return false;
}

void Machine::switch_away() {
  auto* globals = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
  const ExceptionState mine = *globals;
  const int my_depth = host_depth_;
  host_depth_ = 0;
  *globals = {};
  rl::ctx().sched();
  *globals = mine;
  host_depth_ = my_depth;
}

// Called by Relacy, after switch_away() and when a thread has finished.
ThreadId Machine::next_thread() {
  if (decided_ == kNobody) decided_ = decide();
  current_ = std::exchange(decided_, kNobody);
  return current_;
}

void Machine::hand_in_step() {
  if (!step_open_) return;
  step_open_ = false;
  const Operation& next = pending_[taken_.thread];
  taken_.unlocks_next =
      taken_.op.kind == OpKind::lock && next.kind == OpKind::unlock && next.object == taken_.op.object;
  spin_watch_.step(taken_);
  if (run_.strategy != nullptr) run_.strategy->taken(taken_);
  if (run_.observer != nullptr) run_.observer->step_done(*this, taken_, detail_);
}

ThreadId Machine::decide() {
  const HostCode host(*this);
  hand_in_step();
  // A thread that has not reached its first operation runs to it: nothing it does can be seen.
  if (unannounced_ != 0) return std::countr_zero(unannounced_);
  if (!abandoned_ && steps_ >= run_.max_steps) took_too_long();
  if (!abandoned_) {
    Situation situation{enabled_mask(), unfinished_, current_, pending_};
    while ((situation.enabled == 0 || silent_) && let_time_pass()) situation.enabled = enabled_mask();
    if (situation.enabled == 0) {
      nobody_can_go_on(situation);
    } else {
      const ThreadId chosen = run_.strategy->choose_thread(situation);
      if (chosen != kNobody) return chosen;
      strategy_stops();
    }
  }
  return std::countr_zero(unfinished_);
}

unsigned Machine::enabled_mask() const {
  unsigned mask = 0;
  for (unsigned rest = unfinished_; rest != 0; rest &= rest - 1) {
    const ThreadId thread = std::countr_zero(rest);
    if (enabled(thread)) mask |= 1U << thread;
  }
  return mask;
}

void Machine::took_too_long() {
  leave(Ending::cut, Verdict::inconclusive, "an execution took more than " + std::to_string(run_.max_steps) + " steps");
}

void Machine::strategy_stops() {
  const std::string& differs = run_.strategy->nondeterminism();
  if (differs.empty()) {
    leave(Ending::redundant, Verdict::proved, {});
  } else {
    leave(Ending::cut, Verdict::inconclusive, differs);
  }
}

void Machine::nobody_can_go_on(const Situation& situation) {
  bool only_unstarted = true;
  for (ThreadId i = 0; i < threads_total_; ++i) {
    if (!finished(i) && pending_[i].kind != OpKind::begin) only_unstarted = false;
  }
  if (only_unstarted) {  // spare threads that the script did not need this time
    abandoned_ = true;
    return;
  }
  run_.strategy->stuck(situation);
  if (run_.observer != nullptr) run_.observer->nobody_goes_on(*this);
  const Finding finding = tell_stuck();
  leave(Ending::stuck, finding.verdict, finding.detail);
}

Finding Machine::tell_stuck() const {
  bool mutex_wanted = false;
  std::string who;
  for (ThreadId i = 0; i < threads_total_; ++i) {
    const Operation& pending = pending_[i];
    if (finished(i) || pending.kind == OpKind::begin) continue;
    const Object& object = objects_[pending.object];
    mutex_wanted |= pending.kind == OpKind::lock;
    if (!who.empty()) who += ", ";
    who += thread_name(i) + " waits for " + name(pending.object);
    if (pending.kind == OpKind::lock) who += " (held by " + thread_name(object.owner) + ")";
  }
  const Account account = script_->account();
  if (mutex_wanted || account.puts <= account.takes) return {Verdict::deadlock, who};
  const std::size_t left = account.puts - account.takes;
  return {Verdict::lost_wakeup,
          who + " for ever, while " + std::to_string(left) + (left == 1 ? " item is" : " items are") + " queued"};
}

// The same wait was passed twice; in between no other thread touched what this thread touched,
// and this thread changed nothing: it will go on like that.
void Machine::check_busy_spin(const void* wait) {
  Thread& self = threads_[current_];
  if (!alone_ && self.passed == wait && !self.changed) {
    const HostCode host(*this);
    if (!spin_watch_.disturbed(self.passed_at, taken_)) {
      fail(Verdict::busy_spin, thread_name(current_) + " passes the same wait again and again and nothing changes");
    }
  }
  self.passed = wait;
  self.passed_at = static_cast<std::size_t>(steps_ - 1);
  self.changed = false;
}

void Machine::wait_passed(const void* wait) {
  check_busy_spin(wait);
}

// The detail may lie in the script's memory, which ends with the execution: it is copied.
void Machine::leave(Ending ending, Verdict verdict, const std::string& detail) {
  const HostCode host(*this);
  abandoned_ = true;
  outcome_.ending = ending;
  if (!outcome_.finding && verdict != Verdict::proved) outcome_.finding = {verdict, std::string(detail)};
}

void Machine::fail(Verdict verdict, const std::string& detail) {
  leave(Ending::cut, verdict, detail);
  throw Abandoned{};
}

void Machine::used_after_its_end(ObjectId id, const Where& where) {
  fail(Verdict::use_after_free, name(id) + " is used after its end, in " + where.function_name());
}

std::string Machine::thread_name(ThreadId thread) const {
  if (thread == kNobody) return "nobody";
  if (thread < run_.program->threads) return run_.program->thread_names[static_cast<std::size_t>(thread)];
  return name(threads_[thread].start_object);
}

std::string Machine::name(ObjectId id) const {
  const Label& label = objects_[id].label;
  if (label.index < 0) return label.name;
  return std::string(label.name) + "[" + std::to_string(label.index) + "]";
}

unsigned Machine::choose_value(unsigned count) {
  const HostCode host(*this);
  return run_.strategy->choose_value(count);
}

// Asked by Relacy's load, from the newest store on.
bool Machine::read_older() {
  const HostCode host(*this);
  const AtomicCell& cell = *objects_[taken_.op.object].cell;
  const int candidate = cell.writers[(cell.newest - passed_by_) % kHistory];
  const int older = cell.writers[(cell.newest - passed_by_ - 1) % kHistory];
  const bool pass = run_.strategy->read_older(candidate, older);
  if (pass) ++passed_by_;
  return pass;
}

// --- Relacy's own schedulers -------------------------------------------------------------------

void Machine::stock_take_turn() {
  {
    const HostCode host(*this);
    hand_in_step();
  }
  switch_away();
  current_ = rl::ctx().threadx_->index_;
  Thread& self = threads_[current_];
  while (!enabled(current_)) {
    parked_ = true;
    self.parked = true;
    const auto reason = rl::ctx().park_current_thread(self.deadline.has_value(), false, false, {});
    current_ = rl::ctx().threadx_->index_;
    self.parked = false;
    if (reason == rl::unpark_reason_timeout && *self.deadline > now_) now_ = *self.deadline;
  }
}

void Machine::unpark_ready() {
  if (!parked_ || !stock() || alone_) return;
  for (ThreadId i = 0; i < threads_total_; ++i) {
    Thread& thread = threads_[i];
    if (thread.parked && enabled(i)) {
      thread.parked = false;
      rl::ctx().unpark_thread(i, false, {});
    }
  }
}

void Machine::stock_failure(bool deadlock, const char* what) {
  const HostCode host(*this);
  const Finding finding = deadlock ? tell_stuck() : Finding{Verdict::assertion_failed, what};
  leave(deadlock ? Ending::stuck : Ending::cut, finding.verdict, finding.detail);
}

}  // namespace wakeproof::models
