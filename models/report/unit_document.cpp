#include "unit_document.hpp"

#include "search_json.hpp"

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

// Of everything that an order says and of the scenario's own definition, so that a line that was
// changed, or was made by a program with another scenario of that name, is refused.
std::uint64_t check_of(const UnitOrder& order) {
  std::string all = WAKEPROOF_VERSION + order.name();
  if (const Scenario* scenario = scenario_named(order.scenario)) {
    all += "\n" + std::to_string(definition_of(*scenario));
  }
  all += "\n" + std::to_string(order.bounds.max_items) + " " + std::to_string(order.wanted) + "\n" +
         json_of(order.unit).dump();
  return hash_of(all);
}

ordered_json json_of(const UnitOrder& order) {
  ordered_json json = {{"wakeproof", WAKEPROOF_VERSION},
                       {"scenario", order.scenario},
                       {"producers", order.bounds.producers},
                       {"items", order.bounds.items},
                       {"batch", order.bounds.max_items},
                       {"ticks", order.bounds.ticks},
                       {"search", "dpor"},
                       {"wanted", order.wanted},
                       {"unit", order.index},
                       {"of", order.of},
                       {"given_back", order.given_back}};
  json.update(json_of(order.unit));
  json["check"] = check_of(order);
  return json;
}

UnitOrder order_of(const ordered_json& json) {
  if (json.at("wakeproof") != WAKEPROOF_VERSION) throw BadDocument("made by another version of wakeproof");
  UnitOrder order;
  order.scenario = json.at("scenario");
  order.bounds = {json.at("producers"), json.at("items"), json.at("batch"), json.at("ticks")};
  order.wanted = json.at("wanted");
  order.index = json.at("unit");
  order.of = json.at("of");
  order.given_back = json.at("given_back").get<std::vector<std::size_t>>();
  order.unit = unit_of(json);
  if (json.at("check") != check_of(order)) {
    throw BadDocument("changed since it was made, or of another scenario called '" + order.scenario + "'");
  }
  return order;
}

}  // namespace

std::string UnitOrder::name() const {
  std::string number = std::to_string(index + 1);
  for (const std::size_t place : given_back) number += "." + std::to_string(place + 1);
  return "unit " + number + " of " + std::to_string(of) + " of " + scenario + " at " + size_of(bounds);
}

std::vector<UnitOrder> orders_given_back(const UnitResult& result) {
  std::vector<UnitOrder> orders;
  for (const WorkUnit& unit : result.result.open) {
    UnitOrder order = result.order;
    order.given_back.push_back(orders.size());
    order.unit = unit;
    orders.push_back(std::move(order));
  }
  return orders;
}

std::string as_line(const UnitOrder& order) {
  return json_of(order).dump();
}

std::string as_line(const UnitResult& result) {
  const ordered_json found = json_of(result.result);
  return ordered_json{{"order", json_of(result.order)}, {"result", found}, {"check", hash_of(found.dump())}}.dump();
}

UnitOrder parse_order(const std::string& line) {
  return read_document<BadDocument>(line, [](const ordered_json& json) { return order_of(json); });
}

UnitResult parse_result(const std::string& text) {
  return read_document<BadDocument>(text, [](const ordered_json& json) {
    if (json.at("check") != hash_of(json.at("result").dump())) throw BadDocument("changed since it was made");
    return UnitResult{order_of(json.at("order")), result_of(json.at("result"))};
  });
}

std::string order_as_line(const PlainOrder& order) {
  ordered_json json = json_of(order.unit);
  if (order.most_executions) json["most_executions"] = *order.most_executions;
  return json.dump();
}

PlainOrder parse_plain_order(const std::string& line) {
  return read_document<BadDocument>(line, [](const ordered_json& json) {
    PlainOrder order{unit_of(json), std::nullopt};
    if (json.contains("most_executions")) order.most_executions = json.at("most_executions");
    return order;
  });
}

std::string result_as_line(const SearchResult& result) {
  return json_of(result).dump();
}

SearchResult parse_plain_result(const std::string& line) {
  return read_document<BadDocument>(line, [](const ordered_json& json) { return result_of(json); });
}

}  // namespace wakeproof::models
