// Checkpoint: where a command that was stopped stands, as one JSON document, so that it can go on.
#pragma once

#include <string>
#include <vector>

#include "models/search/search.hpp"
#include "unit_document.hpp"

namespace wakeproof::models {

struct Question {
  const Scenario* scenario;
  Bounds bounds;
};

// Searches are asked in order: those with a result are done, but where it has open units.
struct Checkpoint {
  std::vector<Question> questions;
  SearchOptions options;  // kind, keep_going, max_steps, graphs
  std::vector<SearchResult> results;
};

std::string as_json(const Checkpoint& checkpoint);
// Throws BadDocument: damaged, of another version, or of scenarios that this program does not have so.
Checkpoint parse_checkpoint(const std::string& text);

}  // namespace wakeproof::models
