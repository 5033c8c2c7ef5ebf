// Machine: mutexes, events, pipes, threads. Nothing here parks: what has to wait is not scheduled.
// What waits for a notification or a permit is in machine_waiting.cpp.
//
// Each object carries a clock of its own. It holds just what its promise in sink/platform.hpp says
// is seen, where Relacy's own event, for one, also publishes on reset.
#include "machine.hpp"
#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

namespace {
constexpr unsigned kPipeCapacity = 2;  // small, so that a full pipe is within reach
}

// Own steps count in a thread's clock, as in rl::sync_var: later ones are told from earlier ones.
std::size_t* Machine::relacy_clock() {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  thread.own_acq_rel_order_ += 1;
  return thread.acq_rel_order_;
}

void Machine::acquire(Clock& clock) {
  std::size_t* seen = relacy_clock();
  for (int i = 0; i < threads_total_; ++i) seen[i] = std::max(seen[i], clock.seen[i]);
}

void Machine::release_into(Clock& clock) {
  const std::size_t* seen = relacy_clock();
  for (int i = 0; i < threads_total_; ++i) clock.seen[i] = std::max(clock.seen[i], seen[i]);
}

// What the standard allows to happen for no reason; once a thread and object, or a loop that tries
// again would never end.
bool Machine::fails_for_no_reason(Object& object) {
  const unsigned mine = 1U << current_;
  if (alone_ || (object.failed_spuriously & mine) != 0 || rl::ctx().rand(2, rl::sched_type_user) == 0) return false;
  object.failed_spuriously |= mine;
  return true;
}

// --- mutex ---------------------------------------------------------------------------------------

void Machine::lock(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::lock, std::memory_order_acquire, where)) return;
  Object& object = objects_[id];
  object.owner = current_;
  acquire(object.clock);
}

bool Machine::try_lock(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::try_lock, std::memory_order_acquire, where)) return false;
  Object& object = objects_[id];
  const bool taken = object.owner == kNobody && !fails_for_no_reason(object);
  taken_.failed = !taken;
  if (taken) {
    object.owner = current_;
    acquire(object.clock);
  }
  return taken;
}

void Machine::unlock(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::unlock, std::memory_order_release, where)) return;
  Object& object = objects_[id];
  release_into(object.clock);
  object.owner = kNobody;
  unpark_ready();
}

// --- event -----------------------------------------------------------------------------------------

void Machine::set(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::set, std::memory_order_release, where)) return;
  Object& object = objects_[id];
  if (object.level == 0) changed();
  object.level = 1;
  release_into(object.clock);
  unpark_ready();
}

void Machine::clear(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::clear, std::memory_order_relaxed, where)) return;
  Object& object = objects_[id];
  if (object.level != 0) changed();
  object.level = 0;
  object.clock = {};  // a set that was cleared is consumed by no wait
}

bool Machine::wait(ObjectId id, const Deadline& deadline, const Where& where) {
  if (!take_turn(id, OpKind::wait, std::memory_order_acquire, where, deadline)) return false;
  Object& object = objects_[id];
  if (object.level == 0) {
    taken_.failed = true;
    changed();  // time went by
    return false;
  }
  acquire(object.clock);
  check_busy_spin(&object);
  return true;
}

// --- self-pipe and selector --------------------------------------------------------------------------

bool Machine::write_byte(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::write_byte, std::memory_order_release, where)) return false;
  Object& pipe = objects_[id];
  if (pipe.owner != kNobody) fail(Verdict::use_after_free, "a byte is written to " + name(id) + " after close");
  if (pipe.level == kPipeCapacity) {
    taken_.failed = true;
    return false;
  }
  changed();
  ++pipe.level;
  if (pipe.conflict_class != id) ++objects_[pipe.conflict_class].level;
  release_into(pipe.clock);
  unpark_ready();
  return true;
}

std::size_t Machine::read_all(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::read_all, std::memory_order_acquire, where)) return 0;
  Object& pipe = objects_[id];
  if (pipe.owner != kNobody) fail(Verdict::use_after_free, name(id) + " is read after close");
  const unsigned bytes = pipe.level;
  if (bytes > 0) {
    changed();
    acquire(pipe.clock);
  }
  if (pipe.conflict_class != id) objects_[pipe.conflict_class].level -= bytes;
  pipe.level = 0;
  pipe.clock = {};
  detail_.value = bytes;
  return bytes;
}

bool Machine::read_byte(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::read_all, std::memory_order_relaxed, where)) return false;
  Object& pipe = objects_[id];
  if (pipe.owner != kNobody) fail(Verdict::use_after_free, name(id) + " is read after close");
  const unsigned bytes = std::min(pipe.level, 1U);
  if (bytes > 0) changed();
  if (pipe.conflict_class != id) objects_[pipe.conflict_class].level -= bytes;
  pipe.level -= bytes;
  if (pipe.level == 0) pipe.clock = {};
  detail_.value = bytes;
  return bytes > 0;
}

// Whoever uses the pipe afterwards is at fault, so the closing thread is kept as its owner.
void Machine::close(ObjectId id, const Where& where) {
  if (!take_turn(id, OpKind::close, std::memory_order_relaxed, where)) return;
  Object& pipe = objects_[id];
  if (pipe.conflict_class != id) objects_[pipe.conflict_class].level -= pipe.level;
  pipe.level = 0;
  pipe.owner = current_;
  changed();
}

void Machine::add_to_selector(ObjectId selector, ObjectId pipe) {
  objects_[pipe].conflict_class = selector;
  objects_[selector].level += objects_[pipe].level;
}

bool Machine::select(ObjectId id, const Deadline& deadline, const Where& where) {
  if (!take_turn(id, OpKind::select, std::memory_order_relaxed, where, deadline)) return false;
  Object& selector = objects_[id];
  if (selector.level == 0) {
    taken_.failed = true;
    changed();  // time went by, or it was only a look
    return false;
  }
  check_busy_spin(&selector);
  return true;
}

// --- threads -------------------------------------------------------------------------------------------

ThreadId Machine::start_thread(Label label, std::function<void()> body, const Where& where) {
  ThreadId spare = run_.program->threads;
  const ThreadId end = spare + run_.program->spare_threads;
  while (spare < end && threads_[spare].body) ++spare;
  if (spare == end) {
    fail(Verdict::inconclusive, "the script starts more threads than the scenario's spare_threads");
  }
  {
    const HostCode host(*this);
    threads_[spare].body = std::move(body);
  }
  Object& start = objects_[threads_[spare].start_object];
  start.label = label;
  if (!take_turn(threads_[spare].start_object, OpKind::start, std::memory_order_release, where)) return spare;
  start.level = 1;
  changed();
  release_into(start.clock);
  unpark_ready();
  return spare;
}

void Machine::join_thread(ThreadId thread, const Where& where) {
  Object& exit = objects_[threads_[thread].exit_object];
  if (!take_turn(threads_[thread].exit_object, OpKind::join, std::memory_order_acquire, where)) return;
  acquire(exit.clock);
}

}  // namespace wakeproof::models
