#include "checkpoint.hpp"

#include "search_json.hpp"

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

ordered_json json_of(const Question& question) {
  return {{"name", question.scenario->name},        {"definition", definition_of(*question.scenario)},
          {"producers", question.bounds.producers}, {"items", question.bounds.items},
          {"batch", question.bounds.max_items},     {"ticks", question.bounds.ticks}};
}

Question question_of(const ordered_json& json) {
  const std::string name = json.at("name");
  const Scenario* scenario = scenario_named(name);
  if (scenario == nullptr || json.at("definition") != definition_of(*scenario)) {
    throw BadDocument("it is about a scenario '" + name + "' that this program does not have, or has otherwise");
  }
  const Bounds bounds{json.at("producers"), json.at("items"), json.at("batch"), json.at("ticks")};
  const std::string wrong = scenario->reject(bounds);
  if (!wrong.empty()) throw BadDocument(wrong);
  return {scenario, bounds};
}

}  // namespace

std::string as_json(const Checkpoint& checkpoint) {
  ordered_json questions = ordered_json::array();
  for (const Question& question : checkpoint.questions) questions.push_back(json_of(question));
  ordered_json results = ordered_json::array();
  for (const SearchResult& result : checkpoint.results) results.push_back(json_of(result));
  SearchKind kind = checkpoint.options.kind;
  kind.symmetry = true;  // the name alone
  const ordered_json content = {{"search", kind.text()},
                                {"symmetry", checkpoint.options.kind.symmetry},
                                {"seed", checkpoint.options.kind.seed},
                                {"keep_going", checkpoint.options.keep_going},
                                {"max_steps", checkpoint.options.max_steps},
                                {"graphs", checkpoint.options.graphs},
                                {"questions", questions},
                                {"results", results}};
  return ordered_json{{"wakeproof", WAKEPROOF_VERSION}, {"checkpoint", content}, {"check", hash_of(content.dump())}}
             .dump() +
         "\n";
}

Checkpoint parse_checkpoint(const std::string& text) {
  return read_document<BadDocument>(text, [](const ordered_json& json) {
    const ordered_json& content = json.at("checkpoint");
    if (json.at("wakeproof") != WAKEPROOF_VERSION) throw BadDocument("made by another version of wakeproof");
    if (json.at("check") != hash_of(content.dump())) throw BadDocument("changed since it was made");
    Checkpoint checkpoint;
    const auto kind = SearchKind::parse(content.at("search"));
    if (!kind) throw BadDocument("it has an unknown search");
    checkpoint.options.kind = *kind;
    checkpoint.options.kind.symmetry = content.at("symmetry");
    checkpoint.options.kind.seed = content.at("seed");
    checkpoint.options.keep_going = content.at("keep_going");
    checkpoint.options.max_steps = content.at("max_steps");
    checkpoint.options.graphs = content.at("graphs");
    for (const auto& question : content.at("questions")) checkpoint.questions.push_back(question_of(question));
    for (const auto& result : content.at("results")) checkpoint.results.push_back(result_of(result));
    if (checkpoint.results.size() > checkpoint.questions.size())
      throw BadDocument("it has more results than questions");
    return checkpoint;
  });
}

}  // namespace wakeproof::models
