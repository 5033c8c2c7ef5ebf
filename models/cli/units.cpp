// wakeproof split, unit, merge: one search on many machines.
#include <fmt/core.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "cli.hpp"
#include "models/report/unit_document.hpp"
#include "table.hpp"

namespace wakeproof::models::cli {

namespace {

const Scenario& scenario_for(const std::string& name, const Bounds& bounds) {
  const Scenario* scenario = scenario_named(name);
  if (scenario == nullptr) throw UsageError("no scenario is called '" + name + "'; wakeproof list shows them all");
  const std::string wrong = scenario->reject(bounds);
  if (!wrong.empty()) throw UsageError(wrong);
  return *scenario;
}

// Everything is counted: what one unit finds says nothing of the others.
SearchOptions unit_options(bool symmetry = true) {
  SearchOptions options;
  options.kind.symmetry = symmetry;
  options.keep_going = true;
  return options;
}

std::vector<UnitOrder> orders_of(const Scenario& scenario, const Bounds& bounds, std::size_t wanted, bool symmetry,
                                 Split& parts) {
  parts = models::split(scenario, bounds, unit_options(symmetry), wanted);
  std::vector<UnitOrder> orders;
  for (const WorkUnit& unit : parts.units) {
    orders.push_back({scenario.name, bounds, wanted, orders.size(), parts.units.size(), unit});
  }
  return orders;
}

UnitResult read_result(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("cannot read '{}'", path));
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return parse_result(text.str());
  } catch (const BadDocument& bad) {
    throw UsageError(fmt::format("'{}': {}", path, bad.what()));
  }
}

}  // namespace

int split(const SplitOptions& options) {
  Bounds bounds{options.producers, options.items, options.max_items};
  const Scenario& scenario = scenario_for(options.scenario, bounds);
  Split parts;
  for (const UnitOrder& order : orders_of(scenario, bounds, options.units, options.symmetry, parts)) {
    fmt::print("{}\n", as_line(order));
  }
  return kAsExpected;
}

int unit(const std::string& argument) {
  UnitOrder order;
  std::string line = argument;
  if (argument == "-") std::getline(std::cin, line);
  try {
    order = parse_order(line);
  } catch (const BadDocument& bad) {
    throw UsageError(fmt::format("this is not a unit as split prints it: {}", bad.what()));
  }
  const Scenario& scenario = scenario_for(order.scenario, order.bounds);
  const SearchResult result = search_unit(scenario, order.bounds, unit_options(), order.unit);
  fmt::print("{}\n", as_line(UnitResult{order, result}));
  return result.exhausted ? kAsExpected : kInconclusive;
}

// The search is split once more, which is quick: its units, each of them once, are what must be there.
int merge(const std::vector<std::string>& files) {
  std::vector<UnitResult> results;
  for (const std::string& path : files) results.push_back(read_result(path));
  const UnitOrder& first = results.front().order;
  const Scenario& scenario = scenario_for(first.scenario, first.bounds);
  // As the first unit was made; one that was made otherwise is none of these.
  SearchKind kind;
  kind.symmetry = interchangeable_threads(scenario, first.bounds, kind) == first.unit.interchangeable;
  Split parts;
  const std::vector<UnitOrder> expected = orders_of(scenario, first.bounds, first.wanted, kind.symmetry, parts);
  std::vector<const std::string*> found(expected.size(), nullptr);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const UnitOrder& order = results[i].order;
    if (order.index >= expected.size() || !(order == expected[order.index])) {
      throw UsageError(fmt::format("'{}' is {}, which is not part of this search of {} at {}", files[i], order.name(),
                                   first.scenario, size_of(first.bounds)));
    }
    if (found[order.index] != nullptr) {
      throw UsageError(fmt::format("{} is there twice: '{}' and '{}'", order.name(), *found[order.index], files[i]));
    }
    found[order.index] = &files[i];
  }
  for (const UnitOrder& order : expected) {
    if (found[order.index] == nullptr) throw UsageError(fmt::format("{} is missing", order.name()));
  }
  std::vector<SearchResult> all{parts.above};
  for (UnitResult& result : results) all.push_back(std::move(result.result));
  Answer answer{&scenario, first.bounds, kind, scenario.expected_at(first.bounds),
                combine(std::move(all), unit_options())};
  Table table(stdout, scenario.name.size());
  table.head(answer.search);
  table.row(answer);
  if (answer.as_expected()) return kAsExpected;
  return answer.result.verdict == Verdict::inconclusive ? kInconclusive : kUnexpectedVerdict;
}

}  // namespace wakeproof::models::cli
