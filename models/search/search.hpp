// Search: asks one scenario at one size, and says what was found and how much was looked at.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/machine.hpp"
#include "models/scenario.hpp"
#include "models/script.hpp"
#include "models/strategy.hpp"
#include "models/verdict.hpp"
#include "search_kind.hpp"
#include "work_unit.hpp"

namespace wakeproof::models {

// What a search stands on; printed with every result.
inline constexpr const char* kMemoryModel = "C++11-like (Relacy)";

inline constexpr std::uint64_t kRandomExecutions = 100'000;
inline constexpr int kMaxSteps = 8'000;

struct SearchResult;

// How far a search is, for somebody who looks on.
struct Progress {
  const SearchResult& so_far;
  // What is left to look at. Takes as long as the stack of the search is deep.
  std::function<std::vector<WorkUnit>()> open;
};

struct SearchOptions {
  SearchKind kind;
  bool keep_going = false;  // count failures instead of stopping at one
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::string deadline_of = "the budget";              // what ran out then: the whole command's, unless it says so
  std::optional<std::uint64_t> max_executions;         // none: kRandomExecutions, where chance is the only end
  int max_steps = kMaxSteps;                           // in one execution
  bool graphs = false;                                 // keep the graph of every complete execution
  Survey* survey = nullptr;                            // to be filled in
  const std::atomic<bool>* interrupt = nullptr;        // looked at after every execution; a signal handler may set it
  std::function<void(const Progress&)> progress = {};  // called a few times a second
};

struct SearchResult {
  Verdict verdict = Verdict::inconclusive;
  std::string detail;  // of the first finding, or why it is inconclusive
  std::uint64_t complete = 0;
  std::uint64_t redundant = 0;
  std::uint64_t stuck = 0;
  std::uint64_t cut = 0;                            // left at a finding
  std::array<std::uint64_t, kVerdicts> findings{};  // executions by verdict, where not proved
  int steps_max = 0;
  double wall_s = 0;
  bool exhausted = false;                     // nothing is left to look at
  bool locks_by_data = false;                 // it could be searched like that to the end
  bool cached = false;                        // not searched now: this very program proved it before
  std::optional<std::uint64_t> distinct;      // graphs, where they were counted
  std::vector<std::uint64_t> graphs;          // of complete executions, where asked for
  std::vector<std::string> unused_mutations;  // that applied to nothing
  std::vector<WorkUnit> open;     // what is left to look at, where dpor was stopped by time, a limit or an interrupt
  std::vector<unsigned> failing;  // the choices of the first execution with a finding; empty for stock searches

  // Every mutation of the scenario applied to something that was run.
  bool mutated() const { return unused_mutations.empty(); }
  std::uint64_t executions() const { return complete + redundant + stuck + cut; }
};

// How many threads from the first on such a search takes to be interchangeable; 0: it does not ask.
int interchangeable_threads(const Scenario& scenario, const Bounds& bounds, const SearchKind& kind);

// What the machine runs for a scenario. Refers to the scenario.
Program program_of(const Scenario& scenario, const Bounds& bounds);

SearchResult search(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options);

// How many of the kept graphs differ; sorts them. Nothing where they were not asked for.
std::optional<std::uint64_t> distinct_graphs(SearchResult& result, const SearchOptions& options);

}  // namespace wakeproof::models
