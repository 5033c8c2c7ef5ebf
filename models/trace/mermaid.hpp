// A trace as a Mermaid sequence diagram, for Markdown: GitHub draws it in a block marked `mermaid`.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

// `detail`: every lock and unlock is a row of its own.
std::string as_mermaid(const Trace& trace, bool detail = false);

}  // namespace wakeproof::models
