// Results and the catalogue as JSON. Fields may be added, never renamed.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/search/search.hpp"
#include "models/trace/token.hpp"
#include "models/trace/trace.hpp"

namespace wakeproof::models {

// One scenario at one size, searched.
struct Answer {
  const Scenario* scenario;
  Bounds bounds;
  SearchKind search;
  Verdict expected;
  SearchResult result;
  std::string trace = {};                        // the file that tells the counterexample, where one was written
  std::shared_ptr<const Trace> story = nullptr;  // the counterexample; see tell_story()

  bool as_expected() const { return result.verdict == expected; }
  // What replays the execution that the verdict is about; none where no choices are known.
  std::optional<Token> token() const;
};

nlohmann::ordered_json as_json(const Answer& answer);
nlohmann::ordered_json as_json(const Bounds& bounds);
std::string results_as_json(const std::vector<Answer>& answers);
std::string list_as_json(const std::vector<const Scenario*>& scenarios);

}  // namespace wakeproof::models
