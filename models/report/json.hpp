// Results and the catalogue as JSON. Fields may be added, never renamed.
#pragma once

#include <string>
#include <vector>

#include "models/search/search.hpp"

namespace wakeproof::models {

// One scenario at one size, searched.
struct Answer {
  const Scenario* scenario;
  Bounds bounds;
  SearchKind search;
  Verdict expected;
  SearchResult result;
  std::string trace = {};  // the file that tells the counterexample, where one was written

  bool as_expected() const { return result.verdict == expected; }
};

std::string results_as_json(const std::vector<Answer>& answers);
std::string list_as_json(const std::vector<const Scenario*>& scenarios);

}  // namespace wakeproof::models
