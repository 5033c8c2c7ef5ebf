// A search in parts: the units partition the tree, whatever the depth and the order.
#include <algorithm>
#include <random>

#include "ci/catch2.hpp"
#include "search.hpp"

namespace wakeproof::models {

namespace {

void compare(const std::string& name, const Bounds& bounds, std::size_t wanted) {
  const Scenario& scenario = *scenario_named(name);
  SearchOptions options;
  options.keep_going = true;
  options.graphs = true;
  SearchResult single = search(scenario, bounds, options);
  Split parts = split(scenario, bounds, options, wanted);
  std::shuffle(parts.units.begin(), parts.units.end(), std::mt19937(1));
  std::vector<SearchResult> results{parts.above};
  for (const WorkUnit& unit : parts.units) results.push_back(search_unit(scenario, bounds, options, unit));
  SearchResult whole = combine(std::move(results), options);
  INFO(name << " at " << size_of(bounds) << " in " << parts.units.size() << " units at depth " << parts.depth);
  CHECK(whole.complete == single.complete);
  CHECK(whole.stuck == single.stuck);
  CHECK(whole.verdict == single.verdict);
  CHECK(whole.exhausted);
  CHECK(distinct_graphs(whole, options) == distinct_graphs(single, options));
}

}  // namespace

TEST_CASE("the parts of a search add up to the whole") {
  for (const std::size_t wanted : {2U, 8U, 60U, 400U}) {
    compare("calibration/mutex_sink", {2, 1}, wanted);
    compare("calibration/mutex_sink_wake_first", {2, 1}, wanted);
    compare("calibration/mutex_sink_no_second_drain", {2, 1}, wanted);
    compare("calibration/tagged_sink", {1, 3}, wanted);
    compare("calibration/tagged_sink", {2, 1}, wanted);
    compare("slot_sink/correct", {2, 1}, wanted);
    compare("slot_sink/flag_acquire_release", {1, 2}, wanted);
    compare("output_sink/loop/correct", {2, 1}, wanted);
    compare("output_sink/timed", {2, 1}, wanted);
    compare("output_sink/flag_relaxed", {2, 1}, wanted);
  }
}

TEST_CASE("a unit is searched with the symmetry that it was made with") {
  const Scenario& scenario = *scenario_named("output_sink/correct");
  for (const bool symmetry : {true, false}) {
    SearchOptions made;
    made.kind.symmetry = symmetry;
    SearchOptions searched;
    searched.kind.symmetry = !symmetry;
    const Split parts = split(scenario, {2, 1}, made, 8);
    std::uint64_t complete = parts.above.complete;
    for (const WorkUnit& unit : parts.units) {
      CHECK(unit.interchangeable == (symmetry ? 2 : 0));
      complete += search_unit(scenario, {2, 1}, searched, unit).complete;
    }
    CHECK(complete == (symmetry ? 101 : 202));
  }
}

}  // namespace wakeproof::models
