#include "record.hpp"

#include <stdexcept>

#include "models/contexts.hpp"
#include "models/search/replay.hpp"
#include "models/search/search.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

namespace wakeproof::models {

namespace {

// Runs the choices once. Gives what was found.
Finding run_once(const Program& program, Replay& replay, Observer* observer) {
  Finding finding;
  Machine::Run run;
  run.program = &program;
  run.strategy = &replay;
  run.observer = observer;
  run.outcome = [&](const Outcome& outcome) {
    finding = outcome.finding;
    return false;
  };
  run_executions(run);
  machine().end_run();
  return finding;
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

void find_older_stores(const Program& program, const Recorder& recorder, Trace& trace) {
  std::vector<unsigned> choices;
  for (TraceStep& step : trace.steps) {
    if (step.could_read.size() > 1) {
      std::vector<unsigned> further = choices;
      further.push_back(step.choices.front());
      further.insert(further.end(), kHistory, 1);
      Replay replay(further);
      LookBack look(replay, step.number);
      run_once(program, replay, &look);
      step.could_read.clear();
      for (const int store : look.stores())
        step.could_read.push_back({store + 1, recorder.stored(store + 1, step.object)});
    }
    choices.insert(choices.end(), step.choices.begin(), step.choices.end());
  }
}

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
  trace.consumer = bounds.producers;
  Recorder recorder(trace, replay);
  const Finding finding = run_once(program, replay, &recorder);
  trace.verdict = finding.verdict;
  trace.detail = finding.detail;
  if (!replay.nondeterminism().empty()) throw std::runtime_error(replay.nondeterminism());
  trace.choices = replay.choices();
  recorder.finish();
  find_older_stores(program, recorder, trace);
  tell_waiting(trace);
  return trace;
}

}  // namespace wakeproof::models
