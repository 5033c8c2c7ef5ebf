#include "search_json.hpp"

#include "unit_document.hpp"

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

ordered_json json_of(const std::vector<Tried>& actions) {
  ordered_json json = ordered_json::array();
  for (const Tried& tried : actions) json.push_back({tried.thread, tried.value, tried.failed});
  return json;
}

std::vector<Tried> actions_of(const ordered_json& json) {
  std::vector<Tried> actions;
  for (const auto& tried : json) actions.push_back({tried.at(0), tried.at(2), tried.at(1)});
  return actions;
}

}  // namespace

ordered_json json_of(const WorkUnit& unit) {
  return {{"depth", unit.depth},
          {"prefix", unit.prefix},
          {"asleep", json_of(unit.asleep)},
          {"interchangeable", unit.interchangeable},
          {"expand", unit.expand},
          {"values", json_of(unit.values)}};
}

WorkUnit unit_of(const ordered_json& json) {
  WorkUnit unit;
  unit.depth = json.at("depth");
  unit.prefix = json.at("prefix").get<std::vector<unsigned>>();
  unit.asleep = actions_of(json.at("asleep"));
  unit.interchangeable = json.at("interchangeable");
  unit.expand = json.at("expand");
  unit.values = actions_of(json.at("values"));
  return unit;
}

ordered_json json_of(const SearchResult& result) {
  ordered_json open = ordered_json::array();
  for (const WorkUnit& unit : result.open) open.push_back(json_of(unit));
  return {{"verdict", name_of(result.verdict)},
          {"detail", result.detail},
          {"complete", result.complete},
          {"redundant", result.redundant},
          {"stuck", result.stuck},
          {"cut", result.cut},
          {"findings", result.findings},
          {"steps_max", result.steps_max},
          {"wall_s", result.wall_s},
          {"exhausted", result.exhausted},
          {"unused_mutations", result.unused_mutations},
          {"failing", result.failing},
          {"graphs", result.graphs},
          {"open", open}};
}

SearchResult result_of(const ordered_json& json) {
  SearchResult result;
  const auto verdict = verdict_named(json.at("verdict").get<std::string>());
  if (!verdict) throw BadDocument("it has an unknown verdict");
  result.verdict = *verdict;
  result.detail = json.at("detail");
  result.complete = json.at("complete");
  result.redundant = json.at("redundant");
  result.stuck = json.at("stuck");
  result.cut = json.at("cut");
  result.findings = json.at("findings");
  result.steps_max = json.at("steps_max");
  result.wall_s = json.at("wall_s");
  result.exhausted = json.at("exhausted");
  result.unused_mutations = json.at("unused_mutations").get<std::vector<std::string>>();
  result.failing = json.at("failing").get<std::vector<unsigned>>();
  result.graphs = json.at("graphs").get<std::vector<std::uint64_t>>();
  for (const auto& unit : json.at("open")) result.open.push_back(unit_of(unit));
  return result;
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::uint64_t definition_of(const Scenario& scenario) {
  std::string all = scenario.name;
  for (const Mutation& mutation : scenario.mutations) all += "\n" + describe(mutation);
  return hash_of(all);
}

}  // namespace wakeproof::models
