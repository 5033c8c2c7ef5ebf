// Select: which scenarios a call means, by name or by glob, and what it may have meant otherwise.
#pragma once

#include <string>
#include <vector>

#include "models/scenario.hpp"

namespace wakeproof::models::cli {

// Those whose names match one of the globs, in which `*` also matches `/`, and none of the excluded ones; all
// without a glob. By name. Throws UsageError when a glob matches none, or nothing is left.
std::vector<const Scenario*> select(const std::vector<std::string>& globs,
                                    const std::vector<std::string>& excluded = {});

// Throws UsageError when there is none, with the name that it is closest to.
const Scenario& scenario_called(const std::string& name);

}  // namespace wakeproof::models::cli
