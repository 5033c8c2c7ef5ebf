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
  program.ticks = bounds.ticks;
  program.make = [&scenario, bounds] { return scenario.on_model(bounds); };
  program.mutations = scenario.mutations;
  return program;
}

int interchangeable_threads(const Scenario& scenario, const Bounds& bounds, const SearchKind& kind) {
  const bool asked = kind.name == SearchKind::Name::dpor && kind.symmetry;
  return asked && scenario.producers_interchangeable && bounds.producers > 1 ? bounds.producers : 0;
}

namespace {

int threads_of(const Scenario& scenario, const Bounds& bounds) {
  return program_of(scenario, bounds).all_threads();
}

std::unique_ptr<Strategy> strategy_for(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const SearchKind& kind = options.kind;
  const int threads = threads_of(scenario, bounds);
  switch (kind.name) {
    case SearchKind::Name::dpor: return std::make_unique<Dpor>(make_dpor(scenario, bounds, options));
    case SearchKind::Name::exhaustive: return std::make_unique<Dpor>(threads, Dpor::Reduction::none);
    case SearchKind::Name::random: return std::make_unique<RandomWalk>(kind.seed);
    case SearchKind::Name::pct: return std::make_unique<Pct>(threads, kind.depth, kind.seed);
    default: return nullptr;
  }
}

}  // namespace

Dpor make_dpor(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  Dpor dpor(threads_of(scenario, bounds), Dpor::Reduction::optimal);
  dpor.take_as_interchangeable(interchangeable_threads(scenario, bounds, options.kind));
  if (options.kind.locks_by_data) dpor.order_locks_by_data();
  return dpor;
}

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  const auto strategy = strategy_for(scenario, bounds, options);
  return explore(scenario, bounds, options, strategy.get(), dynamic_cast<const Dpor*>(strategy.get()));
}

std::optional<std::uint64_t> distinct_graphs(SearchResult& result, const SearchOptions& options) {
  if (!options.graphs) return std::nullopt;
  std::sort(result.graphs.begin(), result.graphs.end());
  return static_cast<std::uint64_t>(std::unique(result.graphs.begin(), result.graphs.end()) - result.graphs.begin());
}

}  // namespace wakeproof::models
