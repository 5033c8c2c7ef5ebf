#include "reports.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "models/report/github.hpp"
#include "models/report/junit.hpp"
#include "models/report/progress_lines.hpp"
#include "models/report/sarif.hpp"
#include "models/report/story.hpp"
#include "traces.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr double kBetweenLines_s = 1;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// True: one of them is `-`. Throws UsageError when two reports would get in each other's way.
bool look_at_paths(const RunOptions& options) {
  std::set<std::string> taken;
  for (const std::string& path : {options.json, options.junit, options.sarif, options.jsonl}) {
    if (path.empty() || taken.insert(path).second) continue;
    if (path == "-") throw UsageError("only one of --json, --junit, --sarif and --jsonl can go to standard output");
    throw UsageError(fmt::format("two reports cannot go to the same file '{}'", path));
  }
  return taken.count("-") > 0;
}

}  // namespace

Reports::Reports(const RunOptions& options, const std::vector<Question>& questions)
    : questions_(questions),
      traces_(options.traces),
      json_{options.json},
      junit_{options.junit},
      sarif_{options.sarif},
      to_standard_output_(look_at_paths(options)),
      github_(options.github.value_or(from_environment("GITHUB_ACTIONS") == "true")) {
  for (Document* document : {&json_, &junit_, &sarif_}) open(*document);
  if (!options.jsonl.empty()) lines_.emplace(options.jsonl, LinesFile::From::the_start);
  if (github_) open_summary();
  if (!traces_.empty()) prepare_folder(traces_);
  write_lines(begin_line(questions_.size()));
}

// The steps of a job share one file each; what this one's has already counts.
void Reports::open_summary() {
  const std::string path = from_environment("GITHUB_STEP_SUMMARY");
  if (path.empty()) return;
  summary_.emplace(path, LinesFile::From::the_end);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::size_t taken = error ? 0 : static_cast<std::size_t>(size);
  summary_room_ = taken < kSummaryBytes ? kSummaryBytes - taken : 0;
}

void Reports::open(Document& document) {
  if (document.wanted() && document.path != "-") document.file.emplace(document.path);
}

void Reports::begins(std::size_t question, std::uint64_t executions_before) {
  const auto& [scenario, bounds] = questions_[question];
  begin_ = last_look_ = WallClock::now();
  write_lines(search_begun_line(question + 1, *scenario, bounds, executions_before));
}

void Reports::looks(std::size_t question, const SearchResult& so_far) {
  const auto now = WallClock::now();
  if (std::chrono::duration<double>(now - last_look_).count() < kBetweenLines_s) return;
  last_look_ = now;
  const auto& [scenario, bounds] = questions_[question];
  const double elapsed_s = std::chrono::duration<double>(now - begin_).count();
  write_lines(progress_line(question + 1, *scenario, bounds, so_far, elapsed_s));
}

void Reports::add(Answer& answer) {
  if (json_.wanted() || junit_.wanted() || sarif_.wanted() || lines_ || github_ || !traces_.empty()) {
    const std::string wrong = tell_story(answer);
    if (!wrong.empty()) fmt::print(stderr, "wakeproof: {}\n", wrong);
  }
  if (!traces_.empty()) write_trace(traces_, answer);
  write_lines(result_line(++done_, answer));
}

void Reports::finish(const std::vector<Answer>& answers, int status) {
  if (json_.wanted()) write(json_, results_as_json(answers) + "\n");
  if (junit_.wanted()) write(junit_, results_as_junit(answers));
  if (sarif_.wanted()) write(sarif_, results_as_sarif(answers, status) + "\n");
  if (github_) tell_github(answers);
  write_lines(end_line(answers, status));
  if (failure_) std::rethrow_exception(failure_);
}

// GitHub reads commands from both streams.
void Reports::tell_github(const std::vector<Answer>& answers) {
  fmt::print(to_standard_output_ ? stderr : stdout, "{}", github_annotations(answers));
  if (summary_) try_to([&] { summary_->write(github_summary(answers, summary_room_)); });
}

void Reports::write(Document& document, const std::string& content) {
  if (document.path == "-") {
    fmt::print("{}", content);
  } else {
    try_to([&] { document.file->finish(content); });
  }
}

void Reports::write_lines(const std::string& lines) {
  if (!lines_) return;
  try_to([&] { lines_->write(lines); });
  if (failure_) lines_.reset();
}

template <class Write>
void Reports::try_to(Write write) {
  try {
    write();
  } catch (const UsageError&) {
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace wakeproof::models::cli
