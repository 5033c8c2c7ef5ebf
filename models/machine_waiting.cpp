// Machine: condition variables, waiting on atomics, semaphores. Like everything in
// machine_blocking.cpp: nothing parks, and a clock holds just what the promise says is seen.
//
// A wait for a notification is two steps. The first makes the thread one of those `waiting` (a
// condition variable's gives the mutex back in the same step); the second, end_wait, can be taken
// once the thread is `notified`, or `spurious`, or overdue. No clock is touched by either, nor by a
// notification: it is the mutex, or the value read, that orders.
#include <bit>

#include "machine.hpp"
#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

// --- notifications -------------------------------------------------------------------------------

// Of an atomic, C++20 promises a wake only to a wait that blocks on an older store than one that
// happens before the notification ([atomics.wait]/4); this is the newest such store.
unsigned Machine::newest_known_store(const AtomicCell& cell) const {
  const std::size_t* seen = rl::ctx().threadx_->acq_rel_order_;
  for (unsigned back = 0;; ++back) {
    const unsigned index = (cell.newest + kHistory - back) % kHistory;
    const ThreadId by = cell.stored_by[index];
    if (by == kNobody || seen[by] >= cell.stamps[index]) return cell.stores - 1 - back;
  }
}

void Machine::notify(ObjectId id, bool all, const Where& where) {
  if (!take_turn(id, all ? OpKind::notify_all : OpKind::notify_one, std::memory_order_relaxed, where)) return;
  Object& object = objects_[id];
  unsigned eligible = object.waiting & ~static_cast<unsigned>(object.notified);
  unsigned known = 0;
  if (object.kind == ObjectKind::atomic) {
    known = newest_known_store(*object.cell);
    for (ThreadId i = 0; i < threads_total_; ++i) {
      if (threads_[i].awaits >= known) eligible &= ~(1U << i);
    }
    // Nothing says that the wait must have blocked before: one that comes to read a store older than
    // `known` later is woken as well, unless this notification has woken another.
    if (all || eligible == 0) object.notified_store = std::max(object.notified_store, known);
  }
  if (eligible == 0) return;
  if (!all) {
    const auto count = static_cast<unsigned>(std::popcount(eligible));
    for (unsigned skip = count == 1 ? 0 : rl::ctx().rand(count, rl::sched_type_user); skip > 0; --skip) {
      eligible &= eligible - 1;
    }
    eligible &= -eligible;
  }
  for (ThreadId i = 0; i < threads_total_; ++i) {
    if ((eligible >> i & 1U) != 0) threads_[i].wait_floor = known;
  }
  object.notified |= static_cast<std::uint8_t>(eligible);
  changed();
  unpark_ready();
}

// --- waiting on an atomic ------------------------------------------------------------------------

// No spurious wake is tried: a wait that wakes and reads another value shows nothing that one which
// begins later does not, and one that reads the old value goes on waiting.
void Machine::await_change(ObjectId id, Word old, Order order, const Where& where) {
  order = effective(order, OrderUse::load);
  threads_[current_].wait_floor = 0;
  while (!await_once(id, old, order, where)) {
    take_turn(id, OpKind::end_wait, std::memory_order_relaxed, where);
    stop_waiting(objects_[id]);
  }
}

void Machine::stop_waiting(Object& object) {
  const auto others = static_cast<std::uint8_t>(~(1U << current_));
  object.waiting &= others;
  object.notified &= others;
  object.spurious &= others;
}

// --- condition variable --------------------------------------------------------------------------

bool Machine::condition_wait(ObjectId id, ObjectId mutex, const Deadline& deadline, const Where& where) {
  if (alone_) return true;
  Object& condition = objects_[id];
  Object& held = objects_[mutex];
  if (!abandoned_ && held.owner != current_) {
    fail(Verdict::assertion_failed,
         thread_name(current_) + " waits on " + name(id) + " and does not hold " + name(mutex));
  }
  take_turn(id, OpKind::begin_wait, std::memory_order_release, where, {}, mutex);
  condition.waiting |= static_cast<std::uint8_t>(1U << current_);
  if (fails_for_no_reason(condition)) condition.spurious |= static_cast<std::uint8_t>(1U << current_);
  release_into(held.clock);
  held.owner = kNobody;
  changed();
  unpark_ready();

  take_turn(id, OpKind::end_wait, std::memory_order_relaxed, where, deadline);
  bool woken = condition.ready_for(current_);
  // Of a wait that was notified and is overdue too, the standard promises nothing but that it ends.
  if (woken && taken_.overdue && rl::ctx().rand(2, rl::sched_type_user) == 1) woken = false;
  taken_.failed = !woken;
  stop_waiting(condition);
  changed();
  lock(mutex, where);
  return woken;
}

// --- semaphore -----------------------------------------------------------------------------------

void Machine::release_permits(ObjectId id, unsigned count, const Where& where) {
  if (!take_turn(id, OpKind::release, std::memory_order_release, where)) return;
  Object& semaphore = objects_[id];
  semaphore.level += count;
  release_into(semaphore.clock);
  changed();
  unpark_ready();
}

bool Machine::acquire_permit(ObjectId id, const Deadline& deadline, const Where& where) {
  take_turn(id, OpKind::acquire, std::memory_order_acquire, where, deadline);
  return take_permit(objects_[id], true);
}

bool Machine::try_acquire_permit(ObjectId id, const Where& where) {
  take_turn(id, OpKind::try_acquire, std::memory_order_acquire, where);
  Object& semaphore = objects_[id];
  return take_permit(semaphore, semaphore.level > 0 && !fails_for_no_reason(semaphore));
}

bool Machine::take_permit(Object& semaphore, bool wanted) {
  const bool taken = wanted && semaphore.level > 0;
  taken_.failed = !taken;
  if (taken) {
    --semaphore.level;
    acquire(semaphore.clock);
  }
  if (taken || taken_.op.timed) changed();  // time went by
  return taken;
}

}  // namespace wakeproof::models
