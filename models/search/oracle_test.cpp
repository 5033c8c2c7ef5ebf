// The oracle: the reduced search sees the same set of execution graphs as the one without reduction,
// on random programs and on every scenario small enough; and reductions that are wrong do not.
#include <random>

#include "ci/catch2.hpp"
#include "outcomes.hpp"
#include "search.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
using Reduction = Dpor::Reduction;

struct Things {
  P::atomic<int> words[2] = {P::atomic<int>(0, "x"), P::atomic<int>(0, "y")};
  P::mutex lock{"lock"};
  P::event event{"event"};
};

struct Instruction {
  int what, word, order;
};

enum Vocabulary { kLoadsAndExchanges = 2, kAtomics = 4, kEverything = 10 };

struct RandomProgram {
  int threads, length;
  std::array<std::array<Instruction, 3>, 4> code{};

  RandomProgram(unsigned seed, int most_threads, Vocabulary vocabulary) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    threads = 2 + below(most_threads - 1);
    length = threads == 2 ? 3 : 2;
    for (auto& line : code) {
      for (auto& instruction : line) instruction = {below(vocabulary), below(2), below(3)};
    }
  }

  // Each operation may depend on what the thread read last.
  void run(Things& s, int thread) const {
    int last = 0;
    for (int i = 0; i < length; ++i) {
      perform(s, code[static_cast<std::size_t>(thread)][static_cast<std::size_t>(i)], thread * 4 + i + 1, last);
    }
  }

  static void perform(Things& s, const Instruction& instruction, int value, int& last) {
    constexpr std::memory_order kLoads[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                            std::memory_order_seq_cst};
    constexpr std::memory_order kStores[] = {std::memory_order_relaxed, std::memory_order_release,
                                             std::memory_order_seq_cst};
    P::atomic<int>& word = s.words[instruction.word];
    int expected = last;
    switch (instruction.what) {
      case 0: last = word.load(kLoads[instruction.order]); return;
      case 1:
        word.compare_exchange_strong(expected, value, std::memory_order_acq_rel, std::memory_order_relaxed);
        last = expected;
        return;
      case 2: return word.store(value, kStores[instruction.order]);
      case 3: last = word.exchange(value, std::memory_order_acq_rel); return;
      case 4: {
        const P::lock_guard guard(s.lock);
        return word.store(value, std::memory_order_relaxed);
      }
      case 5: return P::fence(std::memory_order_seq_cst);
      case 6: return s.event.set();
      case 7: s.event.wait_until(P::clock::now() + std::chrono::milliseconds(1)); return;
      case 8: return s.event.clear();
      case 9: word.compare_exchange_weak(expected, value, std::memory_order_acq_rel, std::memory_order_relaxed); return;
      default: return;
    }
  }
};

Outcomes explore(const RandomProgram& program, Reduction reduction, Flaw flaw = Flaw::none) {
  return outcomes_of<Things>(
      program.threads, [&](Things& s, int thread) { program.run(s, thread); }, reduction, 0, 1000, flaw);
}

// How many of the programs lose a graph under this reduction.
int losing(Vocabulary vocabulary, int most_threads, unsigned programs, Flaw flaw) {
  int lost = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RandomProgram program(seed, most_threads, vocabulary);
    const Outcomes all = explore(program, Reduction::none);
    const Outcomes reduced = explore(program, Reduction::optimal, flaw);
    INFO("seed " << seed);
    if (flaw == Flaw::none) {
      CHECK(reduced.graphs == all.graphs);
      CHECK(reduced.nondeterminism.empty());
    }
    lost += reduced.graphs != all.graphs;
  }
  return lost;
}

struct Seen {
  std::set<std::uint64_t> graphs;
  std::uint64_t executions = 0;
  bool whole = false;
};

Seen graphs_of(const Scenario& scenario, const Bounds& bounds, Reduction reduction, std::uint64_t most_executions) {
  const Program program = program_of(scenario, bounds);
  Dpor dpor(program.threads + program.spare_threads, reduction);
  Seen seen;
  Machine::Run run;
  run.program = &program;
  run.strategy = &dpor;
  run.outcome = [&](const Outcome& outcome) {
    if (dpor.restarts_after(outcome.ending)) {
      seen = {};
      return true;
    }
    const bool counts = outcome.ending == Ending::complete || outcome.ending == Ending::stuck;
    if (counts) seen.graphs.insert(dpor.graph() + static_cast<unsigned>(outcome.ending));
    return ++seen.executions < most_executions;
  };
  run_executions(run);
  machine().end_run();
  seen.whole = dpor.exhausted();
  return seen;
}

}  // namespace

TEST_CASE("random programs of loads and exchanges: the same graphs") {
  CHECK(losing(kLoadsAndExchanges, 4, 250, Flaw::none) == 0);
}

TEST_CASE("random programs of all atomic operations: the same graphs") {
  CHECK(losing(kAtomics, 4, 120, Flaw::none) == 0);
  CHECK(losing(kAtomics, 3, 1000, Flaw::none) == 0);
}

TEST_CASE("random programs with mutexes, fences, events and timeouts too: the same graphs") {
  CHECK(losing(kEverything, 3, 1500, Flaw::none) == 0);
}

TEST_CASE("random programs in pieces: the same graphs as often as in one go") {
  for (const auto& [vocabulary, most_threads, programs] : {std::tuple(kLoadsAndExchanges, 4, 1000U),
                                                           {kAtomics, 4, 2800U},
                                                           {kAtomics, 3, 1000U},
                                                           {kEverything, 4, 3500U}}) {
    for (unsigned seed = 0; seed < programs; ++seed) {
      const RandomProgram program(seed, most_threads, vocabulary);
      const auto body = [&](Things& s, int thread) { program.run(s, thread); };
      const Outcomes whole = explore(program, Reduction::optimal);
      const Outcomes pieces = outcomes_in_pieces<Things>(program.threads, body, 1 + seed % 7);
      INFO("vocabulary " << vocabulary << ", at most " << most_threads << " threads, seed " << seed);
      CHECK(pieces.graphs == whole.graphs);
      if (whole.cut == 0) CHECK(pieces.complete == whole.complete);
    }
  }
}

// Each was lost by a reduction that the tests of its time let pass.
TEST_CASE("programs that graphs were lost of: the same graphs") {
  constexpr Instruction kNothing{kEverything, 0, 0};
  const auto check = [&](const std::array<std::array<Instruction, 3>, 4>& code) {
    RandomProgram program(0, 4, kAtomics);
    program.threads = 4;
    program.length = 2;
    program.code = code;
    const Outcomes all = explore(program, Reduction::none);
    CHECK(explore(program, Reduction::optimal).graphs == all.graphs);
    CHECK(explore(program, Reduction::read_from).graphs == all.graphs);
  };
  // A thread that waits while all others sleep: set, wait, exchange, clear, store was never seen.
  check({{{{{8, 1, 2}, kNothing}}, {{{2, 1, 1}, kNothing}}, {{{6, 1, 0}, kNothing}}, {{{7, 0, 2}, {3, 1, 2}}}}});
  // A compare_exchange that fails and sleeps was taken to cover what came after it.
  check({{{{{1, 1, 0}, kNothing}}, {{{1, 1, 0}, {3, 0, 2}}}, {{{1, 0, 1}, {3, 1, 0}}}, {{{1, 1, 2}, {2, 1, 2}}}}});
}

TEST_CASE("a reduction that is wrong is caught") {
  CHECK(losing(kEverything, 3, 200, Flaw::missing_dependence) > 0);
  CHECK(losing(kEverything, 3, 200, Flaw::sleeper_not_woken) > 0);
  CHECK(losing(kLoadsAndExchanges, 4, 250, Flaw::failed_cas_is_a_store) > 0);
}

TEST_CASE("every scenario small enough: the same graphs") {
  int compared = 0;
  for (const Scenario& scenario : catalogue()) {
    for (const Bounds& bounds : scenario.sizes) {
      const Seen all = graphs_of(scenario, bounds, Reduction::none, 60'000);
      if (!all.whole) continue;
      ++compared;
      const Seen reduced = graphs_of(scenario, bounds, Reduction::optimal, 60'000);
      INFO(scenario.name << " at " << size_of(bounds));
      CHECK(reduced.whole);
      CHECK(reduced.graphs == all.graphs);
    }
  }
  CHECK(compared >= 50);
}

}  // namespace wakeproof::models
