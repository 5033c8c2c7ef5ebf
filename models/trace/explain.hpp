// Explain: finds a counterexample, makes it small, and tells it.
#pragma once

#include <optional>

#include "models/scenario.hpp"
#include "models/search/search.hpp"
#include "trace.hpp"

namespace wakeproof::models {

struct Explanation {
  SearchResult result;         // of the last size that was searched
  std::vector<Bounds> sizes;   // that were searched, the smallest first
  std::optional<Trace> trace;  // with all that is to be told; none where nothing was found
};

// Searches the sizes from the smallest on, up to the first that fails.
Explanation explain(const Scenario& scenario, const std::vector<Bounds>& sizes);
// The sizes of the scenario itself.
std::vector<Bounds> sizes_to_explain(const Scenario& scenario);

// The whole story of one failing schedule: made small first.
Trace tell(const Scenario& scenario, const Bounds& bounds, Verdict verdict, const std::vector<unsigned>& failing);

}  // namespace wakeproof::models
