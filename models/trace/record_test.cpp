// A recording: whatever a rendering needs is in it, and agrees with itself.
#include <algorithm>

#include "ci/catch2.hpp"
#include "models/search/search.hpp"
#include "record.hpp"

namespace wakeproof::models {

namespace {

Trace trace_of(const std::string& name, const Bounds& bounds) {
  const Scenario& scenario = *scenario_named(name);
  const SearchResult result = search(scenario, bounds, {});
  REQUIRE(result.verdict != Verdict::proved);  // a race may come before the first choice
  return record(scenario, bounds, result.failing);
}

std::vector<Trace> one_of_every_mutant() {
  std::vector<Trace> traces;
  for (const Scenario& scenario : catalogue()) {
    if (scenario.expected == Verdict::proved) continue;
    traces.push_back(
        trace_of(scenario.name, scenario.fails_from.empty() ? scenario.size(1, 1) : scenario.fails_from.front()));
  }
  return traces;
}

bool contains(const std::vector<int>& all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the choices of the steps are the choices of the trace, and replay it") {
  for (const Trace& trace : one_of_every_mutant()) {
    INFO(trace.scenario);
    std::vector<unsigned> choices;
    for (const TraceStep& step : trace.steps) choices.insert(choices.end(), step.choices.begin(), step.choices.end());
    CHECK(choices == trace.choices);
    const Trace again = record(*scenario_named(trace.scenario), trace.bounds, choices);
    CHECK(again.verdict == trace.verdict);
    CHECK(again.steps.size() == trace.steps.size());
  }
}

TEST_CASE("a step names who could have taken it, and the changes follow from one value to the next") {
  for (const Trace& trace : one_of_every_mutant()) {
    INFO(trace.scenario);
    std::vector<std::string> values;
    for (const TraceObject& object : trace.objects) values.push_back(object.initial);
    for (const TraceStep& step : trace.steps) {
      CHECK(contains(step.could_run, step.thread));
      CHECK(step.threads.size() == trace.threads.size());
      CHECK(step.known.size() == trace.threads.size());
      for (const TraceChange& change : step.changes) {
        std::string& value = values[static_cast<std::size_t>(change.object)];
        CHECK(value == change.before);
        value = change.after;
      }
    }
  }
}

TEST_CASE("no name of a place on the machine that made it") {
  for (const Trace& trace : one_of_every_mutant()) {
    for (const TraceStep& step : trace.steps) {
      INFO(step.file << " " << step.function);
      CHECK(step.file.front() != '/');
      CHECK(step.function.find('<') == std::string::npos);
      CHECK(step.line > 0);
    }
  }
}

TEST_CASE("where a wakeup is lost the wake invariant breaks, and otherwise only where an item stays behind") {
  for (const Trace& trace : one_of_every_mutant()) {
    INFO(trace.scenario);
    CHECK((trace.breaks_at || trace.verdict != Verdict::lost_wakeup));
    CHECK((!trace.breaks_at || trace.verdict == Verdict::lost_wakeup || trace.verdict == Verdict::item_lost));
    if (!trace.breaks_at) continue;
    const auto at = static_cast<std::size_t>(*trace.breaks_at);
    CHECK_FALSE(trace.steps[at - 1].invariant.holds());
    CHECK((at == 1 || trace.steps[at - 2].invariant.holds()));
  }
}

TEST_CASE("a stale read names the store that it missed, of which its thread knew nothing") {
  const Trace trace = trace_of("slot_sink/flag_acquire_release", {1, 1});
  int stale = 0;
  for (const TraceStep& step : trace.steps) {
    if (!step.missed) continue;
    ++stale;
    const TraceStep& store = trace.steps[static_cast<std::size_t>(*step.missed - 1)];
    CHECK(store.object == step.object);
    CHECK(step.known[static_cast<std::size_t>(store.thread)] < store.number);
    REQUIRE(step.could_read.size() >= 2);
    CHECK(step.could_read.front().step == *step.missed);
    CHECK(step.could_read.back().step == *step.read_from);
    CHECK(step.could_read.back().value == step.value);
  }
  CHECK(stale >= 1);
}

TEST_CASE("at the end: who waits, what was set and cleared, and why nobody sets it again") {
  const Trace trace = trace_of("output_sink/missing_second_drain", {1, 1});
  REQUIRE(trace.waiting.size() == 1);
  const TraceWaiting& waiting = trace.waiting.front();
  CHECK(trace.threads[static_cast<std::size_t>(waiting.thread)] == "consumer");
  REQUIRE(waiting.last_signal);
  REQUIRE(waiting.last_taken);
  CHECK(trace.steps[static_cast<std::size_t>(*waiting.last_signal - 1)].operation == "set");
  CHECK(trace.steps[static_cast<std::size_t>(*waiting.last_taken - 1)].operation == "clear");
  CHECK(waiting.could_have_woken == std::vector<int>{0});
  CHECK(waiting.but == std::vector<std::string>{"has finished"});
}

TEST_CASE("a fault that a script notes in the middle is told with the step after which it was there") {
  const Trace trace = trace_of("output_sink/overdue_missing_last_drain", {1, 1});
  REQUIRE(trace.found_at);
  const TraceStep& step = trace.steps[static_cast<std::size_t>(*trace.found_at - 1)];
  CHECK(step.thread == trace.consumer);
  CHECK(*trace.found_at < static_cast<int>(trace.steps.size()));
}

TEST_CASE("no execution of a correct subject breaks the wake invariant") {
  for (const char* name : {"output_sink/correct", "output_sink/loop/correct", "output_sink/put_in_hook",
                           "slot_sink/correct", "calibration/mutex_sink", "calibration/tagged_sink"}) {
    const Scenario& scenario = *scenario_named(name);
    Trace trace = record(scenario, {1, 2}, {});
    for (std::size_t round = 0; round < 60; ++round) {
      INFO(name << " in round " << round);
      CHECK(trace.verdict == Verdict::proved);
      CHECK_FALSE(trace.breaks_at);
      // Another schedule: at one of the steps the last of those that could run takes the turn.
      const std::size_t turn = (round * 7 + 3) % trace.steps.size();
      std::vector<unsigned> choices;
      for (std::size_t i = 0; i < turn; ++i)
        choices.insert(choices.end(), trace.steps[i].choices.begin(), trace.steps[i].choices.end());
      choices.push_back(static_cast<unsigned>(trace.steps[turn].could_run[round % trace.steps[turn].could_run.size()]));
      trace = record(scenario, {1, 2}, choices);
    }
  }
}

}  // namespace wakeproof::models
