// Contexts: the door to Relacy's contexts, one for each number of threads.
#pragma once

#include <cstdint>

#include "machine.hpp"

namespace wakeproof::models {

// Which of Relacy's own schedulers decides; none: the run's strategy.
enum class StockSearch { none, full, bound, random };

struct StockOptions {
  StockSearch search = StockSearch::none;
  unsigned context_bound = 0;    // for bound
  std::uint64_t executions = 0;  // for random
};

// Runs executions until there are no more or `run.outcome` has enough.
void run_executions(const Machine::Run& run, const StockOptions& stock = {});

}  // namespace wakeproof::models
