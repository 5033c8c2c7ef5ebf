#include "search.hpp"

#include <algorithm>

#include "dpor.hpp"
#include "explore.hpp"
#include "random.hpp"

namespace wakeproof::models {

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

std::unique_ptr<Strategy> strategy_for(const SearchKind& kind, int threads) {
  switch (kind.name) {
    case SearchKind::Name::dpor: return std::make_unique<Dpor>(threads, Dpor::Reduction::optimal);
    case SearchKind::Name::exhaustive: return std::make_unique<Dpor>(threads, Dpor::Reduction::none);
    case SearchKind::Name::random: return std::make_unique<RandomWalk>(kind.seed);
    case SearchKind::Name::pct: return std::make_unique<Pct>(threads, kind.depth, kind.seed);
    default: return nullptr;
  }
}

}  // namespace

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto threads = static_cast<int>(scenario.thread_names(bounds).size()) + scenario.spare_threads;
  const auto strategy = strategy_for(options.kind, threads);
  return explore(scenario, bounds, options, strategy.get(), dynamic_cast<const Dpor*>(strategy.get()));
}

std::optional<std::uint64_t> distinct_graphs(SearchResult& result, const SearchOptions& options) {
  if (!options.graphs) return std::nullopt;
  std::sort(result.graphs.begin(), result.graphs.end());
  return static_cast<std::uint64_t>(std::unique(result.graphs.begin(), result.graphs.end()) - result.graphs.begin());
}

}  // namespace wakeproof::models
