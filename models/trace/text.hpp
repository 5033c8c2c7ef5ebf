// A trace as plain text: one column a thread where there are few, a list otherwise, time downwards;
// beside each row the wake invariant's conjuncts.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

struct TextOptions {
  int columns = 100;    // at most
  bool detail = false;  // every lock and unlock is a row of its own
  bool title = true;    // scenario, size and verdict first
};

// What happened, and who waits for what at the end.
std::string as_text(const Trace& trace, const TextOptions& options = {});
// The same with the story around it: why, what would have ended well, from where on nothing would.
std::string as_explanation(const Trace& trace, const TextOptions& options = {});

// For what prints a trace piece by piece. A paragraph's later lines begin with `indent`.
void append_paragraph(std::string& out, const std::string& text, int columns, const std::string& first = "",
                      const std::string& indent = "");
// "Q A . P  ok": the invariant's conjuncts, and whether it holds.
std::string ribbon(const TraceInvariant& invariant);

}  // namespace wakeproof::models
