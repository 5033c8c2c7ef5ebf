// wakeproof run
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "campaign.hpp"
#include "cli.hpp"
#include "models/report/json.hpp"
#include "reports.hpp"
#include "select.hpp"
#include "table.hpp"

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

// How many of those that the rest of the selection lets through.
void tell_changed(const Selection& selection, const std::vector<Question>& questions) {
  Selection whole = selection;
  whole.changed_since.clear();
  std::set<const Scenario*> changed;
  for (const Question& question : questions) changed.insert(question.scenario);
  fmt::print(stderr, "{} of {} scenarios changed since {}\n", changed.size(), select(whole).size(),
             selection.changed_since);
}

}  // namespace

int run(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Campaign campaign(options);
  if (!options.selection.changed_since.empty()) tell_changed(options.selection, campaign.questions());
  Reports reports(options, campaign.questions());
  std::size_t widest = 0;
  for (const Question& question : campaign.questions()) widest = std::max(widest, question.scenario->name.size());
  Table table(reports.take_standard_output() ? stderr : stdout, widest);
  table.head(campaign.search_options().kind);
  std::vector<Answer> answers;
  const auto done = [&](std::size_t number, SearchResult result) {
    const auto& [scenario, bounds] = campaign.questions()[number];
    result.distinct = distinct_graphs(result, campaign.search_options());
    result.graphs = {};
    SearchKind used = campaign.search_options().kind;
    used.locks_by_data = result.locks_by_data;  // it may have begun anew without
    answers.push_back({scenario, bounds, used, scenario->expected_at(bounds), std::move(result)});
    table.row(answers.back());
    reports.add(answers.back());
  };
  campaign.run({[&](std::size_t number, std::uint64_t before) { reports.begins(number, before); },
                [&](std::size_t number, const SearchResult& so_far) { reports.looks(number, so_far); }, done});
  if (options.steps) table.steps(answers);
  table.summary(answers, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (!campaign.checkpoint().empty()) {
    fmt::print(stderr, "what is left is kept in '{0}'; wakeproof run --resume '{0}' goes on\n", campaign.checkpoint());
  }

  const int status = status_of(answers);
  reports.finish(answers, status);
  return status;
}

}  // namespace wakeproof::models::cli
