// wakeproof run
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "campaign.hpp"
#include "cli.hpp"
#include "models/report/json.hpp"
#include "output.hpp"
#include "table.hpp"
#include "traces.hpp"

namespace wakeproof::models::cli {

namespace {

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
  const auto begin = std::chrono::steady_clock::now();
  Campaign campaign(options);
  std::optional<OutputFile> file;
  if (!options.json.empty() && options.json != "-") file.emplace(options.json);

  if (!options.traces.empty()) prepare_folder(options.traces);
  std::size_t widest = 0;
  for (const Question& question : campaign.questions()) widest = std::max(widest, question.scenario->name.size());
  Table table(options.json == "-" ? stderr : stdout, widest);
  table.head(campaign.search_options().kind);
  std::vector<Answer> answers;
  campaign.run([&](std::size_t number, SearchResult result) {
    const auto& [scenario, bounds] = campaign.questions()[number];
    result.distinct = distinct_graphs(result, campaign.search_options());
    result.graphs = {};
    SearchKind used = campaign.search_options().kind;
    used.locks_by_data = result.locks_by_data;  // it may have begun anew without
    answers.push_back({scenario, bounds, used, scenario->expected_at(bounds), std::move(result)});
    table.row(answers.back());
  });
  if (options.steps) table.steps(answers);
  table.summary(answers, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (!campaign.checkpoint().empty()) {
    fmt::print(stderr, "what is left is kept in '{0}'; wakeproof run --resume '{0}' goes on\n", campaign.checkpoint());
  }

  if (!options.traces.empty()) write_traces(options.traces, answers);
  const std::string json = results_as_json(answers) + "\n";
  if (options.json == "-") fmt::print("{}", json);
  if (file) file->finish(json);
  return status_of(answers);
}

}  // namespace wakeproof::models::cli
