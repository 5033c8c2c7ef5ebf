#include "search.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

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

Dpor make_dpor(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto threads = static_cast<int>(scenario.thread_names(bounds).size()) + scenario.spare_threads;
  const bool exhaustive = options.kind.name == SearchKind::Name::exhaustive;
  return Dpor(threads, exhaustive ? Dpor::Reduction::none : Dpor::Reduction::optimal);
}

// The verdict of a search that found nothing.
void conclude(SearchResult& result, const SearchOptions& options, bool out_of_time, bool parked) {
  if (!result.detail.empty()) return;
  if (out_of_time) {
    result.detail = "the budget ran out first";
  } else if (options.kind.is_stock()) {
    result.detail = why_a_stock_search_proves_nothing(parked);
  } else if (!result.unused_mutations.empty()) {
    result.detail = "the mutation '" + result.unused_mutations.front() + "' applies to nothing that the script runs";
  } else if (result.exhausted) {
    result.verdict = Verdict::proved;
  }
}

SearchResult explore(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, Dpor& dpor) {
  const auto begin = std::chrono::steady_clock::now();
  const Program program = program_of(scenario, bounds);
  SearchResult result;
  bool out_of_time = false;
  std::uint64_t executions = 0;
  Machine::Run run;
  run.program = &program;
  run.strategy = options.kind.is_stock() ? nullptr : &dpor;
  run.max_steps = options.max_steps;
  run.outcome = [&](const Outcome& outcome) {
    if (dpor.restarts_after(outcome.ending)) {
      result = {};
      return true;
    }
    count(result, outcome);
    if (options.graphs && outcome.ending == Ending::complete) result.graphs.push_back(dpor.graph());
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
  result.unused_mutations = machine().unused_mutations();
  conclude(result, options, out_of_time, machine().parked());
  machine().end_run();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  Dpor dpor = make_dpor(scenario, bounds, options);
  return explore(scenario, bounds, options, dpor);
}

SearchResult search_unit(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         const WorkUnit& unit) {
  Dpor dpor = make_dpor(scenario, bounds, options);
  dpor.follow(unit);
  return explore(scenario, bounds, options, dpor);
}

Split split(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, std::size_t wanted) {
  constexpr int kDeepest = 200;
  Split split;
  for (int depth = 2; depth <= kDeepest; depth += 2) {
    Dpor dpor = make_dpor(scenario, bounds, options);
    dpor.split_at(depth);
    split = {depth, explore(scenario, bounds, options, dpor), dpor.units()};
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
