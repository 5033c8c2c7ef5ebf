#include "audit.hpp"

#include <nlohmann/json.hpp>

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

ordered_json json_of(const AuditedChange& change) {
  ordered_json json{{"change", describe(change.change)}, {"fate", name_of(change.fate)}, {"searches", change.searches}};
  if (change.scenario == nullptr) {
    json["noticed_by"] = nullptr;
  } else {
    json["noticed_by"] = {{"name", change.scenario->name},
                          {"bounds",
                           {{"producers", change.bounds.producers},
                            {"items", change.bounds.items},
                            {"batch", change.bounds.max_items},
                            {"ticks", change.bounds.ticks}}},
                          {"verdict", name_of(change.result.verdict)},
                          {"detail", change.result.detail},
                          {"executions", change.result.executions()}};
  }
  json["why"] = change.why.empty() ? ordered_json(nullptr) : ordered_json(change.why);
  return json;
}

ordered_json json_of(const AuditReport& report) {
  ordered_json scenarios = ordered_json::array();
  for (const Scenario* scenario : report.scenarios) scenarios.push_back(scenario->name);
  ordered_json changes = ordered_json::array();
  for (const AuditedChange& change : report.changes) changes.push_back(json_of(change));
  return {{"subject", report.subject},       {"search", SearchKind{}.text()},  {"memory_model", kMemoryModel},
          {"clean", report.clean()},         {"scenarios", scenarios},         {"changes", changes},
          {"complaints", report.complaints}, {"unfinished", report.unfinished}};
}

}  // namespace

std::string audits_as_json(const std::vector<AuditReport>& reports) {
  ordered_json audits = ordered_json::array();
  for (const AuditReport& report : reports) audits.push_back(json_of(report));
  return ordered_json{{"wakeproof", WAKEPROOF_VERSION}, {"audits", audits}}.dump(2);
}

}  // namespace wakeproof::models
