// Phrases: what renderings say in the same words.
#pragma once

#include <string>
#include <vector>

#include "trace.hpp"

namespace wakeproof::models {

// "10 steps, 1 preemption, no stale reads; there is no smaller one"; empty where nothing was minimised.
std::string smallness_in_words(const Trace& trace);
// "1 of the 4 executions fails"
std::string share_in_words(const TraceShare& share);
// The nearest schedule that ends well, and the point of no return: a paragraph each.
std::vector<std::string> passing_in_words(const Trace& trace);
std::vector<std::string> no_return_in_words(const Trace& trace);

}  // namespace wakeproof::models
