// Recording: runs one schedule again with an observer, and writes down what happened.
#pragma once

#include <vector>

#include "models/scenario.hpp"
#include "trace.hpp"

namespace wakeproof::models {

// `choices` as a search left them; beyond their end the first enabled thread goes on. Throws
// std::runtime_error when they do not fit the scenario.
Trace record(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices);

}  // namespace wakeproof::models
