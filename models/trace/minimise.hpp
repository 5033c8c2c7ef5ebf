// Minimise: the smallest schedule with a verdict, by searching the small ones first.
#pragma once

#include <cstdint>
#include <vector>

#include "models/scenario.hpp"
#include "trace.hpp"

namespace wakeproof::models {

inline constexpr std::uint64_t kMinimiseExecutions = 200'000;

struct Smallest {
  std::vector<unsigned> choices;
  TraceMinimum minimum;
};

// The schedule that comes to `verdict` with the fewest preemptions; of those the fewest steps; of those
// the fewest stale reads. All schedules with no preemption are looked at first, then all with one, and
// so on. `failing`: a schedule that comes to the verdict; it is the answer where that takes more than
// `most_executions` and nothing smaller was found by then.
Smallest minimise(const Scenario& scenario, const Bounds& bounds, Verdict verdict, const std::vector<unsigned>& failing,
                  std::uint64_t most_executions = kMinimiseExecutions);

}  // namespace wakeproof::models
