#include "sarif.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/trace/rows.hpp"
#include "search_json.hpp"
#include "story.hpp"
#include "valid_text.hpp"
#include "verdict_help.hpp"

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

constexpr const char* kRoot = "%SRCROOT%";

ordered_json message(const std::string& text) {
  return {{"text", valid_text(text)}};
}

const char* level_of(Verdict verdict) {
  return verdict == Verdict::inconclusive ? "warning" : "error";
}

ordered_json rule_of(Verdict verdict) {
  const VerdictHelp& help = help_of(verdict);
  const std::string whole = std::string(help.full_text) + "\n\n" + std::string(help.advice);
  return {{"id", name_of(verdict)},
          {"name", identifier_of(verdict)},
          {"shortDescription", {{"text", help.short_text}}},
          {"fullDescription", {{"text", help.full_text}}},
          {"help", {{"text", whole}, {"markdown", "**" + std::string(help.short_text) + "** " + whole}}},
          {"defaultConfiguration", {{"level", level_of(verdict)}}}};
}

// As a URI may hold it; a path keeps its slashes.
std::string as_uri(const std::string& path) {
  constexpr const char* kHex = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
    if (plain || std::string_view("/-._~+").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return uri;
}

ordered_json physical(const std::string& file, unsigned line) {
  return {{"artifactLocation", {{"uri", as_uri(file)}, {"uriBaseId", kRoot}}},
          {"region", {{"startLine", std::max(line, 1U)}}}};
}

// What the step changed, by the names of the objects.
ordered_json state_after(const Trace& trace, const TraceStep& step) {
  ordered_json state = ordered_json::object();
  for (const TraceChange& change : step.changes) {
    state[valid_text(name_of_object(trace, change.object))] = message(change.after);
  }
  return state;
}

ordered_json location_of(const Trace& trace, const TraceStep& step, const TraceStep* finding) {
  const std::string protocol = step.protocol.empty() ? "" : step.protocol.back() + ": ";
  ordered_json location{{"message", message(protocol + in_words(trace, step))}};
  if (!step.file.empty()) location["physicalLocation"] = physical(step.file, step.line);
  if (!step.function.empty()) {
    location["logicalLocations"] = ordered_json::array({{{"fullyQualifiedName", valid_text(step.function)}}});
  }
  ordered_json flow{{"location", location},
                    {"executionOrder", step.number},
                    {"importance", &step == finding ? "essential" : "important"}};
  if (!step.changes.empty()) flow["state"] = state_after(trace, step);
  return flow;
}

ordered_json code_flow_of(const Trace& trace) {
  const TraceStep* finding = finding_step(trace);
  ordered_json threads = ordered_json::array();
  for (int thread = 0; thread < static_cast<int>(trace.threads.size()); ++thread) {
    ordered_json steps = ordered_json::array();
    for (const TraceStep& step : trace.steps) {
      if (step.thread == thread) steps.push_back(location_of(trace, step, finding));
    }
    if (steps.empty()) continue;  // a thread flow has at least one
    const std::string name = valid_text(name_of_thread(trace, thread));
    threads.push_back({{"id", name}, {"message", message(name)}, {"locations", steps}});
  }
  return {{"message", message("The steps of each thread; executionOrder is the order in which they were taken.")},
          {"threadFlows", threads}};
}

std::string in_hex(std::uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4U)
    *digit = "0123456789abcdef"[number & 15U];
  return text;
}

// Without a file's folders, which depend on where the program was started, without a function's namespaces and
// classes, which each compiler writes its own way, and without lines.
std::string fingerprint_of(const Answer& answer, const Place& place) {
  std::string all = answer.scenario->name + "\n" + size_of(answer.bounds) + "\n" +
                    std::string(name_of(answer.result.verdict)) + "\n" + place.file.substr(place.file.rfind('/') + 1) +
                    "\n" + place.function.substr(place.function.rfind(':') + 1);
  const TraceStep* step = answer.story == nullptr ? nullptr : finding_step(*answer.story);
  if (step != nullptr && !step->protocol.empty()) all += "\n" + step->protocol.back();
  return in_hex(hash_of(all));
}

std::string text_of(const Answer& answer) {
  std::string text = title_of(answer) + ": " + sentence_of(answer) + ".";
  for (const std::string& sentence : why_of(answer)) text += " " + sentence;
  return text;
}

ordered_json result_of(const Answer& answer) {
  const Place place = place_of(answer);
  ordered_json location{{"physicalLocation", physical(place.file, place.line)},
                        {"logicalLocations", ordered_json::array({{{"name", valid_text(answer.scenario->name)},
                                                                   {"fullyQualifiedName", valid_text(title_of(answer))},
                                                                   {"kind", "scenario"}}})}};
  ordered_json result{{"ruleId", name_of(answer.result.verdict)},
                      {"ruleIndex", static_cast<int>(answer.result.verdict)},
                      {"level", level_of(answer.result.verdict)},
                      {"message", message(text_of(answer))},
                      {"locations", ordered_json::array({location})}};
  if (answer.story != nullptr && !answer.story->steps.empty()) {
    result["codeFlows"] = ordered_json::array({code_flow_of(*answer.story)});
  }
  result["partialFingerprints"] = {{"wakeproofFinding/v1", fingerprint_of(answer, place)}};
  result["properties"] = as_json(answer);
  return result;
}

}  // namespace

std::string results_as_sarif(const std::vector<Answer>& answers, int status) {
  ordered_json rules = ordered_json::array();
  for (int verdict = 0; verdict < kVerdicts; ++verdict) rules.push_back(rule_of(static_cast<Verdict>(verdict)));
  ordered_json results = ordered_json::array();
  bool conclusive = true;
  for (const Answer& answer : answers) {
    conclusive &= answer.as_expected() || answer.result.verdict != Verdict::inconclusive;
    if (!answer.as_expected()) results.push_back(result_of(answer));
  }
  const ordered_json driver{
      {"name", "wakeproof"}, {"version", WAKEPROOF_VERSION}, {"semanticVersion", WAKEPROOF_VERSION}, {"rules", rules}};
  const ordered_json run{
      {"tool", {{"driver", driver}}},
      {"invocations", ordered_json::array({{{"executionSuccessful", conclusive}, {"exitCode", status}}})},
      {"originalUriBaseIds", {{kRoot, {{"description", {{"text", "The root of the tree of sources."}}}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", results},
      {"properties", {{"searches", answers.size()}, {"unexpected", results.size()}}}};
  return ordered_json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", ordered_json::array({run})}}
      .dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace wakeproof::models
