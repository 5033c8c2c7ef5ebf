// The execution graphs of a scenario, as one of Dpor's reductions sees them: for tests of a search.
#pragma once

#include <cstdint>
#include <set>

#include "dpor.hpp"
#include "models/contexts.hpp"
#include "search.hpp"

namespace wakeproof::models {

struct GraphSearch {
  Dpor::Reduction reduction = Dpor::Reduction::optimal;
  bool symmetry = false;
  bool locks_by_data = false;
  Flaw flaw = Flaw::none;
  std::uint64_t most_executions = 20'000;
};

struct Seen {
  std::set<std::uint64_t> graphs;    // of complete and of stuck executions
  std::set<std::uint64_t> by_data;   // the same, but for the order of sections; where asked for
  std::set<std::uint64_t> nameless;  // the same, but for the names of the producers
  std::uint64_t executions = 0;
  std::uint64_t redundant = 0;
  bool locks_by_data = false;  // to the end
  bool whole = false;
  std::string nondeterminism;
};

inline Seen graphs_of(const Scenario& scenario, const Bounds& bounds, const GraphSearch& how) {
  const Program program = program_of(scenario, bounds);
  Dpor dpor(program.all_threads(), how.reduction, how.flaw);
  if (how.symmetry) dpor.take_as_interchangeable(bounds.producers);
  if (how.locks_by_data) dpor.order_locks_by_data();
  Seen seen;
  Machine::Run run;
  run.program = &program;
  run.strategy = &dpor;
  run.outcome = [&](const Outcome& outcome) {
    if (dpor.restarts_after(outcome.ending)) {
      seen = {};
      return true;
    }
    if (outcome.ending == Ending::complete || outcome.ending == Ending::stuck) {
      const auto ending = static_cast<unsigned>(outcome.ending);
      seen.graphs.insert(dpor.graph() + ending);
      if (how.locks_by_data) seen.by_data.insert(dpor.graph_by_data() + ending);
      seen.nameless.insert(dpor.graph_but_for_names_of(bounds.producers) + ending);
    }
    seen.redundant += outcome.ending == Ending::redundant;
    return ++seen.executions < how.most_executions && dpor.nondeterminism().empty();
  };
  run_executions(run);
  machine().end_run();
  seen.whole = dpor.exhausted();
  seen.locks_by_data = dpor.orders_locks_by_data();
  seen.nondeterminism = dpor.nondeterminism();
  return seen;
}

}  // namespace wakeproof::models
