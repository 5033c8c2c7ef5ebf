#include "recorder.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "models/source_path.hpp"

namespace wakeproof::models {

namespace {

const char* kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::fence: return "fence";
    case ObjectKind::atomic: return "atomic";
    case ObjectKind::plain: return "plain";
    case ObjectKind::mutex: return "mutex";
    case ObjectKind::event: return "event";
    case ObjectKind::pipe: return "pipe";
    case ObjectKind::selector: return "selector";
    case ObjectKind::condition: return "condition variable";
    case ObjectKind::semaphore: return "semaphore";
    case ObjectKind::thread_start:
    case ObjectKind::thread_exit: return "thread";
    case ObjectKind::clock: return "clock";
  }
  return "?";
}

bool is_atomic(OpKind kind) {
  return kind == OpKind::load || kind == OpKind::store || kind == OpKind::exchange || kind == OpKind::fetch_modify ||
         kind == OpKind::compare_exchange || kind == OpKind::await || kind == OpKind::fence;
}

// Where a thread sleeps. One that stands at a mutex goes on by itself.
bool sleeps_at(OpKind kind) {
  return kind == OpKind::wait || kind == OpKind::select || kind == OpKind::end_wait || kind == OpKind::acquire ||
         kind == OpKind::join;
}

bool wakes(ObjectKind kind) {
  return kind == ObjectKind::event || kind == ObjectKind::selector || kind == ObjectKind::condition ||
         kind == ObjectKind::semaphore || kind == ObjectKind::atomic;
}

std::string value_of(const Machine& machine, const Object& object) {
  std::string text;
  if (!object.alive) return "gone";
  switch (object.kind) {
    case ObjectKind::atomic: object.cell->describe(object.cell->values[object.cell->newest], text); break;
    case ObjectKind::plain: object.describe(object.address, text); break;
    case ObjectKind::mutex:
      text = object.owner == kNobody ? "free" : "held by " + machine.thread_name(object.owner);
      break;
    case ObjectKind::event: text = object.level > 0 ? "set" : "clear"; break;
    case ObjectKind::pipe: text = std::to_string(object.level) + (object.level == 1 ? " byte" : " bytes"); break;
    case ObjectKind::condition: text = std::to_string(std::popcount(object.waiting)) + " waiting"; break;
    case ObjectKind::semaphore: text = std::to_string(object.level); break;
    case ObjectKind::thread_start: text = object.level > 0 ? "started" : "not started"; break;
    case ObjectKind::thread_exit: text = object.level > 0 ? "ended" : "not ended"; break;
    case ObjectKind::clock:
      text = std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(machine.now()).count()) + " ms";
      break;
    case ObjectKind::fence:
    case ObjectKind::selector: break;
  }
  return text;
}

// `LockedQueue::append` out of what a compiler calls a function: without its result, its arguments and
// its templates'.
std::string short_name(std::string_view function) {
  std::string name;
  int depth = 0;
  for (const char c : function.substr(0, function.find(" ["))) {
    if (c == '<') ++depth;
    if (c == '(' && depth == 0) break;
    if (c == ' ' && depth == 0) {
      name.clear();
    } else if (depth == 0) {
      name += c;
    }
    if (c == '>') --depth;
  }
  constexpr std::string_view kOurs = "wakeproof::";
  while (name.starts_with(kOurs)) name.erase(0, kOurs.size());
  return name;
}

}  // namespace

void Recorder::execution_begins(const Machine& machine) {
  for (ThreadId thread = 0; thread < machine.threads(); ++thread) trace_.threads.push_back(machine.thread_name(thread));
  own_.resize(trace_.threads.size());
  steps_of_.resize(trace_.threads.size());
  note_objects(machine);
  trace_.at_start = threads_now(machine);
  trace_.invariant_at_start = invariant_now(machine);
  if (machine.has_finding()) trace_.found_at = 0;
}

void Recorder::step_begins(const Machine& machine, ThreadId thread) {
  protocol_.assign(machine.protocol_steps(thread).begin(), machine.protocol_steps(thread).end());
  put_of_step_ = machine.put_under_way(thread);
  reads_.clear();
}

void Recorder::plain_read(const Machine& machine, ObjectId object) {
  const auto known = [&](const TraceValue& read) { return read.object == object; };
  if (std::any_of(reads_.begin(), reads_.end(), known)) return;
  reads_.push_back({object, value_of(machine, machine.object(object))});
}

void Recorder::step_done(const Machine& machine, const TakenStep& taken, const StepDetail& detail) {
  TraceStep step;
  step.number = static_cast<int>(trace_.steps.size()) + 1;
  step.thread = taken.thread;
  step.object = taken.op.object;
  step.operation = name_of(taken.op.kind);
  if (is_atomic(taken.op.kind)) {
    step.order = name_of(taken.op.order);
    step.purpose = detail.order.purpose;
  }
  note_read(machine, taken, detail, step);
  step.failed = taken.failed;
  step.known = known_steps(taken, detail);
  step.protocol = protocol_;
  step.reads = std::exchange(reads_, {});
  for (ThreadId i = 0; i < machine.threads(); ++i) {
    if ((replay_.could_run() >> i & 1U) != 0) step.could_run.push_back(i);
  }
  step.choices = replay_.choices_of_step();
  step.time_passed = std::exchange(time_passed_, false);
  step.turn = turn_of(step);
  note_where(detail, step);
  note_objects(machine);
  note_changes(machine, step);
  steps_of_[static_cast<std::size_t>(taken.thread)].push_back(step.number);
  own_[static_cast<std::size_t>(taken.thread)].push_back(detail.seen.seen[taken.thread]);

  const bool still_in_it = put_of_step_ >= 0 && machine.put_under_way(taken.thread) == put_of_step_;
  puts_under_way_ &= ~(1U << taken.thread);
  if (still_in_it) puts_under_way_ |= 1U << taken.thread;
  step.threads = threads_now(machine);
  step.invariant = invariant_now(machine);
  // Of what leaves the execution in the middle the finding comes before its last step is handed in.
  if (machine.has_finding() && !trace_.found_at) trace_.found_at = step.number;
  trace_.steps.push_back(std::move(step));
}

void Recorder::note_read(const Machine& machine, const TakenStep& taken, const StepDetail& detail, TraceStep& step) {
  const Object& object = machine.object(taken.op.object);
  stores_.emplace_back();
  if (object.cell != nullptr) {
    const AtomicCell& cell = *object.cell;
    if (cell.writers[cell.newest] == step.number - 1) cell.describe(cell.values[cell.newest], stores_.back());
  }
  if (detail.read_from != StepDetail::kNoStep) {
    object.cell->describe(detail.value, step.value);
    step.read_from = detail.read_from + 1;
    if (detail.missed != StepDetail::kNoStep) step.missed = detail.missed + 1;
    for (const int store : replay_.offered()) step.could_read.push_back({store + 1, stored(store + 1, step.object)});
    if (step.could_read.empty()) step.could_read.push_back({*step.read_from, step.value});
    return;
  }
  if (taken.op.kind == OpKind::read_all) step.value = std::to_string(detail.value);
  step.results = static_cast<int>(replay_.results());
  if (step.results > 1) step.result = static_cast<int>(replay_.choices_of_step().back());
}

// A clock counts more than steps: a step of another thread is known when that thread's clock had not
// come to what is known of it before the step.
std::vector<int> Recorder::known_steps(const TakenStep& taken, const StepDetail& detail) const {
  std::vector<int> known;
  for (std::size_t thread = 0; thread < steps_of_.size(); ++thread) {
    const std::vector<int>& steps = steps_of_[thread];
    const std::vector<std::size_t>& own = own_[thread];
    const bool mine = static_cast<int>(thread) == taken.thread;
    const auto end = mine ? own.end() : std::lower_bound(own.begin(), own.end(), detail.seen.seen[thread]);
    const int newest = end == own.begin() ? 0 : steps[static_cast<std::size_t>(end - own.begin()) - 1];
    known.push_back(newest);
  }
  return known;
}

void Recorder::note_where(const StepDetail& detail, TraceStep& step) const {
  step.file = source_path(detail.where.file_name());
  step.line = detail.where.line();
  step.function = short_name(detail.where.function_name());
}

TraceSwitch Recorder::turn_of(const TraceStep& step) const {
  if (trace_.steps.empty() || step.time_passed) return TraceSwitch::stays;
  const int before = trace_.steps.back().thread;
  if (before == step.thread) return TraceSwitch::stays;
  const bool could_go_on = std::find(step.could_run.begin(), step.could_run.end(), before) != step.could_run.end();
  return could_go_on ? TraceSwitch::preemption : TraceSwitch::needed;
}

std::vector<TraceThread> Recorder::threads_now(const Machine& machine) const {
  std::vector<TraceThread> threads;
  for (ThreadId i = 0; i < machine.threads(); ++i) {
    const Operation& next = machine.pending(i);
    TraceThread thread;
    if (machine.finished(i)) {
      thread.state = TraceThread::State::done;
    } else if (machine.blocked(i)) {
      thread.state = next.kind == OpKind::begin ? TraceThread::State::not_started : TraceThread::State::waits;
    }
    if (next.kind != OpKind::none && !machine.finished(i)) {
      thread.object = next.object;
      thread.operation = name_of(next.kind);
      const ThreadId owner = machine.object(next.object).owner;
      if (next.kind == OpKind::lock && owner != kNobody) thread.held_by = owner;
    }
    thread.in_put = (puts_under_way_ >> i & 1U) != 0;
    threads.push_back(std::move(thread));
  }
  return threads;
}

TraceInvariant Recorder::invariant_now(const Machine& machine) {
  const auto consumer = static_cast<ThreadId>(trace_.consumer);
  const Observation seen = machine.observe();
  const Operation& next = machine.pending(consumer);
  const bool at_wait = !machine.finished(consumer) && sleeps_at(next.kind);
  const bool rung = at_wait && machine.object(next.object).ready_for(consumer);
  TraceInvariant now;
  now.queue_nonempty = seen.queued > 0;
  for (ThreadId i = 0; i < machine.threads(); ++i) {
    // A put that waits to be notified, of room, will wake nobody.
    const bool waits = machine.pending(i).kind == OpKind::end_wait && machine.blocked(i);
    now.put_under_way |= (puts_under_way_ >> i & 1U) != 0 && !waits;
  }
  // One whose time has come, or that only looks, stands at a wait and does not sleep.
  now.consumer_awake = !at_wait || (!rung && !machine.blocked(consumer));
  now.wake_in_flight = at_wait ? rung : seen.wake_in_flight.value_or(false);
  Signals signals;
  for (int id = 0; id < machine.objects(); ++id) {
    const Object& object = machine.object(id);
    if (!at_wait && !seen.wake_in_flight && wakes(object.kind) && object.alive && object.ready_for(consumer))
      signals.set(static_cast<std::size_t>(id));
  }
  if (at_wait) waited_for_.set(next.object);
  signals_.push_back(signals);
  return now;
}

// A lost wakeup that only a timeout ends is found when time passes, between two steps.
void Recorder::time_passed(const Machine& machine) {
  time_passed_ = true;
  if (machine.has_finding() && !trace_.found_at) trace_.found_at = static_cast<int>(trace_.steps.size());
}

void Recorder::nobody_goes_on(const Machine& machine) {
  if (!trace_.found_at) trace_.found_at = static_cast<int>(trace_.steps.size());
  for (ThreadId thread = 0; thread < machine.threads(); ++thread) {
    if (!machine.blocked(thread)) continue;
    const Operation& pending = machine.pending(thread);
    if (pending.kind == OpKind::begin) continue;  // never started: nobody misses it
    TraceWaiting waiting;
    waiting.thread = thread;
    waiting.object = pending.object;
    waiting.operation = name_of(pending.kind);
    trace_.waiting.push_back(std::move(waiting));
  }
}

void Recorder::finish() {
  for (std::size_t at = 0; at < signals_.size(); ++at) {
    TraceInvariant& invariant = at == 0 ? trace_.invariant_at_start : trace_.steps[at - 1].invariant;
    invariant.wake_in_flight |= (signals_[at] & waited_for_).any();
  }
  bool broken = false;
  for (const TraceStep& step : trace_.steps) {
    if (!step.invariant.holds() && !broken) trace_.breaks_at = step.number;
    broken = !step.invariant.holds();
  }
}

const std::string& Recorder::stored(int step, int object) const {
  return step == 0 ? trace_.objects[static_cast<std::size_t>(object)].initial
                   : stores_[static_cast<std::size_t>(step - 1)];
}

void Recorder::note_objects(const Machine& machine) {
  for (int id = static_cast<int>(trace_.objects.size()); id < machine.objects(); ++id) {
    const Object& object = machine.object(id);
    TraceObject made{machine.name(static_cast<ObjectId>(id)), kind_name(object.kind), value_of(machine, object), {}};
    if (made.name.empty()) made.name = std::string(made.kind) + " " + std::to_string(id);
    if (object.kind == ObjectKind::pipe && object.conflict_class != id) made.watched_by = object.conflict_class;
    values_.push_back(made.initial);
    trace_.objects.push_back(std::move(made));
  }
}

void Recorder::note_changes(const Machine& machine, TraceStep& step) {
  for (int id = 0; id < machine.objects(); ++id) {
    std::string now = value_of(machine, machine.object(id));
    std::string& before = values_[static_cast<std::size_t>(id)];
    if (now == before) continue;
    step.changes.push_back({id, before, now});
    before = std::move(now);
  }
}

}  // namespace wakeproof::models
