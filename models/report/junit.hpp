// Results as JUnit XML, which most CI systems read: a suite a subject, a case for each scenario and size.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"

namespace wakeproof::models {

// An unexpected verdict is a failure, its steps the failure's body. An inconclusive one is an error: neither it
// nor a skipped case says that something is wrong, but a skipped case leaves a build green, and a race gate that
// did not look must not pass.
std::string results_as_junit(const std::vector<Answer>& answers);

}  // namespace wakeproof::models
