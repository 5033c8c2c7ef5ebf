// Context: Relacy's context for one number of threads, with the Machine in place of its scheduler,
// its allocator and its idea of a failure.
//
// Included by one translation unit for each number of threads, for this is what takes long to compile.
#pragma once

#include <memory>
#include <ostream>

#include "contexts.hpp"
#include "machine.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

template <int Threads>
struct Suite : rl::test_suite<Suite<Threads>, Threads> {
  void before() { machine().construct(); }
  void thread(unsigned index) { machine().run_thread(static_cast<ThreadId>(index)); }
  void after() { machine().finish(); }
  ~Suite() { machine().destruct(); }
};

// What context_impl asks of a scheduler; the answers are the Machine's.
template <int Threads>
class OwnScheduler {
 public:
  struct shared_context_t {};

  OwnScheduler(rl::test_params&, shared_context_t&, rl::thread_id_t) {}

  rl::thread_id_t iteration_begin(rl::iteration_t) { return machine().begin_execution(); }
  bool iteration_end() { return !machine().end_execution(); }
  rl::thread_id_t schedule(rl::unpark_reason& reason, unsigned) {
    reason = rl::unpark_reason_normal;
    return machine().next_thread();
  }
  unsigned rand(unsigned limit, rl::sched_type type) {
    if (type == rl::sched_type_atomic_load) return machine().read_older() ? 1 : 0;
    return machine().choose_value(limit);
  }
  rl::thread_finish_result thread_finished() {
    return machine().thread_finished() ? rl::thread_finish_result_last : rl::thread_finish_result_normal;
  }
  rl::iteration_t iteration_count() { return 1; }

  // Nothing of ours parks, starts Relacy's dynamic threads or saves a scheduler's state.
  bool park_current_thread(bool, bool) { return false; }
  void unpark_thread(rl::thread_id_t, bool) {}
  rl::thread_id_t create_thread() { return 0; }
  void get_state(std::ostream&) {}
  void set_state(std::istream&) {}
};

// One of Relacy's own schedulers, stopped when the Machine has seen enough.
template <class Stock>
class StockScheduler : public Stock {
 public:
  using Stock::Stock;
  rl::thread_id_t iteration_begin(rl::iteration_t iteration) {
    machine().begin_execution();
    return Stock::iteration_begin(iteration);
  }
  bool iteration_end() {
    const bool done = Stock::iteration_end();
    return !machine().end_execution() || done;
  }
  rl::thread_finish_result thread_finished() {
    machine().thread_finished();
    return Stock::thread_finished();
  }
};

template <int Threads, class Scheduler>
class Context final : public rl::context_impl<Suite<Threads>, Scheduler> {
  using Base = rl::context_impl<Suite<Threads>, Scheduler>;

 public:
  using Base::Base;

  void* alloc(std::size_t size_bytes) override { return machine().allocate(size_bytes); }
  void free(void* block) override { machine().release(block); }
  void* alloc(std::size_t size_bytes, bool, rl::debug_info_param) override { return machine().allocate(size_bytes); }
  void free(void* block, bool, rl::debug_info_param) override { machine().release(block); }

  // Under our scheduler Relacy finds nothing by itself. Under its own it ends the run here.
  void fail_test(const char* what, rl::test_result_e result, rl::debug_info_param info) override {
    machine().stock_failure(result == rl::test_result_deadlock, what);
    Base::fail_test(what, result, info);
  }
};

// A context and what it refers to. Never destroyed while a fiber of it may be entered again.
template <int Threads, class Scheduler>
struct Rig {
  rl::test_params params;
  typename Scheduler::shared_context_t shared;
  std::unique_ptr<Context<Threads, Scheduler>> context;
  rl::context* as_relacy_sees_it;  // context_impl hides this base, but registers itself

  explicit Rig(const rl::test_params& wanted)
      : params(wanted),
        context(std::make_unique<Context<Threads, Scheduler>>(params, shared)),
        as_relacy_sees_it(rl::context_holder<>::instance_) {}

  void simulate() {
    rl::context_holder<>::instance_ = as_relacy_sees_it;
    rl::ostringstream state;
    rl::istringstream none;
    context->simulate(state, none, false);
    rl::context_holder<>::instance_ = nullptr;
  }
};

template <int Threads>
void run_own(const rl::test_params& params) {
  // Kept: its fibers always run to their end, and Relacy never gives back their stacks.
  static auto* const rig = new Rig<Threads, OwnScheduler<Threads>>(params);
  rig->simulate();
}

template <int Threads, class Stock>
void run_stock(const rl::test_params& params) {
  // Not kept and not destroyed: a failure leaves its fibers in the middle of the script.
  auto* const rig = new Rig<Threads, StockScheduler<Stock>>(params);
  rig->simulate();
  machine().end_failed_stock_run();
}

template <int Threads>
void run_context(StockSearch search, const rl::test_params& params) {
  switch (search) {
    case StockSearch::none: run_own<Threads>(params); break;
    case StockSearch::full: run_stock<Threads, rl::full_search_scheduler<Threads>>(params); break;
    case StockSearch::bound: run_stock<Threads, rl::context_bound_scheduler<Threads>>(params); break;
    case StockSearch::random: run_stock<Threads, rl::random_scheduler<Threads>>(params); break;
  }
}

}  // namespace wakeproof::models
