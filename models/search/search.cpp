#include "search.hpp"

#include <algorithm>
#include <charconv>

#include "dpor.hpp"
#include "models/contexts.hpp"

namespace wakeproof::models {

std::string SearchKind::text() const {
  switch (name) {
    case Name::dpor: return "dpor";
    case Name::exhaustive: return "exhaustive";
    case Name::relacy_full: return "relacy-full";
    case Name::relacy_bound: return "relacy-bound=" + std::to_string(context_bound);
    case Name::relacy_random: return "relacy-random";
  }
  return {};
}

std::optional<SearchKind> SearchKind::parse(const std::string& text) {
  if (text == "dpor") return SearchKind{Name::dpor};
  if (text == "exhaustive") return SearchKind{Name::exhaustive};
  if (text == "relacy-full") return SearchKind{Name::relacy_full};
  if (text == "relacy-random") return SearchKind{Name::relacy_random};
  const std::string prefix = "relacy-bound=";
  if (!text.starts_with(prefix)) return std::nullopt;
  SearchKind kind{Name::relacy_bound};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, kind.context_bound);
  if (error != std::errc() || stop != end || kind.context_bound > 100) return std::nullopt;
  return kind;
}

Program program_of(const Scenario& scenario, const Bounds& bounds) {
  Program program;
  program.thread_names = scenario.thread_names(bounds);
  program.threads = static_cast<int>(program.thread_names.size());
  program.spare_threads = scenario.spare_threads;
  program.make = [&scenario, bounds] { return scenario.on_model(bounds); };
  program.mutations = scenario.mutations;
  return program;
}

namespace {

void count(SearchResult& result, const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::complete: ++result.complete; break;
    case Ending::stuck: ++result.stuck; break;
    case Ending::redundant: ++result.redundant; break;
    case Ending::cut: ++result.cut; break;
  }
  result.steps_max = std::max(result.steps_max, outcome.steps);
  if (outcome.finding) ++result.findings[static_cast<std::size_t>(outcome.finding.verdict)];
}

const char* why_a_stock_search_proves_nothing(bool parked) {
  return parked ? "a thread parks, and after every wake this search leaves out legal schedules"
                : "this search reads at most one old value a load, and not every one that is allowed";
}

}  // namespace

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Program program = program_of(scenario, bounds);
  const auto reduction =
      options.kind.name == SearchKind::Name::exhaustive ? Dpor::Reduction::none : Dpor::Reduction::optimal;
  Dpor dpor(program.threads + program.spare_threads, reduction);

  SearchResult result;
  bool out_of_time = false;
  std::uint64_t executions = 0;
  Machine::Run run;
  run.program = &program;
  run.strategy = options.kind.is_stock() ? nullptr : &dpor;
  run.max_steps = options.max_steps;
  run.outcome = [&](const Outcome& outcome) {
    if (dpor.restarting()) {
      result = {};
      return true;
    }
    count(result, outcome);
    if (outcome.finding && result.verdict == Verdict::inconclusive && result.detail.empty()) {
      result.verdict = outcome.finding.verdict;
      result.detail = outcome.finding.detail;
      result.failing = dpor.choices();
    }
    if (outcome.finding && (!options.keep_going || outcome.finding.verdict == Verdict::inconclusive)) return false;
    // Reading the clock takes a good part of a short execution.
    if (options.deadline && ++executions % 16 == 0) out_of_time = std::chrono::steady_clock::now() >= *options.deadline;
    return !out_of_time;
  };
  StockOptions stock;
  stock.context_bound = options.kind.context_bound;
  stock.executions = options.random_executions;
  switch (options.kind.name) {
    case SearchKind::Name::relacy_full: stock.search = StockSearch::full; break;
    case SearchKind::Name::relacy_bound: stock.search = StockSearch::bound; break;
    case SearchKind::Name::relacy_random: stock.search = StockSearch::random; break;
    default: break;
  }
  run_executions(run, stock);

  result.exhausted = options.kind.is_stock() ? !out_of_time && result.detail.empty() : dpor.exhausted();
  const auto unused = machine().unused_mutations();
  if (!result.detail.empty()) {
    // found something
  } else if (out_of_time) {
    result.detail = "the budget ran out first";
  } else if (options.kind.is_stock()) {
    result.detail = why_a_stock_search_proves_nothing(machine().parked());
  } else if (!unused.empty()) {
    result.detail = "the mutation '" + unused.front() + "' applies to nothing that the script runs";
  } else if (result.exhausted) {
    result.verdict = Verdict::proved;
  }
  machine().end_run();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace wakeproof::models
