// Pool: one search on all cores. Worker processes pull work units from a queue; one that has nothing
// left to do gets a share of what another one is at. The counts are those of the search on one core,
// but for what is redundant.
#pragma once

#include "parts.hpp"

namespace wakeproof::models {

// Only for dpor. A worker that dies gives its unit back; throws std::runtime_error when a unit has
// killed several. `options.max_executions` holds for all workers together.
SearchResult search_in_parallel(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                                int workers);

// Goes on with a search: `done` is what is known, `open` what is left. `options.max_executions` are more.
SearchResult search_rest(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         SearchResult done, std::vector<WorkUnit> open, int workers);

}  // namespace wakeproof::models
