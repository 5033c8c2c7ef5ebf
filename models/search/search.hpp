// Search: asks one scenario at one size, and says what was found and how much was looked at.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/machine.hpp"
#include "models/scenario.hpp"
#include "models/script.hpp"
#include "models/strategy.hpp"
#include "models/verdict.hpp"
#include "work_unit.hpp"

namespace wakeproof::models {

// How to search. Written `dpor`, `exhaustive`, `random`, `pct=3`, `relacy-full`, `relacy-bound=2`, `relacy-random`.
struct SearchKind {
  enum class Name { dpor, exhaustive, random, pct, relacy_full, relacy_bound, relacy_random };
  Name name = Name::dpor;
  unsigned context_bound = 0;  // of relacy-bound
  unsigned depth = 0;          // of pct: its priority change points and one
  std::uint64_t seed = 1;      // of random and pct
  bool symmetry = true;        // of dpor: makes use of interchangeable producers
  bool locks_by_data = false;  // of dpor: orders no sections that do not touch each other's data

  bool is_stock() const {
    return name == Name::relacy_full || name == Name::relacy_bound || name == Name::relacy_random;
  }
  // Draws executions at random from a seed, of which there is no end.
  bool is_random() const { return name == Name::random || name == Name::pct; }
  std::string text() const;
  static std::optional<SearchKind> parse(const std::string& text);
};
inline constexpr const char* kSearchKinds =
    "dpor, exhaustive, random, pct=D, relacy-full, relacy-bound=N, relacy-random";

// What a search stands on; printed with every result.
inline constexpr const char* kMemoryModel = "C++11-like (Relacy)";

inline constexpr std::uint64_t kRandomExecutions = 100'000;
inline constexpr int kMaxSteps = 8'000;

struct SearchOptions {
  SearchKind kind;
  bool keep_going = false;                                        // count failures instead of stopping at one
  std::optional<std::chrono::steady_clock::time_point> deadline;  // of the whole command
  std::optional<std::uint64_t> max_executions;  // none: kRandomExecutions, where chance is the only end
  int max_steps = kMaxSteps;                    // in one execution
  bool graphs = false;                          // keep the graph of every complete execution
  Survey* survey = nullptr;                     // to be filled in
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
  std::optional<std::uint64_t> distinct;      // graphs, where they were counted
  std::vector<std::uint64_t> graphs;          // of complete executions, where asked for
  std::vector<std::string> unused_mutations;  // that applied to nothing
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

// A search in parts. Its result is that of the part above together with that of every unit; which of
// them was searched where, and in what order, makes no difference to the counts of complete and stuck
// executions, to the distinct graphs or to the verdict.
struct Split {
  int depth = 0;
  SearchResult above;  // executions that end before that depth
  std::vector<WorkUnit> units;
};
// At least `wanted` units, where the tree is large enough. Only for dpor.
Split split(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, std::size_t wanted);
SearchResult search_unit(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         const WorkUnit& unit);
SearchResult combine(std::vector<SearchResult> parts, const SearchOptions& options);

// How many of the kept graphs differ; sorts them. Nothing where they were not asked for.
std::optional<std::uint64_t> distinct_graphs(SearchResult& result, const SearchOptions& options);

}  // namespace wakeproof::models
