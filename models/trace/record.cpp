#include "record.hpp"

#include <bit>
#include <stdexcept>

#include "models/contexts.hpp"
#include "models/search/replay.hpp"
#include "models/search/search.hpp"

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
  }
  return "?";
}

bool is_atomic(OpKind kind) {
  return kind == OpKind::load || kind == OpKind::store || kind == OpKind::exchange || kind == OpKind::fetch_modify ||
         kind == OpKind::compare_exchange || kind == OpKind::await || kind == OpKind::fence;
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
    case ObjectKind::fence:
    case ObjectKind::selector: break;
  }
  return text;
}

class Recorder final : public Observer {
 public:
  Recorder(Trace& trace, const Replay& replay) : trace_(trace), replay_(replay) {}

  void execution_begins(const Machine& machine) override {
    for (ThreadId thread = 0; thread < machine.threads(); ++thread)
      trace_.threads.push_back(machine.thread_name(thread));
    note_objects(machine);
  }

  void step_done(const Machine& machine, const TakenStep& taken, const StepDetail& detail) override {
    TraceStep step;
    step.number = static_cast<int>(trace_.steps.size()) + 1;
    step.thread = taken.thread;
    step.object = taken.op.object;
    step.operation = name_of(taken.op.kind);
    if (is_atomic(taken.op.kind)) {
      step.order = name_of(taken.op.order);
      step.purpose = detail.order.purpose;
    }
    const Object& object = machine.object(taken.op.object);
    if (detail.read_from != StepDetail::kNoStep) {
      object.cell->describe(detail.value, step.value);
      step.read_from = detail.read_from + 1;
      if (detail.missed != StepDetail::kNoStep) step.missed = detail.missed + 1;
    } else if (taken.op.kind == OpKind::read_all) {
      step.value = std::to_string(detail.value);
    }
    step.failed = taken.failed;
    step.protocol = protocol_;
    step.could_run = could_run_;
    step.file = detail.where.file_name();
    step.line = detail.where.line();
    step.function = detail.where.function_name();
    step.time_passed = std::exchange(time_passed_, false);
    note_objects(machine);
    note_changes(machine, step);
    trace_.steps.push_back(std::move(step));
  }

  void step_begins(const Machine& machine, ThreadId thread) override {
    protocol_.assign(machine.protocol_steps(thread).begin(), machine.protocol_steps(thread).end());
    could_run_.clear();
    for (ThreadId i = 0; i < machine.threads(); ++i) {
      if ((replay_.could_run() >> i & 1U) != 0) could_run_.push_back(i);
    }
  }

  void time_passed(const Machine&) override { time_passed_ = true; }

  void nobody_goes_on(const Machine& machine) override {
    for (ThreadId thread = 0; thread < machine.threads(); ++thread) {
      if (!machine.blocked(thread)) continue;
      const Operation& pending = machine.pending(thread);
      trace_.waiting.push_back({thread, pending.object, name_of(pending.kind)});
    }
  }

 private:
  void note_objects(const Machine& machine) {
    for (int id = static_cast<int>(trace_.objects.size()); id < machine.objects(); ++id) {
      const Object& object = machine.object(id);
      const std::string value = value_of(machine, object);
      trace_.objects.push_back({machine.name(static_cast<ObjectId>(id)), kind_name(object.kind), value});
      values_.push_back(value);
    }
  }

  void note_changes(const Machine& machine, TraceStep& step) {
    for (int id = 0; id < machine.objects(); ++id) {
      std::string now = value_of(machine, machine.object(id));
      std::string& before = values_[static_cast<std::size_t>(id)];
      if (now == before) continue;
      step.changes.push_back({id, before, now});
      before = std::move(now);
    }
  }

  Trace& trace_;
  const Replay& replay_;
  std::vector<std::string> values_;
  std::vector<std::string> protocol_;
  std::vector<int> could_run_;
  bool time_passed_ = false;
};

}  // namespace

Trace record(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices) {
  const Program program = program_of(scenario, bounds);
  Replay replay(choices);
  Trace trace;
  trace.scenario = scenario.name;
  trace.story = scenario.story;
  trace.bounds = bounds;
  for (const Mutation& mutation : scenario.mutations) trace.mutations.push_back(describe(mutation));
  trace.memory_model = kMemoryModel;
  trace.choices = choices;
  Recorder recorder(trace, replay);
  Machine::Run run;
  run.program = &program;
  run.strategy = &replay;
  run.observer = &recorder;
  run.outcome = [&](const Outcome& outcome) {
    trace.verdict = outcome.finding.verdict;
    trace.detail = outcome.finding.detail;
    return false;
  };
  run_executions(run);
  machine().end_run();
  if (!replay.nondeterminism().empty()) throw std::runtime_error(replay.nondeterminism());
  return trace;
}

}  // namespace wakeproof::models
