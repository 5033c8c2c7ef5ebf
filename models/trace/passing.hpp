// The nearest schedule that ends well, and from where on none does.
#pragma once

#include <optional>

#include "models/scenario.hpp"
#include "trace.hpp"

namespace wakeproof::models {

// The schedule that shares the longest beginning with the failing one and ends well: another choice is
// tried at its last step first, then at the one before, and so on to the first; below each other
// choice schedules with few preemptions come first. Nothing where none was found. Objects that only it
// has are added to the failing trace's.
std::optional<TracePassing> nearest_passing(const Scenario& scenario, Trace& failing);

// For each beginning of the failing schedule a fresh reduced search of all that can follow it.
TraceNoReturn no_return(const Scenario& scenario, const Trace& failing);

// The same below one beginning: its number of steps and all its choices. Capped at some executions.
TraceShare share_below(const Scenario& scenario, const Bounds& bounds, int steps, std::vector<unsigned> choices);

}  // namespace wakeproof::models
