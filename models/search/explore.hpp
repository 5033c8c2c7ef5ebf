// Explore: lets the machine run executions as a strategy asks, and adds up what they come to.
#pragma once

#include "search.hpp"

namespace wakeproof::models {

class Dpor;

// A search by dpor as the options ask for it, from the beginning.
Dpor make_dpor(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options);

// `dpor`: the strategy, where it is that one. No strategy: one of Relacy's own searches.
SearchResult explore(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, Strategy* strategy,
                     const Dpor* dpor);

// Says what a search that found nothing, and was not stopped, amounts to.
void conclude(SearchResult& result, const SearchOptions& options);

}  // namespace wakeproof::models
