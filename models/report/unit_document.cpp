#include "unit_document.hpp"

#include <nlohmann/json.hpp>

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

// FNV-1a: tells a document that was changed, by accident or by hand, not by an attacker.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// Of everything that an order says and of the scenario's own definition, so that a line that was
// changed, or was made by a program with another scenario of that name, is refused.
std::uint64_t check_of(const UnitOrder& order) {
  std::string all = WAKEPROOF_VERSION + order.name();
  if (const Scenario* scenario = scenario_named(order.scenario)) {
    for (const Mutation& mutation : scenario->mutations) all += "\n" + describe(mutation);
  }
  all += "\n" + std::to_string(order.bounds.max_items) + " " + std::to_string(order.wanted) + " " +
         std::to_string(order.unit.depth) + " " + std::to_string(order.unit.interchangeable) + "\n";
  for (const unsigned choice : order.unit.prefix) all += std::to_string(choice) + " ";
  for (const Tried& tried : order.unit.asleep) {
    all += "\n" + std::to_string(tried.thread) + " " + std::to_string(tried.value) + " " + std::to_string(tried.failed);
  }
  return hash_of(all);
}

ordered_json json_of(const UnitOrder& order) {
  ordered_json asleep = ordered_json::array();
  for (const Tried& tried : order.unit.asleep) asleep.push_back({tried.thread, tried.value, tried.failed});
  return {{"wakeproof", WAKEPROOF_VERSION},
          {"scenario", order.scenario},
          {"producers", order.bounds.producers},
          {"items", order.bounds.items},
          {"batch", order.bounds.max_items},
          {"search", "dpor"},
          {"wanted", order.wanted},
          {"unit", order.index},
          {"of", order.of},
          {"depth", order.unit.depth},
          {"prefix", order.unit.prefix},
          {"asleep", asleep},
          {"interchangeable", order.unit.interchangeable},
          {"check", check_of(order)}};
}

UnitOrder order_of(const ordered_json& json) {
  if (json.at("wakeproof") != WAKEPROOF_VERSION) throw BadDocument("made by another version of wakeproof");
  UnitOrder order;
  order.scenario = json.at("scenario");
  order.bounds = {json.at("producers"), json.at("items"), json.at("batch")};
  order.wanted = json.at("wanted");
  order.index = json.at("unit");
  order.of = json.at("of");
  order.unit.depth = json.at("depth");
  order.unit.prefix = json.at("prefix").get<std::vector<unsigned>>();
  for (const auto& tried : json.at("asleep")) order.unit.asleep.push_back({tried.at(0), tried.at(2), tried.at(1)});
  order.unit.interchangeable = json.at("interchangeable");
  if (json.at("check") != check_of(order)) {
    throw BadDocument("changed since it was made, or of another scenario called '" + order.scenario + "'");
  }
  return order;
}

ordered_json json_of(const SearchResult& result) {
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
          {"graphs", result.graphs}};
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
  return result;
}

// What nlohmann_json says of a broken document is long; that it is broken is what counts.
template <class Read>
auto read_document(const std::string& text, Read read) {
  try {
    return read(ordered_json::parse(text));
  } catch (const nlohmann::json::exception&) {
    throw BadDocument("damaged, or not a document of wakeproof's");
  }
}

}  // namespace

std::string UnitOrder::name() const {
  return "unit " + std::to_string(index + 1) + " of " + std::to_string(of) + " of " + scenario + " at " +
         size_of(bounds);
}

std::string as_line(const UnitOrder& order) {
  return json_of(order).dump();
}

std::string as_line(const UnitResult& result) {
  const ordered_json found = json_of(result.result);
  return ordered_json{{"order", json_of(result.order)}, {"result", found}, {"check", hash_of(found.dump())}}.dump();
}

UnitOrder parse_order(const std::string& line) {
  return read_document(line, [](const ordered_json& json) { return order_of(json); });
}

UnitResult parse_result(const std::string& text) {
  return read_document(text, [](const ordered_json& json) {
    if (json.at("check") != hash_of(json.at("result").dump())) throw BadDocument("changed since it was made");
    return UnitResult{order_of(json.at("order")), result_of(json.at("result"))};
  });
}

std::string result_as_line(const SearchResult& result) {
  return json_of(result).dump();
}

SearchResult parse_plain_result(const std::string& line) {
  return read_document(line, [](const ordered_json& json) { return result_of(json); });
}

}  // namespace wakeproof::models
