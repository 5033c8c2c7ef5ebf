// wakeproof litmus
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "models/litmus/litmus.hpp"

namespace wakeproof::models::cli {

namespace {

using nlohmann::ordered_json;

std::string words(const LitmusOutcomes& outcomes) {
  std::string all;
  for (const std::string& outcome : outcomes) all += (all.empty() ? "" : ", ") + outcome;
  return all;
}

void explain(const char* what, const LitmusOutcomes& found, const Deviation& known) {
  if (found.empty() && known.outcomes.empty()) return;
  if (found == known.outcomes) return fmt::print("    {} {}: {}\n", what, words(found), known.reason);
  fmt::print("    UNKNOWN DEVIATION: {} {}, where it is known of {}\n", what, found.empty() ? "none" : words(found),
             known.outcomes.empty() ? "none" : words(known.outcomes));
}

void show(const std::vector<LitmusAnswer>& answers) {
  std::size_t widest = 0;
  for (const LitmusAnswer& answer : answers) widest = std::max(widest, std::string(answer.litmus.name).size());
  fmt::print("search dpor, memory model {}; an outcome is the values read, in the order of the text\n\n", kMemoryModel);
  fmt::print("{:{}}  {:>5}  {:>7}  {:>9}  {:>11}  {}\n", "test", widest, "shown", "allowed", "not shown", "not allowed",
             "program");
  for (const LitmusAnswer& answer : answers) {
    fmt::print("{:{}}  {:>5}  {:>7}  {:>9}  {:>11}  {}\n", answer.litmus.name, widest, answer.shown.size(),
               answer.litmus.allowed.size(), answer.not_shown.size(), answer.not_allowed.size(), answer.litmus.program);
    explain("allowed, but not shown", answer.not_shown, answer.litmus.not_shown);
    explain("shown, but not allowed", answer.not_allowed, answer.litmus.not_allowed);
  }
  fmt::print("\nFound wrong by another checker, and out of reach of this model, which appends every store:\n");
  for (const OutOfReach& found : kOutOfReach) fmt::print("  {}\n    {}\n", found.name, found.what);
  const auto unknown = std::count_if(answers.begin(), answers.end(), [](const auto& a) { return !a.as_known(); });
  const auto differing = std::count_if(answers.begin(), answers.end(),
                                       [](const auto& a) { return !a.not_shown.empty() || !a.not_allowed.empty(); });
  fmt::print("\n{} tests: {} as C++20 has it, {} with a deviation, {} with an UNKNOWN one\n", answers.size(),
             static_cast<std::ptrdiff_t>(answers.size()) - differing, differing, unknown);
}

std::string as_json(const std::vector<LitmusAnswer>& answers) {
  ordered_json tests = ordered_json::array();
  for (const LitmusAnswer& answer : answers) {
    tests.push_back({{"name", answer.litmus.name},
                     {"program", answer.litmus.program},
                     {"shown", answer.shown},
                     {"allowed", answer.litmus.allowed},
                     {"not_shown", answer.not_shown},
                     {"not_shown_reason", answer.litmus.not_shown.reason},
                     {"not_allowed", answer.not_allowed},
                     {"not_allowed_reason", answer.litmus.not_allowed.reason},
                     {"as_known", answer.as_known()}});
  }
  ordered_json out_of_reach = ordered_json::array();
  for (const OutOfReach& found : kOutOfReach) out_of_reach.push_back({{"name", found.name}, {"what", found.what}});
  return ordered_json{{"wakeproof", WAKEPROOF_VERSION},
                      {"search", "dpor"},
                      {"memory_model", kMemoryModel},
                      {"litmus", tests},
                      {"out_of_reach", out_of_reach}}
      .dump(2);
}

}  // namespace

int litmus(const LitmusOptions& options) {
  const std::vector<LitmusAnswer> answers = ask_all_litmus();
  if (options.json) {
    fmt::print("{}\n", as_json(answers));
  } else {
    show(answers);
  }
  const bool known = std::all_of(answers.begin(), answers.end(), [](const auto& a) { return a.as_known(); });
  return known ? kAsExpected : kUnexpectedVerdict;
}

}  // namespace wakeproof::models::cli
