// Why: the story of a counterexample in sentences, made from its trace alone.
//
// Each has the steps that it is about. Their words: `let` something be so, which is no fault yet;
// `because` of what somebody saw or did not see; `therefore` what went wrong; `however` what would have
// put it right and does not come; `finally` what the subject lacks.
#pragma once

#include <vector>

#include "trace.hpp"

namespace wakeproof::models {

std::vector<TraceSentence> why(const Trace& trace);

}  // namespace wakeproof::models
