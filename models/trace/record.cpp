#include "record.hpp"

#include <stdexcept>

#include "models/contexts.hpp"
#include "models/search/replay.hpp"
#include "models/search/search.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

namespace wakeproof::models {

namespace {

// Runs the choices once.
Outcome run_once(const Program& program, Replay& replay, Observer* observer, int max_steps) {
  Outcome come_out;
  Machine::Run run;
  run.program = &program;
  run.strategy = &replay;
  run.observer = observer;
  run.max_steps = max_steps;
  run.outcome = [&](const Outcome& outcome) {
    come_out = outcome;
    return false;
  };
  run_executions(run);
  machine().end_run();
  return come_out;
}

// The stores that one load could have read, from the newest on. A load is asked of one after the
// other, so they are known when it passes by as many as it may.
class LookBack final : public Observer {
 public:
  LookBack(const Replay& replay, int step) : replay_(replay), step_(step) {}
  void execution_begins(const Machine&) override {}
  void step_begins(const Machine&, ThreadId) override {}
  void step_done(const Machine&, const TakenStep&, const StepDetail&) override {
    if (++done_ == step_) stores_ = replay_.offered();
  }
  void time_passed(const Machine&) override {}
  void nobody_goes_on(const Machine&) override {}

  const std::vector<int>& stores() const { return stores_; }

 private:
  const Replay& replay_;
  int step_;
  int done_ = 0;
  std::vector<int> stores_;
};

void find_older_stores(const Program& program, const Recorder& recorder, int max_steps, Trace& trace) {
  std::vector<unsigned> choices;
  for (TraceStep& step : trace.steps) {
    if (step.could_read.size() > 1) {
      std::vector<unsigned> further = choices;
      further.push_back(step.choices.front());
      further.insert(further.end(), kHistory, 1);
      Replay replay(further);
      LookBack look(replay, step.number);
      run_once(program, replay, &look, max_steps);
      step.could_read.clear();
      for (const int store : look.stores())
        step.could_read.push_back({store + 1, recorder.stored(store + 1, step.object)});
    }
    choices.insert(choices.end(), step.choices.begin(), step.choices.end());
  }
}

// Calls before_step, and records.
class Announcer final : public Observer {
 public:
  Announcer(Recorder& recorder, const std::function<void(int)>& before_step)
      : recorder_(recorder), before_step_(before_step) {}
  void execution_begins(const Machine& machine) override { recorder_.execution_begins(machine); }
  void step_begins(const Machine& machine, ThreadId thread) override {
    if (before_step_) before_step_(machine.steps());
    recorder_.step_begins(machine, thread);
  }
  void plain_read(const Machine& machine, ObjectId object) override { recorder_.plain_read(machine, object); }
  void step_done(const Machine& machine, const TakenStep& taken, const StepDetail& detail) override {
    recorder_.step_done(machine, taken, detail);
  }
  void time_passed(const Machine& machine) override { recorder_.time_passed(machine); }
  void nobody_goes_on(const Machine& machine) override { recorder_.nobody_goes_on(machine); }

 private:
  Recorder& recorder_;
  const std::function<void(int)>& before_step_;
};

}  // namespace

Recording record_as_far(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices,
                        const RecordOptions& options) {
  const Program program = program_of(scenario, bounds);
  Replay replay(choices, options.then);
  Recording recording;
  Trace& trace = recording.trace;
  trace.scenario = scenario.name;
  trace.story = scenario.story;
  trace.bounds = bounds;
  for (const Mutation& mutation : scenario.mutations) trace.mutations.push_back(describe(mutation));
  trace.memory_model = kMemoryModel;
  trace.consumer = bounds.producers;
  Recorder recorder(trace, replay);
  Announcer announcer(recorder, options.before_step);
  const Outcome outcome = run_once(program, replay, &announcer, options.max_steps);
  trace.verdict = outcome.finding.verdict;
  trace.detail = outcome.finding.detail;
  recording.ending = outcome.ending;
  recording.differs = replay.nondeterminism();
  recording.standing = replay.standing();
  for (ThreadId thread = 0; replay.stopped() && thread < kMaxThreads; ++thread) {
    if ((replay.could_run() >> thread & 1U) != 0) recording.could_run.push_back(thread);
  }
  for (const TraceStep& step : trace.steps)
    trace.choices.insert(trace.choices.end(), step.choices.begin(), step.choices.end());
  recorder.finish();
  find_older_stores(program, recorder, options.max_steps, trace);
  tell_waiting(trace);
  return recording;
}

Trace record(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices) {
  Recording recording = record_as_far(scenario, bounds, choices);
  if (!recording.differs.empty()) throw std::runtime_error(recording.differs);
  return std::move(recording.trace);
}

}  // namespace wakeproof::models
