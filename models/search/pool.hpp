// Pool: one search on all cores. Worker processes, for Relacy has one context a process, pull work
// units from a queue; the counts are those of the search on one core, but for what is redundant.
#pragma once

#include "search.hpp"

namespace wakeproof::models {

// Only for dpor. A worker that dies gives its unit back; throws std::runtime_error when a unit has
// killed several.
SearchResult search_in_parallel(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                                int workers);

}  // namespace wakeproof::models
