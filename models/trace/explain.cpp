#include "explain.hpp"

#include <algorithm>
#include <tuple>

#include "minimise.hpp"
#include "passing.hpp"
#include "record.hpp"
#include "why.hpp"

namespace wakeproof::models {

std::vector<Bounds> sizes_to_explain(const Scenario& scenario) {
  std::vector<Bounds> sizes = scenario.sizes;
  for (const Bounds& size : scenario.fails_from) {
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  }
  const auto smaller = [](const Bounds& a, const Bounds& b) {
    return std::tuple(a.producers * a.items, a.producers) < std::tuple(b.producers * b.items, b.producers);
  };
  std::sort(sizes.begin(), sizes.end(), smaller);
  return sizes;
}

Trace tell(const Scenario& scenario, const Bounds& bounds, Verdict verdict, const std::vector<unsigned>& failing) {
  const Smallest smallest = minimise(scenario, bounds, verdict, failing);
  Trace trace = record(scenario, bounds, smallest.choices);
  trace.minimum = smallest.minimum;
  trace.passing = nearest_passing(scenario, trace);
  trace.no_return = no_return(scenario, trace);
  trace.why = why(trace);
  return trace;
}

Explanation explain(const Scenario& scenario, const std::vector<Bounds>& sizes) {
  Explanation explanation;
  for (const Bounds& bounds : sizes) {
    explanation.sizes.push_back(bounds);
    explanation.result = search(scenario, bounds, {});
    const Verdict verdict = explanation.result.verdict;
    if (verdict == Verdict::proved || verdict == Verdict::inconclusive) continue;
    explanation.trace = tell(scenario, bounds, verdict, explanation.result.failing);
    break;
  }
  return explanation;
}

}  // namespace wakeproof::models
