// The random searches: fair, repeatable, finders of known faults, and never provers.
#include "random.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "ci/catch2.hpp"
#include "models/trace/record.hpp"
#include "search.hpp"

namespace wakeproof::models {

namespace {

// 2x2, but for a script whose producers put one item each.
Bounds large_size_of(const Scenario& scenario) {
  const bool several =
      std::any_of(scenario.sizes.begin(), scenario.sizes.end(), [](const Bounds& size) { return size.items > 1; });
  return scenario.size(2, several ? 2 : 1);
}

SearchResult draw(const std::string& name, const std::string& kind, std::uint64_t seed = 1,
                  std::uint64_t executions = 20'000) {
  SearchOptions options;
  options.kind = SearchKind::parse(kind).value();
  options.kind.seed = seed;
  options.max_executions = executions;
  const Scenario& scenario = *scenario_named(name);
  return search(scenario, large_size_of(scenario), options);
}

// How often `strategy` changes the thread in `steps` steps in which all three threads can go on.
int changes_of_thread(Strategy& strategy, int steps) {
  const Situation situation{.enabled = 7, .unfinished = 7};
  strategy.begin_execution();
  int changes = 0;
  ThreadId before = strategy.choose_thread(situation);
  for (int step = 1; step < steps; ++step) {
    const ThreadId now = strategy.choose_thread(situation);
    changes += now != before;
    before = now;
  }
  strategy.end_execution(Ending::complete);
  return changes;
}

}  // namespace

TEST_CASE("random searches are written as they are read") {
  for (const std::string text : {"random", "pct=1", "pct=3", "pct=100"}) {
    const auto kind = SearchKind::parse(text);
    REQUIRE(kind.has_value());
    CHECK(kind->text() == text);
    CHECK(kind->is_random());
    CHECK_FALSE(kind->is_stock());
  }
  for (const std::string text : {"pct", "pct=", "pct=0", "pct=101", "pct=3x", "randomly"}) {
    CHECK_FALSE(SearchKind::parse(text).has_value());
  }
}

TEST_CASE("a random walk chooses evenly among the threads that can go on, and among values") {
  RandomWalk walk(7);
  walk.begin_execution();
  std::map<ThreadId, int> threads;
  std::map<unsigned, int> values;
  for (int i = 0; i < 3000; ++i) {
    ++threads[walk.choose_thread({.enabled = 0b10110, .unfinished = 0b11111})];
    ++values[walk.choose_value(3)];
  }
  CHECK(threads.size() == 3);
  CHECK(values.size() == 3);
  for (const ThreadId thread : {1, 2, 4}) CHECK(std::abs(threads[thread] - 1000) < 150);
  for (const unsigned value : {0U, 1U, 2U}) CHECK(std::abs(values[value] - 1000) < 150);
  CHECK(walk.choices().size() == 6000);
}

TEST_CASE("pct of depth d changes priorities d - 1 times, from the second execution on") {
  Pct constant(3, 1, 1);
  for (int execution = 0; execution < 50; ++execution) CHECK(changes_of_thread(constant, 20) == 0);
  Pct three(3, 3, 1);
  CHECK(changes_of_thread(three, 20) == 0);  // how long an execution is was not known
  int most = 0;
  for (int execution = 0; execution < 200; ++execution) most = std::max(most, changes_of_thread(three, 20));
  CHECK(most == 2);
}

TEST_CASE("pct lets every thread be the first") {
  Pct pct(3, 2, 5);
  unsigned first = 0;
  for (int execution = 0; execution < 50; ++execution) {
    pct.begin_execution();
    first |= 1U << pct.choose_thread({.enabled = 7, .unfinished = 7});
    pct.end_execution(Ending::complete);
  }
  CHECK(first == 7);
}

TEST_CASE("the same seed gives the same executions, another seed others") {
  for (const std::string kind : {"random", "pct=3"}) {
    const SearchResult one = draw("output_sink/event_never_cleared", kind, 11);
    const SearchResult same = draw("output_sink/event_never_cleared", kind, 11);
    CHECK(one.executions() == same.executions());
    CHECK(one.failing == same.failing);
    std::vector<std::vector<unsigned>> failing;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      failing.push_back(draw("output_sink/event_never_cleared", kind, seed).failing);
    }
    CHECK(std::any_of(failing.begin(), failing.end(), [&](const auto& choices) { return choices != failing.front(); }));
  }
}

TEST_CASE("random searches find the mutants of the sinks at 2x2, and what they found can be recorded") {
  for (const Scenario& scenario : catalogue()) {
    const Verdict expected = scenario.expected_at(large_size_of(scenario));
    if (expected == Verdict::proved || scenario.name.starts_with("calibration")) continue;
    if (expected == Verdict::deadline_missed && scenario.ticks > 0) continue;  // a tick between two of a few steps
    for (const std::string kind : {"random", "pct=5"}) {
      const SearchResult result = draw(scenario.name, kind);
      INFO(scenario.name << " by " << kind << ": " << result.detail);
      CHECK(result.verdict == expected);
      CHECK_FALSE(result.exhausted);
      const Trace trace = record(scenario, large_size_of(scenario), result.failing);
      CHECK(trace.verdict == expected);
      CHECK(trace.detail == result.detail);
    }
  }
}

TEST_CASE("what random searches do not find they do not call proved") {
  for (const std::string kind : {"random", "pct=2"}) {
    const SearchResult result = draw("output_sink/correct", kind, 3, 500);
    CHECK(result.verdict == Verdict::inconclusive);
    CHECK(result.complete == 500);
    CHECK_THAT(result.detail, testing::contains("500 executions"));
    CHECK_THAT(result.detail, testing::contains("seed 3"));
  }
  // A lost wakeup needs a preemption, and fixed priorities have none.
  CHECK(draw("output_sink/missing_second_drain", "pct=1").verdict == Verdict::inconclusive);
}

TEST_CASE("a limit on executions makes any search inconclusive, unless it was enough") {
  SearchOptions options;
  options.max_executions = 10;
  const SearchResult few = search(*scenario_named("output_sink/correct"), {2, 1}, options);
  CHECK(few.verdict == Verdict::inconclusive);
  CHECK(few.executions() == 10);
  CHECK_THAT(few.detail, testing::contains("10 executions"));

  options.max_executions = {};
  const SearchResult all = search(*scenario_named("calibration/mutex_sink"), {2, 1}, options);
  options.max_executions = all.executions();
  CHECK(search(*scenario_named("calibration/mutex_sink"), {2, 1}, options).verdict == Verdict::proved);
}

}  // namespace wakeproof::models
