// The whole table of litmus tests, and that a table which is wrong is told.
#include "litmus.hpp"

#include <map>

#include "ci/catch2.hpp"

namespace wakeproof::models {

TEST_CASE("litmus: every test shows what C++20 allows, but for the known deviations") {
  const std::vector<LitmusAnswer> answers = ask_all_litmus();
  CHECK(answers.size() >= 40);
  for (const LitmusAnswer& answer : answers) {
    INFO(answer.litmus.name);
    CHECK(answer.as_known());
    // A deviation has a reason, and a reason a deviation.
    CHECK(answer.litmus.not_shown.outcomes.empty() == std::string(answer.litmus.not_shown.reason).empty());
    CHECK(answer.litmus.not_allowed.outcomes.empty() == std::string(answer.litmus.not_allowed.reason).empty());
  }
}

TEST_CASE("litmus: the numbers of shown and of allowed outcomes that the literature has") {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> known = {
      {"SB", {4, 4}},
      {"SB+sc", {3, 3}},
      {"SB+fences", {3, 3}},
      {"SB+rmw", {3, 3}},
      {"MP", {4, 4}},
      {"MP+rel+acq", {3, 3}},
      {"LB", {3, 4}},
      {"2+2W", {3, 4}},
      {"IRIW+rel+acq", {16, 16}},
      {"IRIW+sc", {15, 15}},
      {"SB+fence+sc", {4, 3}},
      {"MP+own-store", {4, 5}},
      {"SB+light+heavy", {3, 3}},
      {"SB+light+light", {4, 4}},
  };
  std::size_t found = 0;
  for (const LitmusAnswer& answer : ask_all_litmus()) {
    const auto counts = known.find(answer.litmus.name);
    if (counts == known.end()) continue;
    ++found;
    INFO(answer.litmus.name);
    CHECK(answer.shown.size() == counts->second.first);
    CHECK(answer.litmus.allowed.size() == counts->second.second);
  }
  CHECK(found == known.size());
}

TEST_CASE("litmus: the deviations, all of them") {
  LitmusOutcomes deviating;
  for (const LitmusAnswer& answer : ask_all_litmus()) {
    if (!answer.not_shown.empty()) deviating.insert(answer.litmus.name + std::string(" not shown"));
    if (!answer.not_allowed.empty()) deviating.insert(answer.litmus.name + std::string(" not allowed"));
  }
  CHECK(deviating == LitmusOutcomes{"2+2W not shown", "LB not shown", "MP+own-store not shown", "S not shown",
                                    "SB+failed-cas not shown", "SB+fence+sc not allowed", "SB+rmw-reads not shown"});
  CHECK(kOutOfReach.size() == 2);
}

TEST_CASE("litmus: a wrong table is told, in both directions") {
  Litmus stronger = litmus_of_memory().front();
  stronger.allowed.erase("00");
  CHECK_FALSE(ask(stronger).as_known());
  CHECK(ask(stronger).not_allowed == LitmusOutcomes{"00"});
  Litmus weaker = litmus_of_memory().front();
  weaker.allowed.insert("22");
  CHECK_FALSE(ask(weaker).as_known());
  CHECK(ask(weaker).not_shown == LitmusOutcomes{"22"});
  Litmus repaired = litmus_of_memory().front();
  repaired.not_shown = {{"00"}, "a deviation that is no longer there"};
  CHECK_FALSE(ask(repaired).as_known());
}

}  // namespace wakeproof::models
