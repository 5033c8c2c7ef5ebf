// Outcomes: every result that the threads of a small program can observe, for tests of the machine
// and of a search.
//
// A program is a state that is made anew for each execution and a function for each thread. What a
// thread sees it writes into its row of `observed`; so may the state's finish(), after all threads.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "dpor.hpp"
#include "models/contexts.hpp"
#include "models/model_platform.hpp"

namespace wakeproof::models {

// The first so many threads do the same, and whether the search is to make use of it.
struct Interchangeable {
  int threads = 0;
  bool used = false;
};

// As Dpor::order_locks_by_data().
enum class LockOrder { usual, by_data };

// One row a thread; outside of the script's memory, which ends with the execution.
inline std::array<std::array<int, 8>, kMaxThreads> observed;

template <class State>
class SmallScript final : public Script {
 public:
  using Body = std::function<void(State&, int thread)>;
  explicit SmallScript(const Body& body) : body_(body) {
    for (auto& row : observed) row.fill(-1);
  }
  void thread(int index) override { body_(state_, index); }
  Finding judge() override {
    if constexpr (requires { state_.finish(); }) state_.finish();
    return {};
  }
  Account account() const override { return {}; }

 private:
  const Body& body_;
  State state_;
};

struct Outcomes {
  std::map<std::string, int> counts;  // by what was observed and how the execution ended
  std::set<std::uint64_t> graphs;     // of complete and of stuck executions
  std::set<std::uint64_t> by_data;    // the same, but for the order of sections; where asked for
  std::set<std::uint64_t> nameless;   // the same, but for the names of interchangeable threads
  std::uint64_t complete = 0;         // not redundant
  std::uint64_t redundant = 0;
  std::uint64_t cut = 0;       // of the complete ones, left at a finding
  bool locks_by_data = false;  // to the end
  std::string nondeterminism;

  bool has(const std::string& outcome) const { return counts.contains(outcome); }
  std::string names() const {
    std::string all;
    for (const auto& [name, count] : counts) all += name + "\n";
    return all;
  }
};

// Lets one search run on, at most so many executions; gives what it then leaves open.
inline std::vector<WorkUnit> add_outcomes(Outcomes& outcomes, const Program& program, Dpor& dpor, int max_steps,
                                          std::uint64_t most_executions = std::numeric_limits<std::uint64_t>::max(),
                                          Interchangeable interchangeable = {},
                                          LockOrder lock_order = LockOrder::usual) {
  const Outcomes before = outcomes;
  std::uint64_t executions = 0;
  std::vector<WorkUnit> open;
  Machine::Run run;
  run.program = &program;
  run.strategy = &dpor;
  run.max_steps = max_steps;
  run.outcome = [&](const Outcome& outcome) {
    if (dpor.restarts_after(outcome.ending)) {
      outcomes = before;
      return true;
    }
    if (++executions == most_executions) open = dpor.frontier();
    if (outcome.ending == Ending::redundant) {
      ++outcomes.redundant;
      return executions < most_executions;
    }
    ++outcomes.complete;
    outcomes.cut += outcome.ending == Ending::cut;
    if (outcome.ending != Ending::cut) {
      const auto ending = static_cast<unsigned>(outcome.ending);
      outcomes.graphs.insert(dpor.graph() + ending);
      if (lock_order == LockOrder::by_data) outcomes.by_data.insert(dpor.graph_by_data() + ending);
      outcomes.nameless.insert(dpor.graph_but_for_names_of(interchangeable.threads) + ending);
    }
    std::string name;
    for (int t = 0; t < program.threads; ++t) {
      for (const int value : observed[static_cast<std::size_t>(t)]) {
        if (value >= 0) name += std::to_string(value);
      }
      name += t + 1 < program.threads ? "," : "";
    }
    if (outcome.finding) name += " " + std::string(name_of(outcome.finding.verdict));
    ++outcomes.counts[name];
    return executions < most_executions && dpor.nondeterminism().empty();
  };
  run_executions(run);
  machine().end_run();
  if (!dpor.nondeterminism().empty()) outcomes.nondeterminism = dpor.nondeterminism();
  return open;
}

template <class State>
Program small_program(int threads, const typename SmallScript<State>::Body& body, int spare_threads = 0) {
  Program program;
  program.threads = threads;
  program.spare_threads = spare_threads;
  for (int i = 0; i < threads; ++i) program.thread_names.push_back("T" + std::to_string(i));
  program.make = [&] { return std::make_unique<SmallScript<State>>(body); };
  return program;
}

template <class State>
Outcomes outcomes_of(int threads, const typename SmallScript<State>::Body& body, Dpor::Reduction reduction,
                     int spare_threads = 0, int max_steps = 1000, Flaw flaw = Flaw::none,
                     Interchangeable interchangeable = {}, LockOrder lock_order = LockOrder::usual) {
  const Program program = small_program<State>(threads, body, spare_threads);
  Dpor dpor(threads + spare_threads, reduction, flaw);
  if (lock_order == LockOrder::by_data) dpor.order_locks_by_data();
  if (interchangeable.used) dpor.take_as_interchangeable(interchangeable.threads);
  Outcomes outcomes;
  add_outcomes(outcomes, program, dpor, max_steps, std::numeric_limits<std::uint64_t>::max(), interchangeable,
               lock_order);
  outcomes.locks_by_data = dpor.orders_locks_by_data();
  return outcomes;
}

// The same of the reduced search, stopped every so many executions and gone on with in any order.
template <class State>
Outcomes outcomes_in_pieces(int threads, const typename SmallScript<State>::Body& body, std::uint64_t piece) {
  constexpr int kMaxSteps = 1000;
  const Program program = small_program<State>(threads, body);
  Outcomes outcomes;
  Dpor first(threads, Dpor::Reduction::optimal);
  std::vector<WorkUnit> open = add_outcomes(outcomes, program, first, kMaxSteps, piece);
  for (std::size_t turn = 0; !open.empty(); ++turn) {
    std::swap(open[turn % open.size()], open.back());
    Dpor next(threads, Dpor::Reduction::optimal);
    next.follow(open.back());
    open.pop_back();
    const std::vector<WorkUnit> rest = add_outcomes(outcomes, program, next, kMaxSteps, piece);
    open.insert(open.end(), rest.begin(), rest.end());
  }
  return outcomes;
}

}  // namespace wakeproof::models
