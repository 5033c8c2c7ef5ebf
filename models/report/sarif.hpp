// Results as SARIF 2.1.0, which code scanning reads: a rule a verdict, a result for each that was not expected.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"

namespace wakeproof::models {

// A counterexample is a code flow, a thread flow for each of its threads, with the steps' numbers as the order of
// execution. A file is relative to %SRCROOT%. Fingerprints are made of names alone, the scenario's, the verdict's
// and those of the place where it is found: neither a line that moved nor another machine makes a finding new.
// `status`: the command's exit status.
std::string results_as_sarif(const std::vector<Answer>& answers, int status);

}  // namespace wakeproof::models
