// The text of a trace: what a person must find in it, and its width.
#include <sstream>

#include "ci/catch2.hpp"
#include "models/search/search.hpp"
#include "record.hpp"
#include "text.hpp"

namespace wakeproof::models {

namespace {

Trace trace_of(const std::string& name, const Bounds& bounds) {
  const Scenario& scenario = *scenario_named(name);
  const SearchResult result = search(scenario, bounds, {});
  REQUIRE_FALSE(result.failing.empty());
  return record(scenario, bounds, result.failing);
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace

TEST_CASE("a lost wakeup: objects by name, values before and after, who waits at the end") {
  const std::string text = as_text(trace_of("output_sink/missing_second_drain", {1, 1}));
  CHECK_THAT(text, testing::contains("lost_wakeup"));
  CHECK_THAT(text, testing::contains("mutant: skip second_drain"));
  CHECK_THAT(text, testing::contains("wake_in_flight  false -> true"));
  CHECK_THAT(text, testing::contains("data_ready  set -> clear"));
  CHECK_THAT(text, testing::contains("consumer: wait data_ready for ever"));
}

TEST_CASE("a stale read: the order, the store that was read and the one that was missed") {
  const Trace trace = trace_of("slot_sink/flag_acquire_release", {1, 1});
  const std::string text = as_text(trace);
  CHECK_THAT(text, testing::contains("release"));
  CHECK_THAT(text, testing::contains("old value, of the start; missed"));
  int stale = 0;
  for (const TraceStep& step : trace.steps) {
    if (!step.missed) continue;
    ++stale;
    const TraceStep& missed = trace.steps[static_cast<std::size_t>(*step.missed - 1)];
    CHECK(missed.object == step.object);
    CHECK(missed.operation == "store");
    CHECK(missed.number < step.number);
  }
  CHECK(stale >= 1);
}

TEST_CASE("recording a schedule twice gives the same text, and the verdict of the search") {
  for (const Scenario& scenario : catalogue()) {
    const Bounds bounds = scenario.fails_from.empty() ? scenario.size(1, 1) : scenario.fails_from.front();
    const SearchResult result = search(scenario, bounds, {});
    if (result.failing.empty()) continue;
    const Trace trace = record(scenario, bounds, result.failing);
    INFO(scenario.name);
    CHECK(trace.verdict == result.verdict);
    CHECK(trace.detail == result.detail);
    CHECK(as_text(trace) == as_text(record(scenario, bounds, result.failing)));
    for (const int columns : {100, 80, 60})
      CHECK(widest_line(as_text(trace, {.columns = columns})) <= static_cast<std::size_t>(columns));
  }
}

TEST_CASE("many threads: a list instead of columns, still within 100 columns") {
  const std::string text = as_text(trace_of("calibration/mutex_sink_wake_first", {6, 1}));
  CHECK(widest_line(text) <= 100);
  CHECK_THAT(text, testing::contains("producer 6: "));
}

TEST_CASE("choices that do not fit are refused") {
  CHECK_THROWS_AS(record(*scenario_named("output_sink/correct"), {1, 1}, {7}), std::runtime_error);
}

}  // namespace wakeproof::models
