// A search in parts: the units partition the tree, whatever the depth and the order.
#include <algorithm>
#include <random>

#include "ci/catch2.hpp"
#include "parts.hpp"

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

namespace {

// Stops the search every `most` executions, and goes on with what is left in any order.
void stop_and_go(const std::string& name, const Bounds& bounds, std::uint64_t most) {
  const Scenario& scenario = *scenario_named(name);
  SearchOptions options;
  options.keep_going = true;
  options.graphs = true;
  SearchResult single = search(scenario, bounds, options);
  options.max_executions = most;
  std::mt19937 random(1);
  PartSum sum;
  SearchResult part = search(scenario, bounds, options);
  std::vector<WorkUnit> open = give_back(part);
  sum.add(std::move(part));
  int stops = 0;
  for (; !open.empty(); ++stops) {
    std::swap(open[random() % open.size()], open.back());
    const WorkUnit unit = std::move(open.back());
    open.pop_back();
    part = search_unit(scenario, bounds, options, unit);
    std::vector<WorkUnit> rest = give_back(part);
    open.insert(open.end(), rest.begin(), rest.end());
    sum.add(std::move(part));
  }
  SearchResult whole = sum.result(options);
  INFO(name << " at " << size_of(bounds) << ", stopped " << stops << " times after " << most << " executions each");
  CHECK(whole.complete == single.complete);
  CHECK(whole.stuck == single.stuck);
  CHECK(whole.verdict == single.verdict);
  CHECK(whole.exhausted);
  CHECK(distinct_graphs(whole, options) == distinct_graphs(single, options));
}

}  // namespace

TEST_CASE("a search that is stopped anywhere goes on to the same counts") {
  for (const std::uint64_t most : {1U, 2U, 3U, 5U, 17U, 100U, 1000U}) {
    stop_and_go("calibration/mutex_sink", {2, 1}, most);
    stop_and_go("calibration/mutex_sink_wake_first", {2, 1}, most);
    stop_and_go("calibration/tagged_sink", {1, 3}, most);
    stop_and_go("calibration/tagged_sink", {2, 1}, most);
    stop_and_go("slot_sink/correct", {2, 1}, most);
    stop_and_go("slot_sink/flag_acquire_release", {1, 2}, most);
    stop_and_go("output_sink/loop/correct", {2, 1}, most);
    stop_and_go("output_sink/timed", {1, 2}, most);
    stop_and_go("output_sink/flag_relaxed", {2, 1}, most);
  }
  for (const std::uint64_t most : {10U, 100U, 3000U}) {
    stop_and_go("calibration/mutex_sink", {3, 1}, most);
    stop_and_go("slot_sink/correct", {3, 1}, most);
  }
}

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
