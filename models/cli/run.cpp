// wakeproof run
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli.hpp"
#include "models/report/json.hpp"
#include "models/search/pool.hpp"
#include "output.hpp"
#include "table.hpp"
#include "traces.hpp"

namespace wakeproof::models::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Question {
  const Scenario* scenario;
  Bounds bounds;
};

// Every scenario at every size, checked before the first search begins.
std::vector<Question> questions_of(const RunOptions& options) {
  std::vector<Question> questions;
  for (const Scenario* scenario : select(options.globs)) {
    std::vector<Bounds> sizes = scenario->sizes;
    sizes.insert(sizes.end(), scenario->larger_sizes.begin(), scenario->larger_sizes.end());
    if (options.producers || options.items) sizes = {{options.producers.value_or(1), options.items.value_or(1)}};
    for (Bounds bounds : sizes) {
      bounds.max_items = options.max_items;
      const std::string wrong = scenario->reject(bounds);
      if (!wrong.empty()) throw UsageError(wrong);
      questions.push_back({scenario, bounds});
    }
  }
  return questions;
}

int status_of(const std::vector<Answer>& answers) {
  int status = kAsExpected;
  for (const Answer& answer : answers) {
    if (answer.as_expected()) continue;
    if (answer.result.verdict != Verdict::inconclusive) return kUnexpectedVerdict;
    status = kInconclusive;
  }
  return status;
}

}  // namespace

int run(const RunOptions& options) {
  const auto begin = Clock::now();
  auto kind = SearchKind::parse(options.search);
  if (!kind) throw UsageError(fmt::format("there is no search '{}'; there are {}", options.search, kSearchKinds));
  kind->seed = options.seed;
  if (options.jobs > 1 && kind->name != SearchKind::Name::dpor) {
    throw UsageError(fmt::format("-j shares the search dpor among processes, not {}", kind->text()));
  }
  const std::vector<Question> questions = questions_of(options);
  std::optional<OutputFile> file;
  if (!options.json.empty() && options.json != "-") file.emplace(options.json);

  if (!options.traces.empty()) prepare_folder(options.traces);

  SearchOptions search_options;
  search_options.kind = *kind;
  search_options.keep_going = options.keep_going;
  search_options.max_executions = options.max_executions;
  search_options.max_steps = options.max_steps;
  search_options.graphs = options.graphs;
  if (options.budget_s > 0) {
    search_options.deadline =
        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.budget_s));
  }
  std::size_t widest = 0;
  for (const Question& question : questions) widest = std::max(widest, question.scenario->name.size());
  Table table(options.json == "-" ? stderr : stdout, widest);
  table.head(*kind);
  std::vector<Answer> answers;
  for (const auto& [scenario, bounds] : questions) {
    SearchResult result = options.jobs > 1 ? search_in_parallel(*scenario, bounds, search_options, options.jobs)
                                           : search(*scenario, bounds, search_options);
    result.distinct = distinct_graphs(result, search_options);
    result.graphs = {};
    answers.push_back({scenario, bounds, *kind, scenario->expected_at(bounds), std::move(result)});
    table.row(answers.back());
  }
  if (options.steps) table.steps(answers);
  table.summary(answers, std::chrono::duration<double>(Clock::now() - begin).count());

  if (!options.traces.empty()) write_traces(options.traces, answers);
  const std::string json = results_as_json(answers) + "\n";
  if (options.json == "-") fmt::print("{}", json);
  if (file) file->finish(json);
  return status_of(answers);
}

}  // namespace wakeproof::models::cli
