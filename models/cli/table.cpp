#include "table.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "colour.hpp"
#include "models/trace/record.hpp"
#include "models/trace/text.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr int kWidestTrace = 100;
constexpr int kNarrowestTrace = 60;

int columns_of(std::FILE* out) {
  winsize size{};
  if (isatty(fileno(out)) == 0 || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidestTrace;
  return std::clamp(static_cast<int>(size.ws_col), kNarrowestTrace, kWidestTrace);
}

std::string remark(const Answer& answer) {
  if (!answer.as_expected()) {
    return fmt::format("EXPECTED {}{}", name_of(answer.expected),
                       answer.result.detail.empty() ? "" : ": " + answer.result.detail);
  }
  if (answer.result.cached) return "cached";
  return answer.result.verdict == Verdict::proved ? "" : "caught";
}

Tint tint_of(const Answer& answer) {
  if (answer.result.verdict == Verdict::inconclusive) return Tint::open;
  return answer.as_expected() ? Tint::good : Tint::bad;
}

}  // namespace

void Table::head(const SearchKind& search) {
  const std::string chance = search.is_random() ? fmt::format(" with seed {}", search.seed) : "";
  fmt::print(out_,
             "search {}{}, memory model {}, time passes only when nothing else can happen,\n"
             "and at a size with +Nt by a millisecond at any moments, up to N;\n"
             "sizes are producers x items of each, `proved` holds for that size and that model\n\n",
             search.text(), chance, kMemoryModel);
  fmt::print(out_, "{:{}}  {:7} {:14} {:>11} {:>9} {:>7} {:>8}\n", "scenario", name_width_, "size", "verdict",
             "complete", "redundant", "stuck", "seconds");
  std::fflush(out_);
}

void Table::row(const Answer& answer) {
  const SearchResult& result = answer.result;
  const std::string verdict = tinted(fmt::format("{:14}", name_of(result.verdict)), tint_of(answer), out_);
  const std::string line = fmt::format("{:{}}  {:7} {} {:>11} {:>9} {:>7} {:>8.2f}  {}", answer.scenario->name,
                                       name_width_, size_of(answer.bounds), verdict, result.complete, result.redundant,
                                       result.stuck, result.wall_s, remark(answer));
  fmt::print(out_, "{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  std::fflush(out_);
}

void Table::steps(const std::vector<Answer>& answers) {
  std::set<const Scenario*> shown;
  for (const Answer& answer : answers) {
    if (answer.result.failing.empty() || !shown.insert(answer.scenario).second) continue;
    const Trace trace = record(*answer.scenario, answer.bounds, answer.result.failing);
    fmt::print(out_, "\n{}", as_text(trace, {.columns = columns_of(out_)}));
  }
}

void Table::summary(const std::vector<Answer>& answers, double wall_s) {
  std::size_t proved = 0;
  std::size_t caught = 0;
  std::size_t cached = 0;
  std::size_t inconclusive = 0;
  std::size_t unexpected = 0;
  for (const Answer& answer : answers) {
    proved += answer.result.verdict == Verdict::proved;
    cached += answer.result.cached;
    inconclusive += answer.result.verdict == Verdict::inconclusive;
    caught += answer.as_expected() && answer.result.verdict != Verdict::proved;
    unexpected += !answer.as_expected();
  }
  fmt::print(out_, "\n{} searches in {:.1f} s: {} proved{}, {} mutants caught", answers.size(), wall_s, proved,
             cached > 0 ? fmt::format(" ({} of them before, and cached)", cached) : "", caught);
  if (inconclusive > 0) fmt::print(out_, ", {} inconclusive", inconclusive);
  fmt::print(out_, ", {}\n",
             unexpected == 0 ? tinted("every verdict as expected", Tint::good, out_)
                             : tinted(fmt::format("{} NOT as expected", unexpected), Tint::bad, out_));
  std::fflush(out_);
}

}  // namespace wakeproof::models::cli
