// Whether a trace refers to nothing that it does not have, so that a rendering need not ask.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

// Empty, or what is wrong, such as "step 7 is of thread 9, and there are 2".
std::string inconsistency(const Trace& trace);

}  // namespace wakeproof::models
