// The oracle: the reduced search sees the same set of execution graphs as the one without reduction,
// on random programs and on every scenario small enough; and reductions that are wrong do not.
#include "ci/catch2.hpp"
#include "outcomes.hpp"
#include "random_program.hpp"
#include "scenario_graphs.hpp"

namespace wakeproof::models {

namespace {

using Reduction = Dpor::Reduction;

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

// Without reduction the most of them take too long.
TEST_CASE("random programs of five threads: the same graphs as optimal and as read_from") {
  for (const auto& [vocabulary, programs] : {std::pair(kAtomics, 400U), {kEverything, 1600U}}) {
    for (unsigned seed = 0; seed < programs; ++seed) {
      RandomProgram program(seed, 5, vocabulary);
      program.threads = 5;
      program.length = 2;
      INFO("vocabulary " << vocabulary << ", seed " << seed);
      CHECK(explore(program, Reduction::optimal).graphs == explore(program, Reduction::read_from).graphs);
    }
  }
}

// Each was lost by a reduction that the tests of its time let pass.
TEST_CASE("programs that graphs were lost of: the same graphs") {
  constexpr Instruction kNothing{kEverything, 0, 0};
  const auto check = [&](int threads, const decltype(RandomProgram::code)& code, Flaw flaw = Flaw::none) {
    RandomProgram program(0, 4, kAtomics);
    program.threads = threads;
    program.length = 2;
    program.code = code;
    const Outcomes all = explore(program, Reduction::none);
    CHECK(explore(program, Reduction::optimal).graphs == all.graphs);
    CHECK(explore(program, Reduction::read_from).graphs == all.graphs);
    if (flaw != Flaw::none) CHECK(explore(program, Reduction::optimal, flaw).graphs != all.graphs);
  };
  // A thread that waits while all others sleep: set, wait, exchange, clear, store was never seen.
  check(4, {{{{{8, 1, 2}, kNothing}}, {{{2, 1, 1}, kNothing}}, {{{6, 1, 0}, kNothing}}, {{{7, 0, 2}, {3, 1, 2}}}}});
  // A compare_exchange that fails and sleeps was taken to cover what came after it.
  check(4, {{{{{1, 1, 0}, kNothing}}, {{{1, 1, 0}, {3, 0, 2}}}, {{{1, 0, 1}, {3, 1, 0}}}, {{{1, 1, 2}, {2, 1, 2}}}}});
  // A race that was not reversed again when the execution went on differently after it.
  check(5,
        {{{{{8, 0, 0}, kNothing}},
          {{{6, 0, 0}, kNothing}},
          {{{6, 0, 0}, {2, 0, 1}}},
          {{{7, 0, 0}, {2, 0, 0}}},
          {{{3, 0, 0}, kNothing}}}},
        Flaw::race_reversed_once);
  // Not reversed again because what covers its sequence begins with a step that was known,
  check(5, {{{{{8, 0, 2}, {3, 1, 2}}},
             {{{4, 0, 2}, kNothing}},
             {{{6, 0, 2}, {4, 1, 2}}},
             {{{7, 0, 2}, kNothing}},
             {{{2, 0, 1}, {6, 1, 1}}}}});
  // or has one as its last.
  check(5, {{{{{2, 0, 1}, {6, 1, 0}}},
             {{{2, 1, 2}, {7, 1, 2}}},
             {{{3, 0, 2}, {4, 1, 0}}},
             {{{8, 1, 1}, {4, 1, 1}}},
             {{kNothing, kNothing}}}});
  // What led to a sequence that turned out to be covered was taken for explored, as read_from.
  check(5, {{{{{7, 1, 1}, {8, 1, 2}}},
             {{{6, 0, 0}, {4, 0, 0}}},
             {{{4, 1, 1}, kNothing}},
             {{{4, 0, 0}, {8, 1, 2}}},
             {{{7, 0, 0}, {7, 0, 0}}}}});
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
      const Seen reduced = graphs_of(scenario, bounds, {});
      if (reduced.executions > 1'000) continue;  // far more without than are allowed; saves trying them
      const Seen all = graphs_of(scenario, bounds, {.reduction = Reduction::none});
      if (!all.whole) continue;
      ++compared;
      INFO(scenario.name << " at " << size_of(bounds));
      CHECK(reduced.whole);
      CHECK(reduced.graphs == all.graphs);
    }
  }
  CHECK(compared >= 200);
}

}  // namespace wakeproof::models
