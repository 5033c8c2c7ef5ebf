// Another program's answer: what it prints, once it has ended.
#pragma once

#include <string>
#include <vector>

namespace wakeproof::models::cli {

// Runs `command`, found as the shell would, without a shell. Blocks until it ends. Gives its standard output. Throws
// UsageError where it cannot be run, or ends with another status than 0: with the last line that it said.
std::string output_of(const std::vector<std::string>& command);

}  // namespace wakeproof::models::cli
