#include "junit.hpp"

#include <cstdio>
#include <pugixml.hpp>
#include <sstream>

#include "models/trace/text.hpp"
#include "story.hpp"
#include "valid_text.hpp"

namespace wakeproof::models {

namespace {

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  double time_s = 0;

  void add(const Answer& answer) {
    ++tests;
    time_s += answer.result.wall_s;
    if (answer.as_expected()) return;
    ++(answer.result.verdict == Verdict::inconclusive ? errors : failures);
  }
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(valid_text(value).c_str());
}

std::string in_seconds(double time_s) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", time_s);
  return text;
}

void set(pugi::xml_node node, const Counts& counts) {
  set(node, "tests", std::to_string(counts.tests));
  set(node, "failures", std::to_string(counts.failures));
  set(node, "errors", std::to_string(counts.errors));
  set(node, "skipped", "0");
  set(node, "time", in_seconds(counts.time_s));
}

// What the name has before its last /.
std::string subject_of(const Answer& answer) {
  const std::string& name = answer.scenario->name;
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "wakeproof" : name.substr(0, slash);
}

void add_properties(pugi::xml_node node, const Answer& answer) {
  pugi::xml_node properties = node.append_child("properties");
  const auto add = [&](const char* name, const std::string& value) {
    pugi::xml_node property = properties.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  };
  const SearchResult& result = answer.result;
  add("scenario", answer.scenario->name);
  add("verdict", std::string(name_of(result.verdict)));
  add("expected", std::string(name_of(answer.expected)));
  add("producers", std::to_string(answer.bounds.producers));
  add("items", std::to_string(answer.bounds.items));
  add("batch", std::to_string(answer.bounds.max_items));
  add("ticks", std::to_string(answer.bounds.ticks));
  add("search", answer.search.text());
  if (answer.search.is_random()) add("seed", std::to_string(answer.search.seed));
  add("memory_model", kMemoryModel);
  add("complete", std::to_string(result.complete));
  add("redundant", std::to_string(result.redundant));
  add("stuck", std::to_string(result.stuck));
  add("cut", std::to_string(result.cut));
  add("steps_max", std::to_string(result.steps_max));
  if (result.cached) add("cached", "true");
  if (const auto token = answer.token()) add("replay", token->text());
  if (!answer.trace.empty()) add("trace", answer.trace);
}

std::string body_of(const Answer& answer) {
  std::string body = title_of(answer) + ": " + sentence_of(answer) + "\n";
  if (answer.story != nullptr) body += "\n" + as_explanation(*answer.story);
  const std::string replay = replay_command_of(answer);
  return replay.empty() ? body : body + "\n" + replay + "\n";
}

void add_case(pugi::xml_node suite, const Answer& answer) {
  const std::string subject = subject_of(answer);
  const std::string& name = answer.scenario->name;
  const Place place = place_of(answer);
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", subject);
  set(test, "name",
      (name.starts_with(subject + "/") ? name.substr(subject.size() + 1) : name) + " " + size_of(answer.bounds));
  set(test, "time", in_seconds(answer.result.wall_s));
  set(test, "file", place.file);
  set(test, "line", std::to_string(place.line));
  add_properties(test, answer);
  if (answer.as_expected()) return;
  pugi::xml_node fault = test.append_child(answer.result.verdict == Verdict::inconclusive ? "error" : "failure");
  set(fault, "message", sentence_of(answer));
  set(fault, "type", std::string(name_of(answer.result.verdict)));
  fault.append_child(pugi::node_pcdata).set_value(valid_text(body_of(answer)).c_str());
}

}  // namespace

std::string results_as_junit(const std::vector<Answer>& answers) {
  std::vector<std::string> subjects;  // as they come first
  std::vector<Counts> counts;
  std::vector<pugi::xml_node> suites;
  Counts all;
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "wakeproof " WAKEPROOF_VERSION);
  for (const Answer& answer : answers) {
    const std::string subject = subject_of(answer);
    std::size_t at = 0;
    while (at < subjects.size() && subjects[at] != subject) ++at;
    if (at == subjects.size()) {
      subjects.push_back(subject);
      counts.emplace_back();
      suites.push_back(root.append_child("testsuite"));
      set(suites.back(), "name", subject);
    }
    counts[at].add(answer);
    all.add(answer);
    add_case(suites[at], answer);
  }
  set(root, all);
  for (std::size_t i = 0; i < suites.size(); ++i) set(suites[i], counts[i]);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace wakeproof::models
