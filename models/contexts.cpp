#include "contexts.hpp"

#include <limits>
#include <ostream>
#include <stdexcept>

#include "relacy.hpp"

namespace wakeproof::models {

namespace {

// Relacy's replacements of the global allocation functions are inline: a compiler emits those that some
// translation unit uses, and clang would leave out half of them. The tracked heap needs all four.
[[gnu::used]] void* (*const kAllocate[])(std::size_t) = {&::operator new, &::operator new[] };
[[gnu::used]] void (*const kRelease[])(void*) = {&::operator delete, &::operator delete[] };

}  // namespace

template <int Threads>
void run_context(StockSearch search, const rl::test_params& params);

void run_executions(const Machine::Run& run, const StockOptions& stock) {
  static std::ostream nowhere(nullptr);
  rl::test_params params;
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;
  params.execution_depth_limit = std::numeric_limits<unsigned>::max();
  params.context_bound = stock.context_bound;
  params.iteration_count = stock.executions;
  // Under our strategy "random" means: offer every store of the history to a load, not only the last two.
  params.search_type = stock.search == StockSearch::full    ? rl::sched_full
                       : stock.search == StockSearch::bound ? rl::sched_bound
                                                            : rl::sched_random;
  Machine& machine = Machine::instance();
  machine.begin_run(run);
  switch (machine.threads()) {
    case 2: run_context<2>(stock.search, params); break;
    case 3: run_context<3>(stock.search, params); break;
    case 4: run_context<4>(stock.search, params); break;
    case 5: run_context<5>(stock.search, params); break;
    case 6: run_context<6>(stock.search, params); break;
    case 7: run_context<7>(stock.search, params); break;
    case 8: run_context<8>(stock.search, params); break;
    default: throw std::out_of_range("a scenario has 2 to 8 threads");
  }
}

}  // namespace wakeproof::models
