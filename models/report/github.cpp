#include "github.hpp"

#include <algorithm>

#include "models/trace/mermaid.hpp"
#include "models/trace/text.hpp"
#include "story.hpp"
#include "valid_text.hpp"

namespace wakeproof::models {

namespace {

constexpr std::size_t kDiagrams = 10;
constexpr std::size_t kDiagramBytes = 50'000;   // Mermaid refuses to draw a longer text
constexpr std::size_t kLongestCommand = 1'000;  // that an annotation shows

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

// Of a workflow command; the percent sign first, for the others are written with it.
std::string message(std::string text) {
  text = valid_text(text);
  replace_all(text, "%", "%25");
  replace_all(text, "\r", "%0D");
  replace_all(text, "\n", "%0A");
  return text;
}

std::string property(const std::string& text) {
  std::string escaped = message(text);
  replace_all(escaped, ":", "%3A");
  replace_all(escaped, ",", "%2C");
  return escaped;
}

std::string annotation_of(const Answer& answer) {
  const Place place = place_of(answer);
  std::string text = sentence_of(answer);
  for (const std::string& sentence : why_of(answer)) text += "\n" + sentence;
  const std::string replay = replay_command_of(answer);
  if (!replay.empty() && replay.size() <= kLongestCommand) text += "\n" + replay;
  const char* level = answer.result.verdict == Verdict::inconclusive ? "warning" : "error";
  return std::string("::") + level + " file=" + property(place.file) + ",line=" + std::to_string(place.line) +
         ",title=" + property(title_of(answer)) + "::" + message(text) + "\n";
}

// The lines of one kind, the last one for those that are not shown.
std::string first_of(const std::vector<std::string>& lines, const char* level) {
  const std::size_t shown = lines.size() <= kAnnotationsShown ? lines.size() : kAnnotationsShown - 1;
  std::string all;
  for (std::size_t i = 0; i < shown; ++i) all += lines[i];
  if (shown < lines.size()) {
    all += std::string("::") + level + " title=wakeproof::" + std::to_string(lines.size() - shown) +
           " more are not shown here; the job's summary and log have all\n";
  }
  return all;
}

// In a cell of a table, where text is Markdown and HTML.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : valid_text(text)) {
    if (c == '\n' || c == '\t') {
      escaped += ' ';
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      if (std::string_view("\\`*_{}[]()#|~!@").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

// A block of `text` as it is: its fence is longer than any in it.
std::string fenced(const std::string& language, const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence + language + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string row_of(const Answer& answer) {
  const SearchResult& result = answer.result;
  return "| " + cell(answer.scenario->name) + " | " + size_of(answer.bounds) + " | " +
         (answer.as_expected() ? "" : "**") + cell(std::string(name_of(result.verdict))) +
         (answer.as_expected() ? "" : "**") + " | " + cell(std::string(name_of(answer.expected))) + " | " +
         std::to_string(result.complete) + " | " + std::to_string(result.stuck) + " | " + cell(result.detail) + " |\n";
}

constexpr const char* kTableHead =
    "| scenario | size | verdict | expected | complete | stuck | detail |\n|---|---|---|---|--:|--:|---|\n";

// Of an answer with a story; `nth` of those, from 0.
std::string counterexample_of(const Answer& answer, std::size_t nth) {
  std::string section = "\n### " + cell(title_of(answer)) + "\n\n" + cell(sentence_of(answer)) + "\n\n";
  for (const std::string& sentence : why_of(answer)) section += "- " + cell(sentence) + "\n";
  const std::string diagram = valid_text(as_mermaid(*answer.story));
  if (nth < kDiagrams && diagram.size() <= kDiagramBytes) section += "\n" + fenced("mermaid", diagram);
  section += "\n<details><summary>As text</summary>\n\n" + fenced("text", valid_text(as_text(*answer.story))) +
             "\n</details>\n";
  return section + "\n" + fenced("sh", valid_text(replay_command_of(answer)));
}

// What all is, then what was not expected: the sections in the order in which they are wanted.
std::vector<std::string> sections_of(const std::vector<Answer>& answers) {
  std::vector<const Answer*> unexpected;
  for (const Answer& answer : answers) {
    if (!answer.as_expected()) unexpected.push_back(&answer);
  }
  std::vector<std::string> sections;
  sections.push_back("## wakeproof: " +
                     (unexpected.empty() ? "every verdict is as expected"
                                         : std::to_string(unexpected.size()) + " of " + std::to_string(answers.size()) +
                                               " verdicts are not as expected") +
                     "\n\n" + std::to_string(answers.size()) + " searches; memory model " + cell(kMemoryModel) +
                     ". `proved` holds for the printed size and that model.\n");
  if (!unexpected.empty()) {
    std::string table = std::string("\n") + kTableHead;
    for (const Answer* answer : unexpected) table += row_of(*answer);
    sections.push_back(table);
  }
  std::size_t told = 0;
  for (const Answer* answer : unexpected) {
    if (answer->story != nullptr) sections.push_back(counterexample_of(*answer, told++));
  }
  std::string all = std::string("\n<details><summary>All searches</summary>\n\n") + kTableHead;
  for (const Answer& answer : answers) all += row_of(answer);
  sections.push_back(all + "\n</details>\n\n");
  return sections;
}

}  // namespace

std::string github_annotations(const std::vector<Answer>& answers) {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  for (const Answer& answer : answers) {
    if (answer.as_expected()) continue;
    (answer.result.verdict == Verdict::inconclusive ? warnings : errors).push_back(annotation_of(answer));
  }
  return first_of(errors, "error") + first_of(warnings, "warning");
}

std::string github_summary(const std::vector<Answer>& answers, std::size_t room) {
  const std::string cut = "\n*More does not fit into a summary of GitHub's: see the log or the other reports.*\n";
  const std::vector<std::string> sections = sections_of(answers);
  std::string summary;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::size_t kept = i + 1 == sections.size() ? 0 : cut.size();
    if (summary.size() + sections[i].size() + kept > room) {
      return summary.size() + cut.size() <= room ? summary + cut : summary;
    }
    summary += sections[i];
  }
  return summary;
}

}  // namespace wakeproof::models
