// The counts that GenMC, Nidhugg and a prototype agree on (mutex sink), by which every change of the
// engine is judged.
#include "ci/catch2.hpp"
#include "search.hpp"

namespace wakeproof::models {

namespace {

SearchResult explore(const std::string& name, int producers, int items,
                     SearchKind::Name kind = SearchKind::Name::dpor) {
  const Scenario* scenario = scenario_named(name);
  REQUIRE(scenario != nullptr);
  SearchOptions options;
  options.kind.name = kind;
  options.keep_going = true;
  return search(*scenario, {producers, items}, options);
}

struct Expected {
  int producers, items;
  std::uint64_t complete, stuck;
};

}  // namespace

TEST_CASE("mutex sink: complete executions, none stuck") {
  for (const Expected& e :
       {Expected{1, 1, 5, 0}, {1, 2, 63, 0}, {1, 3, 713, 0}, {2, 1, 202, 0}, {3, 1, 26'052, 0}, {2, 2, 393'892, 0}}) {
    const SearchResult result = explore("calibration/mutex_sink", e.producers, e.items);
    INFO(e.producers << "x" << e.items);
    CHECK(result.complete == e.complete);
    CHECK(result.stuck == e.stuck);
    CHECK(result.redundant == 0);
    CHECK(result.verdict == Verdict::proved);
  }
}

TEST_CASE("mutex sink, woken before the append (M1)") {
  for (const Expected& e : {Expected{1, 1, 8, 3}, {1, 2, 93, 31}, {2, 1, 516, 220}}) {
    const SearchResult result = explore("calibration/mutex_sink_wake_first", e.producers, e.items);
    CHECK(result.complete == e.complete);
    CHECK(result.stuck == e.stuck);
    CHECK(result.verdict == Verdict::lost_wakeup);
  }
}

TEST_CASE("mutex sink without the second drain (M2)") {
  for (const Expected& e : {Expected{1, 1, 3, 1}, {1, 2, 20, 6}, {2, 1, 80, 16}}) {
    const SearchResult result = explore("calibration/mutex_sink_no_second_drain", e.producers, e.items);
    CHECK(result.complete == e.complete);
    CHECK(result.stuck == e.stuck);
    CHECK(result.verdict == Verdict::lost_wakeup);
  }
}

TEST_CASE("tagged sink: one complete execution for each of the graphs that Nidhugg, GenMC and the oracle count") {
  for (const Expected& e :
       {Expected{1, 1, 6, 0}, {1, 2, 80, 0}, {1, 3, 1'066, 0}, {2, 1, 622, 0}, {3, 1, 751'542, 0}}) {
    const SearchResult result = explore("calibration/tagged_sink", e.producers, e.items);
    INFO(e.producers << "x" << e.items);
    CHECK(result.complete == e.complete);
    CHECK(result.stuck == 0);
    CHECK(result.redundant <= result.complete / 100);
    CHECK(result.verdict == Verdict::proved);
  }
}

TEST_CASE("stock Relacy, on the same steps: 2,151 executions, and never proved") {
  const SearchResult result = explore("calibration/mutex_sink", 1, 1, SearchKind::Name::relacy_full);
  CHECK(result.complete == 2'151);
  CHECK(result.verdict == Verdict::inconclusive);
  CHECK_THAT(result.detail, testing::contains("parks"));
}

TEST_CASE("stock Relacy's searches find what the mutants do wrong") {
  const Scenario& scenario = *scenario_named("calibration/mutex_sink_no_second_drain");
  for (const char* kind : {"relacy-full", "relacy-bound=2", "relacy-random"}) {
    SearchOptions options;
    options.kind = *SearchKind::parse(kind);
    const SearchResult result = search(scenario, {1, 1}, options);
    INFO(kind);
    CHECK(result.verdict == Verdict::lost_wakeup);
    CHECK(result.stuck == 1);
  }
}

TEST_CASE("a search for every number of threads") {
  for (int producers = 1; producers <= 7; ++producers) {
    SearchOptions options;  // stops at the first lost wakeup
    const SearchResult result = search(*scenario_named("calibration/mutex_sink_wake_first"), {producers, 1}, options);
    CHECK(result.verdict == Verdict::lost_wakeup);
  }
}

}  // namespace wakeproof::models
