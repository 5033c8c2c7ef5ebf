#include "search.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "dpor.hpp"
#include "models/contexts.hpp"
#include "random.hpp"

namespace wakeproof::models {

std::string SearchKind::text() const {
  switch (name) {
    case Name::dpor: {
      return std::string("dpor") + (symmetry ? "" : ", symmetry off") + (locks_by_data ? ", lock order by data" : "");
    }
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

int interchangeable_threads(const Scenario& scenario, const Bounds& bounds, const SearchKind& kind) {
  const bool asked = kind.name == SearchKind::Name::dpor && kind.symmetry;
  return asked && scenario.producers_interchangeable && bounds.producers > 1 ? bounds.producers : 0;
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

Dpor make_dpor(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  Dpor dpor(static_cast<int>(scenario.thread_names(bounds).size()) + scenario.spare_threads, Dpor::Reduction::optimal);
  dpor.take_as_interchangeable(interchangeable_threads(scenario, bounds, options.kind));
  if (options.kind.locks_by_data) dpor.order_locks_by_data();
  return dpor;
}

std::unique_ptr<Strategy> strategy_for(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const SearchKind& kind = options.kind;
  const auto threads = static_cast<int>(scenario.thread_names(bounds).size()) + scenario.spare_threads;
  switch (kind.name) {
    case SearchKind::Name::dpor: return std::make_unique<Dpor>(make_dpor(scenario, bounds, options));
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
  if (!result.detail.empty()) return;  // found something
  if (out_of_time) {
    result.detail = "the budget ran out first";
  } else if (!result.mutated()) {
    result.detail = "the mutation '" + result.unused_mutations.front() + "' applies to nothing that the script runs";
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

// `dpor`: the strategy, where it is that one. No strategy: one of Relacy's own searches.
SearchResult explore(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, Strategy* strategy,
                     const Dpor* dpor) {
  const auto begin = std::chrono::steady_clock::now();
  const Program program = program_of(scenario, bounds);
  const std::uint64_t limit = limit_of(options);

  SearchResult result;
  bool out_of_time = false;
  bool out_of_executions = false;
  Machine::Run run;
  run.program = &program;
  run.strategy = strategy;
  run.max_steps = options.max_steps;
  run.survey = options.survey;
  run.outcome = [&](const Outcome& outcome) {
    if (strategy != nullptr && strategy->restarts_after(outcome.ending)) {
      result = {};
      return true;
    }
    count(result, outcome);
    if (options.graphs && dpor != nullptr && outcome.ending == Ending::complete) result.graphs.push_back(dpor->graph());
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
  result.locks_by_data = dpor != nullptr && dpor->orders_locks_by_data();
  result.unused_mutations = machine().unused_mutations();
  conclude(result, options, out_of_time, out_of_executions);
  machine().end_run();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto strategy = strategy_for(scenario, bounds, options);
  return explore(scenario, bounds, options, strategy.get(), dynamic_cast<const Dpor*>(strategy.get()));
}

SearchResult search_unit(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         const WorkUnit& unit) {
  Dpor dpor = make_dpor(scenario, bounds, options);
  dpor.follow(unit);
  return explore(scenario, bounds, options, &dpor, &dpor);
}

Split split(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, std::size_t wanted) {
  constexpr int kDeepest = 200;
  Split split;
  for (int depth = 2; depth <= kDeepest; depth += 2) {
    Dpor dpor = make_dpor(scenario, bounds, options);
    dpor.split_at(depth);
    split = {depth, explore(scenario, bounds, options, &dpor, &dpor), dpor.units()};
    // Enough, or there is nothing to be had by going deeper.
    if (split.units.size() >= wanted || split.units.empty() || !split.above.exhausted) break;
  }
  // Where one stopped to keep a unit nothing was begun in vain.
  split.above.redundant -= std::min<std::uint64_t>(split.above.redundant, split.units.size());
  return split;
}

SearchResult combine(std::vector<SearchResult> parts, const SearchOptions& options) {
  SearchResult whole;
  whole.exhausted = true;
  bool first = true;
  for (SearchResult& part : parts) {
    whole.complete += part.complete;
    whole.redundant += part.redundant;
    whole.stuck += part.stuck;
    whole.cut += part.cut;
    for (std::size_t i = 0; i < whole.findings.size(); ++i) whole.findings[i] += part.findings[i];
    whole.steps_max = std::max(whole.steps_max, part.steps_max);
    whole.exhausted = whole.exhausted && part.exhausted;
    whole.graphs.insert(whole.graphs.end(), part.graphs.begin(), part.graphs.end());
    // A mutation that applies somewhere applies.
    std::erase_if(whole.unused_mutations, [&](const std::string& mutation) {
      return std::find(part.unused_mutations.begin(), part.unused_mutations.end(), mutation) ==
             part.unused_mutations.end();
    });
    if (std::exchange(first, false)) whole.unused_mutations = part.unused_mutations;
    const bool found = part.verdict != Verdict::proved && part.verdict != Verdict::inconclusive;
    const bool found_before = whole.verdict != Verdict::inconclusive;
    const bool cut_short = !part.exhausted && part.verdict == Verdict::inconclusive;
    if ((found && !found_before) || (cut_short && !found_before && whole.detail.empty())) {
      whole.verdict = part.verdict;
      whole.detail = std::move(part.detail);
      whole.failing = std::move(part.failing);
    }
  }
  conclude(whole, options, false, false);
  return whole;
}

std::optional<std::uint64_t> distinct_graphs(SearchResult& result, const SearchOptions& options) {
  if (!options.graphs) return std::nullopt;
  std::sort(result.graphs.begin(), result.graphs.end());
  return static_cast<std::uint64_t>(std::unique(result.graphs.begin(), result.graphs.end()) - result.graphs.begin());
}

}  // namespace wakeproof::models
