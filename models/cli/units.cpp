// wakeproof split, unit, merge: one search on many machines.
#include <fmt/core.h>

#include <fstream>
#include <iostream>
#include <list>

#include "cli.hpp"
#include "interrupt.hpp"
#include "models/report/unit_document.hpp"
#include "select.hpp"
#include "table.hpp"

namespace wakeproof::models::cli {

namespace {

const Scenario& scenario_for(const std::string& name, const Bounds& bounds) {
  const Scenario& scenario = scenario_called(name);
  const std::string wrong = scenario.reject(bounds);
  if (!wrong.empty()) throw UsageError(wrong);
  return scenario;
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
    orders.push_back({scenario.name, bounds, wanted, orders.size(), parts.units.size(), {}, unit});
  }
  return orders;
}

std::vector<UnitResult> read_results(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("cannot read '{}'", path));
  std::vector<UnitResult> results;
  std::string line;
  try {
    while (std::getline(file, line)) results.push_back(parse_result(line));
    if (results.empty()) throw BadDocument("damaged, or not a document of wakeproof's");
  } catch (const BadDocument& bad) {
    throw UsageError(fmt::format("'{}': {}", path, bad.what()));
  }
  return results;
}

UnitOrder read_order(const std::string& line) {
  try {
    return parse_order(line);
  } catch (const BadDocument& bad) {
    throw UsageError(fmt::format("this is not a unit as split prints it: {}", bad.what()));
  }
}

std::vector<UnitOrder> orders_in(const UnitOptions& options) {
  if (options.line != "-") return {read_order(options.line)};
  std::vector<UnitOrder> orders;
  std::size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (options.shard.has(number++)) orders.push_back(read_order(line));
  }
  if (number == 0) throw UsageError("there is no unit on standard input");
  return orders;
}

void check_shard(const Shard& shard) {
  if (shard.index < shard.count) return;
  throw UsageError(fmt::format("--shard-index must be 0 to {}, not {}", shard.count - 1, shard.index));
}

// Results by the units that they are of.
class Merge {
 public:
  explicit Merge(const std::vector<std::string>& files) {
    for (const std::string& path : files) {
      for (UnitResult& result : read_results(path)) results_.push_back({path, std::move(result)});
    }
    const UnitOrder& first = results_.front().result.order;
    scenario_ = &scenario_for(first.scenario, first.bounds);
    bounds_ = first.bounds;
    // As the first unit was made; one that was made otherwise is none of these.
    kind_.symmetry = interchangeable_threads(*scenario_, bounds_, kind_) == first.unit.interchangeable;
    // The search is split once more, which is quick: its units, each of them once, are what must be there.
    for (const UnitOrder& order : orders_of(*scenario_, bounds_, first.wanted, kind_.symmetry, above_)) expect(order);
    if (results_.empty()) return;
    const auto& [path, result] = results_.front();
    throw UsageError(fmt::format("'{}' is {}, which is not part of this search of {} at {}", path, result.order.name(),
                                 scenario_->name, size_of(bounds_)));
  }

  const Scenario& scenario() const { return *scenario_; }
  const Bounds& bounds() const { return bounds_; }
  const SearchKind& kind() const { return kind_; }
  const std::vector<UnitOrder>& missing() const { return missing_; }
  SearchResult result() {
    found_.push_back(std::move(above_.above));
    return combine(std::move(found_), unit_options());
  }

 private:
  struct Read {
    std::string path;
    UnitResult result;
  };

  void expect(const UnitOrder& order) {
    const auto is_it = [&](const Read& read) { return read.result.order == order; };
    const auto first = std::find_if(results_.begin(), results_.end(), is_it);
    if (first == results_.end()) return missing_.push_back(order);
    const Read read = std::move(*first);
    results_.erase(first);
    const auto second = std::find_if(results_.begin(), results_.end(), is_it);
    if (second != results_.end()) {
      throw UsageError(fmt::format("{} is there twice: '{}' and '{}'", order.name(), read.path, second->path));
    }
    for (const UnitOrder& rest : orders_given_back(read.result)) expect(rest);
    found_.push_back(read.result.result);
    give_back(found_.back());
  }

  const Scenario* scenario_ = nullptr;
  Bounds bounds_;
  SearchKind kind_;
  Split above_;
  std::list<Read> results_;  // not yet matched
  std::vector<SearchResult> found_;
  std::vector<UnitOrder> missing_;
};

}  // namespace

int split(const SplitOptions& options) {
  check_shard(options.shard);
  const Scenario* named = scenario_named(options.scenario);
  Bounds bounds{options.producers, options.items, options.max_items, named != nullptr ? named->ticks : 0};
  const Scenario& scenario = scenario_for(options.scenario, bounds);
  Split parts;
  for (const UnitOrder& order : orders_of(scenario, bounds, options.units, options.symmetry, parts)) {
    if (options.shard.has(order.index)) fmt::print("{}\n", as_line(order));
  }
  return kAsExpected;
}

// Every unit gets its line, also one that there was no time to begin: it is given back whole.
int unit(const UnitOptions& options) {
  check_shard(options.shard);
  SearchOptions search_options = unit_options();
  search_options.interrupt = &interrupts();
  if (options.budget_s > 0) {
    search_options.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(options.budget_s));
  }
  int status = kAsExpected;
  for (const UnitOrder& order : orders_in(options)) {
    const Scenario& scenario = scenario_for(order.scenario, order.bounds);
    const SearchResult result = search_unit(scenario, order.bounds, search_options, order.unit);
    fmt::print("{}\n", as_line(UnitResult{order, result}));
    std::fflush(stdout);
    if (!result.exhausted) status = kInconclusive;
  }
  return status;
}

int merge(const MergeOptions& options) {
  Merge merge(options.files);
  if (options.missing) {
    for (const UnitOrder& order : merge.missing()) fmt::print("{}\n", as_line(order));
    return kAsExpected;
  }
  if (!merge.missing().empty()) {
    throw UsageError(fmt::format("{} is missing{}", merge.missing().front().name(),
                                 merge.missing().size() == 1 ? ""
                                                             : fmt::format(", and {} more; merge --missing prints them",
                                                                           merge.missing().size() - 1)));
  }
  Answer answer{&merge.scenario(), merge.bounds(), merge.kind(), merge.scenario().expected_at(merge.bounds()),
                merge.result()};
  Table table(stdout, merge.scenario().name.size());
  table.head(answer.search);
  table.row(answer);
  if (answer.as_expected()) return kAsExpected;
  return answer.result.verdict == Verdict::inconclusive ? kInconclusive : kUnexpectedVerdict;
}

}  // namespace wakeproof::models::cli
