// Select: which scenarios a call means, by name or by glob, and what it may have meant otherwise.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"

namespace wakeproof::models::cli {

// By name. In a glob `*` also matches `/`. Throws UsageError when a glob matches none, nobody has a tag, or nothing is
// left; but with changed_since that is an answer: nothing changed.
std::vector<const Scenario*> select(const Selection& selection);

// Throws UsageError when there is none, with the name that it is closest to.
const Scenario& scenario_called(const std::string& name);

}  // namespace wakeproof::models::cli
