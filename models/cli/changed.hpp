// Changed: which scenarios a change to the sources can have touched, by git and by what the build wrote down.
#pragma once

#include <string>
#include <vector>

#include "models/scenario.hpp"

namespace wakeproof::models::cli {

// Those of `scenarios` that a change since `revision`, committed or not, can have touched. A scenario is written in
// one source; it is touched where one of the files that this was compiled from changed, and every scenario is where
// that happened to the rest of the program, or to a file of CMake's: rather one too many. What lies outside the
// repository is not looked at.
// `build_folder`: empty for the one that this program lies in. Throws UsageError: git or the build cannot tell.
std::vector<const Scenario*> changed_since(const std::string& revision, const std::string& build_folder,
                                           const std::vector<const Scenario*>& scenarios);

}  // namespace wakeproof::models::cli
