#include "parts.hpp"

#include <algorithm>
#include <utility>

#include "dpor.hpp"
#include "explore.hpp"

namespace wakeproof::models {

SearchResult search_unit(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         const WorkUnit& unit) {
  Dpor dpor = make_dpor(scenario, bounds, options);
  dpor.follow(unit);
  return explore(scenario, bounds, options, &dpor, &dpor);
}

Split split_below(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, const WorkUnit& unit,
                  int steps) {
  Dpor dpor = make_dpor(scenario, bounds, options);
  dpor.follow(unit);
  dpor.split_at(unit.depth + steps);
  SearchResult above = explore(scenario, bounds, options, &dpor, &dpor);
  return {unit.depth + steps, std::move(above), dpor.units()};
}

WorkUnit whole_tree(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  WorkUnit unit;
  unit.interchangeable = interchangeable_threads(scenario, bounds, options.kind);
  return unit;
}

Split split(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, std::size_t wanted) {
  constexpr int kDeepest = 200;
  Split split;
  for (int depth = 2; depth <= kDeepest; depth += 2) {
    Dpor dpor = make_dpor(scenario, bounds, options);
    dpor.split_at(depth);
    split = {depth, explore(scenario, bounds, options, &dpor, &dpor), dpor.units()};
    if (!split.above.open.empty()) {  // stopped: nothing of it counts
      split.above.open = {whole_tree(scenario, bounds, options)};
      split.units.clear();
      return split;
    }
    // Enough, or there is nothing to be had by going deeper.
    if (split.units.size() >= wanted || split.units.empty() || !split.above.exhausted) break;
  }
  // Where one stopped to keep a unit nothing was begun in vain.
  split.above.redundant -= std::min<std::uint64_t>(split.above.redundant, split.units.size());
  return split;
}

std::vector<WorkUnit> give_back(SearchResult& part) {
  if (part.open.empty()) return {};
  part.exhausted = true;
  if (!found_something(part)) part.detail.clear();
  return std::exchange(part.open, {});
}

bool found_something(const SearchResult& result) {
  return result.verdict != Verdict::proved && result.verdict != Verdict::inconclusive;
}

void PartSum::add(SearchResult part) {
  whole_.complete += part.complete;
  whole_.redundant += part.redundant;
  whole_.stuck += part.stuck;
  whole_.cut += part.cut;
  for (std::size_t i = 0; i < whole_.findings.size(); ++i) whole_.findings[i] += part.findings[i];
  whole_.steps_max = std::max(whole_.steps_max, part.steps_max);
  whole_.exhausted = (first_ || whole_.exhausted) && part.exhausted;
  whole_.graphs.insert(whole_.graphs.end(), part.graphs.begin(), part.graphs.end());
  whole_.open.insert(whole_.open.end(), part.open.begin(), part.open.end());
  // A mutation that applies somewhere applies.
  std::erase_if(whole_.unused_mutations, [&](const std::string& mutation) {
    return std::find(part.unused_mutations.begin(), part.unused_mutations.end(), mutation) ==
           part.unused_mutations.end();
  });
  if (std::exchange(first_, false)) whole_.unused_mutations = part.unused_mutations;
  const bool found_before = whole_.verdict != Verdict::inconclusive;
  const bool cut_short = !part.exhausted && part.verdict == Verdict::inconclusive;
  if ((found_something(part) && !found_before) || (cut_short && !found_before && whole_.detail.empty())) {
    whole_.verdict = part.verdict;
    whole_.detail = std::move(part.detail);
    whole_.failing = std::move(part.failing);
  }
}

void PartSum::leave_open(std::vector<WorkUnit> units, const std::string& why) {
  whole_.open = std::move(units);
  whole_.exhausted = false;
  if (whole_.detail.empty()) whole_.detail = why;
}

SearchResult PartSum::result(const SearchOptions& options) {
  conclude(whole_, options);
  return std::move(whole_);
}

SearchResult combine(std::vector<SearchResult> parts, const SearchOptions& options) {
  PartSum sum;
  for (SearchResult& part : parts) sum.add(std::move(part));
  return sum.result(options);
}

}  // namespace wakeproof::models
