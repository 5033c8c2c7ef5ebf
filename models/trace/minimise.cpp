#include "minimise.hpp"

#include <optional>

#include "models/contexts.hpp"
#include "models/search/bounded.hpp"
#include "models/search/search.hpp"
#include "record.hpp"

namespace wakeproof::models {

namespace {

struct Found {
  Bounded::Size size;
  std::vector<unsigned> choices;
};

// Every schedule with at most so many preemptions. False: there were more than `left`, which is counted
// down.
bool look_at_all(const Program& program, int preemptions, Verdict verdict, std::uint64_t& left,
                 std::optional<Found>& best) {
  Bounded bounded(preemptions);
  Machine::Run run;
  run.program = &program;
  run.strategy = &bounded;
  run.outcome = [&](const Outcome& outcome) {
    if (left > 0) --left;
    Bounded::Size size = bounded.size();
    size.steps = outcome.steps;
    if (outcome.finding.verdict == verdict && (!best || size < best->size)) {
      best = {size, bounded.choices()};
      // With fewer preemptions there was none, and what takes more steps is not smaller.
      bounded.at_most_steps(size.steps);
    }
    return left > 0;
  };
  run_executions(run);
  machine().end_run();
  return bounded.exhausted();
}

}  // namespace

Smallest minimise(const Scenario& scenario, const Bounds& bounds, Verdict verdict, const std::vector<unsigned>& failing,
                  std::uint64_t most_executions) {
  const Program program = program_of(scenario, bounds);
  const Trace known = record(scenario, bounds, failing);
  const Bounded::Size largest{preemptions_of(known.steps), static_cast<int>(known.steps.size()),
                              stale_reads_of(known.steps)};
  std::uint64_t left = most_executions;
  std::optional<Found> best;
  bool all = true;
  for (int preemptions = 0; all && !best && preemptions <= largest.preemptions; ++preemptions)
    all = look_at_all(program, preemptions, verdict, left, best);
  if (!best || largest < best->size) best = {largest, failing};
  Smallest smallest;
  smallest.choices = std::move(best->choices);
  smallest.minimum = {best->size.preemptions, best->size.stale_reads, all, most_executions - left};
  return smallest;
}

}  // namespace wakeproof::models
