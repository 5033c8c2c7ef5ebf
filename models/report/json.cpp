#include "json.hpp"

#include <nlohmann/json.hpp>

namespace wakeproof::models {

using nlohmann::ordered_json;

std::optional<Token> Answer::token() const {
  if (result.verdict == Verdict::proved || result.verdict == Verdict::inconclusive) return std::nullopt;
  const std::vector<unsigned>& choices = story != nullptr ? story->choices : result.failing;
  if (choices.empty()) return std::nullopt;
  return Token{scenario->name, bounds, result.verdict, choices};
}

ordered_json as_json(const Bounds& bounds) {
  return {
      {"producers", bounds.producers}, {"items", bounds.items}, {"batch", bounds.max_items}, {"ticks", bounds.ticks}};
}

ordered_json as_json(const Answer& answer) {
  const SearchResult& result = answer.result;
  const std::optional<Token> token = answer.token();
  ordered_json findings = ordered_json::object();
  for (int i = 1; i < kVerdicts; ++i) {
    const auto count = result.findings[static_cast<std::size_t>(i)];
    if (count > 0) findings[std::string(name_of(static_cast<Verdict>(i)))] = count;
  }
  return {{"name", answer.scenario->name},
          {"bounds", as_json(answer.bounds)},
          {"search", answer.search.text()},
          {"seed", answer.search.is_random() ? ordered_json(answer.search.seed) : ordered_json(nullptr)},
          {"interchangeable_threads", interchangeable_threads(*answer.scenario, answer.bounds, answer.search)},
          {"memory_model", kMemoryModel},
          {"verdict", name_of(result.verdict)},
          {"expected", name_of(answer.expected)},
          {"as_expected", answer.as_expected()},
          {"detail", result.detail},
          {"exhausted", result.exhausted},
          {"cached", result.cached},
          {"executions",
           {{"complete", result.complete},
            {"redundant", result.redundant},
            {"stuck", result.stuck},
            {"cut", result.cut},
            {"distinct", result.distinct ? ordered_json(*result.distinct) : ordered_json(nullptr)}}},
          {"findings", findings},
          {"steps_max", result.steps_max},
          {"wall_s", result.wall_s},
          {"trace", answer.trace.empty() ? ordered_json(nullptr) : ordered_json(answer.trace)},
          {"replay", token ? ordered_json(token->text()) : ordered_json(nullptr)}};
}

std::string results_as_json(const std::vector<Answer>& answers) {
  ordered_json results = ordered_json::array();
  for (const Answer& answer : answers) results.push_back(as_json(answer));
  return ordered_json{{"wakeproof", WAKEPROOF_VERSION}, {"results", results}}.dump(
      2, ' ', false, ordered_json::error_handler_t::replace);
}

namespace {

ordered_json as_json(const std::vector<Bounds>& sizes) {
  ordered_json list = ordered_json::array();
  for (const Bounds& size : sizes) list.push_back(wakeproof::models::as_json(size));
  return list;
}

}  // namespace

std::string list_as_json(const std::vector<const Scenario*>& scenarios) {
  ordered_json list = ordered_json::array();
  for (const Scenario* scenario : scenarios) {
    ordered_json mutations = ordered_json::array();
    for (const Mutation& mutation : scenario->mutations) mutations.push_back(describe(mutation));
    list.push_back({{"name", scenario->name},
                    {"tags", scenario->all_tags()},
                    {"story", scenario->story},
                    {"expected", name_of(scenario->expected)},
                    {"fails_from", as_json(scenario->fails_from)},
                    {"mutations", mutations},
                    {"sizes", as_json(scenario->sizes)},
                    {"larger_sizes", as_json(scenario->larger_sizes)}});
  }
  return ordered_json{{"wakeproof", WAKEPROOF_VERSION}, {"scenarios", list}}.dump(2);
}

}  // namespace wakeproof::models
