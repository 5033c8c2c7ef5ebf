#include "search.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "dpor.hpp"
#include "models/contexts.hpp"
#include "random.hpp"

namespace wakeproof::models {

std::string SearchKind::text() const {
  switch (name) {
    case Name::dpor: return "dpor";
    case Name::exhaustive: return "exhaustive";
    case Name::random: return "random";
    case Name::pct: return "pct=" + std::to_string(depth);
    case Name::relacy_full: return "relacy-full";
    case Name::relacy_bound: return "relacy-bound=" + std::to_string(context_bound);
    case Name::relacy_random: return "relacy-random";
  }
  return {};
}

namespace {

// The number after `prefix` in `text`, when there is nothing else.
std::optional<unsigned> number_after(std::string_view prefix, const std::string& text, unsigned least, unsigned most) {
  if (!text.starts_with(prefix)) return std::nullopt;
  unsigned number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end || number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace

std::optional<SearchKind> SearchKind::parse(const std::string& text) {
  for (const Name name : {Name::dpor, Name::exhaustive, Name::random, Name::relacy_full, Name::relacy_random}) {
    if (const SearchKind kind{name}; kind.text() == text) return kind;
  }
  SearchKind kind;
  if (const auto bound = number_after("relacy-bound=", text, 0, 100)) {
    kind.name = Name::relacy_bound;
    kind.context_bound = *bound;
    return kind;
  }
  if (const auto depth = number_after("pct=", text, 1, 100)) {
    kind.name = Name::pct;
    kind.depth = *depth;
    return kind;
  }
  return std::nullopt;
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

std::unique_ptr<Strategy> strategy_for(const SearchKind& kind, int threads) {
  switch (kind.name) {
    case SearchKind::Name::dpor: return std::make_unique<Dpor>(threads, Dpor::Reduction::source_sets);
    case SearchKind::Name::exhaustive: return std::make_unique<Dpor>(threads, Dpor::Reduction::none);
    case SearchKind::Name::random: return std::make_unique<RandomWalk>(kind.seed);
    case SearchKind::Name::pct: return std::make_unique<Pct>(threads, kind.depth, kind.seed);
    default: return nullptr;
  }
}

StockOptions stock_options(const SearchKind& kind, std::uint64_t executions) {
  StockOptions stock;
  stock.context_bound = kind.context_bound;
  stock.executions = executions;
  switch (kind.name) {
    case SearchKind::Name::relacy_full: stock.search = StockSearch::full; break;
    case SearchKind::Name::relacy_bound: stock.search = StockSearch::bound; break;
    case SearchKind::Name::relacy_random: stock.search = StockSearch::random; break;
    default: break;
  }
  return stock;
}

// How many executions a search may run; the largest number: as many as there are.
std::uint64_t limit_of(const SearchOptions& options) {
  const bool endless = options.kind.is_random() || options.kind.name == SearchKind::Name::relacy_random;
  const auto usual = endless ? kRandomExecutions : std::numeric_limits<std::uint64_t>::max();
  return options.max_executions.value_or(usual);
}

// Says what a search that found nothing amounts to.
void conclude(SearchResult& result, const SearchOptions& options, bool out_of_time, bool out_of_executions) {
  const auto unused = machine().unused_mutations();
  result.mutated = unused.empty();
  if (!result.detail.empty()) return;  // found something
  if (out_of_time) {
    result.detail = "the budget ran out first";
  } else if (!result.mutated) {
    result.detail = "the mutation '" + unused.front() + "' applies to nothing that the script runs";
  } else if (options.kind.is_random()) {
    result.detail = "nothing found in " + std::to_string(result.executions()) +
                    " executions drawn at random with seed " + std::to_string(options.kind.seed) +
                    ", which proves nothing";
  } else if (options.kind.is_stock()) {
    result.detail = why_a_stock_search_proves_nothing(machine().parked());
  } else if (result.exhausted) {
    result.verdict = Verdict::proved;
  } else if (out_of_executions) {
    result.detail = "more than the " + std::to_string(result.executions()) + " executions that were allowed are needed";
  }
}

}  // namespace

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Program program = program_of(scenario, bounds);
  const auto strategy = strategy_for(options.kind, program.threads + program.spare_threads);
  const std::uint64_t limit = limit_of(options);

  SearchResult result;
  bool out_of_time = false;
  bool out_of_executions = false;
  Machine::Run run;
  run.program = &program;
  run.strategy = strategy.get();
  run.max_steps = options.max_steps;
  run.survey = options.survey;
  run.outcome = [&](const Outcome& outcome) {
    count(result, outcome);
    if (outcome.finding && result.verdict == Verdict::inconclusive && result.detail.empty()) {
      result.verdict = outcome.finding.verdict;
      result.detail = outcome.finding.detail;
      if (strategy != nullptr) result.failing = strategy->choices();
    }
    if (outcome.finding && (!options.keep_going || outcome.finding.verdict == Verdict::inconclusive)) return false;
    const std::uint64_t executions = result.executions();
    out_of_executions = executions >= limit;
    // Reading the clock takes a good part of a short execution.
    if (options.deadline && executions % 16 == 0) out_of_time = std::chrono::steady_clock::now() >= *options.deadline;
    return !out_of_time && !out_of_executions;
  };
  run_executions(run, stock_options(options.kind, limit));

  if (strategy != nullptr) {
    result.exhausted = strategy->exhausted();
  } else {
    result.exhausted = !out_of_time && !out_of_executions && result.detail.empty();
  }
  conclude(result, options, out_of_time, out_of_executions);
  machine().end_run();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace wakeproof::models
