// The smallest schedule is the smallest: compared with all schedules there are.
#include <tuple>

#include "ci/catch2.hpp"
#include "minimise.hpp"
#include "models/contexts.hpp"
#include "models/search/dpor.hpp"
#include "models/search/search.hpp"
#include "record.hpp"

namespace wakeproof::models {

namespace {

using Size = std::tuple<int, int, int>;

Size size_of_trace(const Trace& trace) {
  return {preemptions_of(trace.steps), static_cast<int>(trace.steps.size()), stale_reads_of(trace.steps)};
}

// By the unreduced search of search/dpor.hpp, which knows nothing of preemptions: the recording counts.
Size smallest_of_all(const Scenario& scenario, const Bounds& bounds, Verdict verdict, int& executions) {
  std::vector<std::vector<unsigned>> failing;
  const Program program = program_of(scenario, bounds);
  Dpor every(program.all_threads(), Dpor::Reduction::none);
  Machine::Run run;
  run.program = &program;
  run.strategy = &every;
  run.outcome = [&](const Outcome& outcome) {
    ++executions;
    if (outcome.finding.verdict == verdict) failing.push_back(every.choices());
    return true;
  };
  run_executions(run);
  machine().end_run();
  Size smallest{1000, 1000, 1000};
  for (const auto& choices : failing) smallest = std::min(smallest, size_of_trace(record(scenario, bounds, choices)));
  return smallest;
}

Smallest minimise(const Scenario& scenario, const Bounds& bounds, const SearchResult& result) {
  return minimise(scenario, bounds, result.verdict, result.failing);
}

}  // namespace

TEST_CASE("the minimum is that of all schedules: preemptions, then steps, then stale reads") {
  for (const char* name :
       {"output_sink/missing_second_drain", "slot_sink/flag_acquire_release", "slot_sink/look_for_item_acquire",
        "calibration/mutex_sink_wake_first", "output_sink/wait_under_lock", "output_sink/take_late_missing_drain"}) {
    const Scenario& scenario = *scenario_named(name);
    const SearchResult result = search(scenario, {1, 1}, {});
    const Smallest smallest = minimise(scenario, {1, 1}, result);
    const Trace trace = record(scenario, {1, 1}, smallest.choices);
    int executions = 0;
    INFO(name);
    CHECK(trace.verdict == result.verdict);
    CHECK(size_of_trace(trace) == smallest_of_all(scenario, {1, 1}, result.verdict, executions));
    CHECK(smallest.minimum.established);
    CHECK(smallest.minimum.preemptions == preemptions_of(trace.steps));
    CHECK(smallest.minimum.stale_reads == stale_reads_of(trace.steps));
    CHECK(smallest.minimum.executions <= static_cast<std::uint64_t>(executions) + 50);
  }
}

TEST_CASE("one that is cut short keeps a schedule with the verdict, and says so") {
  const Scenario& scenario = *scenario_named("output_sink/arm_swapped");
  const SearchResult result = search(scenario, {2, 1}, {});
  const Smallest smallest = minimise(scenario, {2, 1}, result.verdict, result.failing, 10);
  CHECK_FALSE(smallest.minimum.established);
  CHECK(smallest.minimum.executions == 10);
  CHECK(record(scenario, {2, 1}, smallest.choices).verdict == result.verdict);
}

}  // namespace wakeproof::models
