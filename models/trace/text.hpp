// A trace as plain text: one column a thread where there are few, a list otherwise, time downwards;
// beside each row the wake invariant's conjuncts.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

struct TextOptions {
  int columns = 100;    // at most
  bool detail = false;  // every lock and unlock is a row of its own
};

// What happened, and who waits for what at the end.
std::string as_text(const Trace& trace, const TextOptions& options = {});
// The same with the story around it: why, what would have ended well, from where on nothing would.
std::string as_explanation(const Trace& trace, const TextOptions& options = {});

}  // namespace wakeproof::models
