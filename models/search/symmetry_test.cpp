// Symmetry against the search without it: the same graphs but for the names of the threads that do the
// same, on random programs and on the scenarios that declare it; the same verdicts; and how much it saves.
#include "symmetry.hpp"

#include "audit.hpp"
#include "ci/catch2.hpp"
#include "outcomes.hpp"
#include "random_program.hpp"
#include "scenario_graphs.hpp"

namespace wakeproof::models {

namespace {

using Reduction = Dpor::Reduction;

// `same` threads that all run the first thread's code, and one more that runs its own where there is room.
struct Alike {
  RandomProgram program;
  int same;
  int threads;

  Alike(unsigned seed, int same_threads, int others, Vocabulary vocabulary)
      : program(seed, 2, vocabulary), same(same_threads), threads(same_threads + others) {
    program.length = threads == 2 ? 3 : 2;
    for (int i = 1; i < same; ++i) program.code[static_cast<std::size_t>(i)] = program.code[0];
  }

  Outcomes explore(Reduction reduction, bool symmetry, Flaw flaw = Flaw::none) const {
    return outcomes_of<Things>(threads, [&](Things& s, int thread) { program.run(s, thread); }, reduction, 0, 1000,
                               flaw, {same, symmetry});
  }
};

// How many of the programs lose a graph, or come to what cannot be.
int losing(int same, int others, Vocabulary vocabulary, unsigned programs, Flaw flaw = Flaw::none) {
  int lost = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Alike alike(seed, same, others, vocabulary);
    const Outcomes all = alike.explore(Reduction::none, false);
    const Outcomes restricted = alike.explore(Reduction::none, true);
    const Outcomes reduced = alike.explore(Reduction::optimal, true, flaw);
    lost += reduced.nameless != all.nameless || !reduced.nondeterminism.empty();
    if (flaw != Flaw::none) continue;
    INFO("seed " << seed);
    CHECK(reduced.nondeterminism.empty());
    CHECK(restricted.nameless == all.nameless);
    CHECK(reduced.graphs == restricted.graphs);
  }
  return lost;
}

// Programs whose threads do not begin with the same operation, declared alike all the same.
int losing_unlike(unsigned programs, Flaw flaw) {
  int lost = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RandomProgram program(seed, 2, kAtomics);
    const Instruction& first = program.code[0][0];
    const Instruction& second = program.code[1][0];
    if (first.what == second.what && first.word == second.word) continue;
    const auto explore = [&](bool symmetry) {
      return outcomes_of<Things>(2, [&](Things& s, int thread) { program.run(s, thread); }, Reduction::optimal, 0, 1000,
                                 flaw, {2, symmetry});
    };
    lost += explore(true).graphs != explore(false).graphs;
  }
  return lost;
}

SearchResult explore(const Scenario& scenario, const Bounds& bounds, bool symmetry) {
  SearchOptions options;
  options.kind.symmetry = symmetry;
  options.keep_going = true;
  options.max_steps = 200;  // one that goes on beyond has no end
  options.graphs = true;
  return search(scenario, bounds, options);
}

std::string kinds_of(const SearchResult& result) {
  std::string kinds;
  for (const std::uint64_t count : result.findings) kinds += count > 0 ? '1' : '0';
  return kinds;
}

Scenario declared(const char* name) {
  Scenario scenario = *scenario_named(name);
  scenario.producers_interchangeable = true;
  return scenario;
}

}  // namespace

TEST_CASE("symmetry: random programs of two and three threads that do the same") {
  CHECK(losing(2, 0, kEverything, 300) == 0);
  CHECK(losing(2, 1, kEverything, 150) == 0);
  CHECK(losing(3, 0, kAtomics, 40) == 0);
  CHECK(losing(3, 0, kEverything, 60) == 0);
}

TEST_CASE("symmetry: threads that begin with different operations do not wait for each other") {
  CHECK(losing_unlike(200, Flaw::none) == 0);
}

TEST_CASE("symmetry: of those that wait for ever before their first step, only the first could have come earlier") {
  struct Gate {
    ModelPlatform::event go{"go"};
    Gate() { go.set(); }
  };
  const SmallScript<Gate>::Body body = [](Gate& s, int thread) { thread == 2 ? s.go.clear() : s.go.wait(); };
  const auto explore = [&](Reduction reduction, bool symmetry) {
    return outcomes_of<Gate>(3, body, reduction, 0, 1000, Flaw::none, {2, symmetry});
  };
  const Outcomes reduced = explore(Reduction::optimal, true);
  CHECK(reduced.nondeterminism.empty());
  CHECK(reduced.nameless == explore(Reduction::none, false).nameless);
  CHECK(reduced.complete == 3);  // both, one or none of them before the clear
}

TEST_CASE("symmetry that is wrong is caught") {
  CHECK(losing(2, 1, kEverything, 150, Flaw::unordered_beginnings) > 0);
  CHECK(losing_unlike(200, Flaw::any_first_operation) > 0);
}

TEST_CASE("symmetry: the same graphs but for names as without any reduction") {
  for (const char* name : {"calibration/tagged_sink", "calibration/mutex_sink_no_second_drain",
                           "output_sink/missing_second_drain", "output_sink/flag_relaxed"}) {
    GraphSearch without{.reduction = Reduction::none, .most_executions = 1'000'000};
    const Seen all = graphs_of(*scenario_named(name), {2, 1}, without);
    const Seen reduced = graphs_of(*scenario_named(name), {2, 1}, {.symmetry = true});
    INFO(name);
    CHECK(all.whole);
    CHECK(reduced.whole);
    CHECK(reduced.nameless == all.nameless);
  }
}

TEST_CASE("symmetry: every scenario that declares it has the same graphs but for names") {
  int compared = 0;
  for (const Scenario& scenario : catalogue()) {
    if (!scenario.producers_interchangeable) continue;
    for (const Bounds& bounds : {Bounds{2, 1}, Bounds{3, 1}, Bounds{2, 2}}) {
      const Seen all = graphs_of(scenario, bounds, {.most_executions = 30'000});
      if (!all.whole) continue;
      ++compared;
      const Seen reduced = graphs_of(scenario, bounds, {.symmetry = true});
      INFO(scenario.name << " at " << size_of(bounds));
      CHECK(reduced.whole);
      CHECK(reduced.nondeterminism.empty());
      CHECK(reduced.nameless == all.nameless);
    }
  }
  CHECK(compared >= 20);
}

TEST_CASE("symmetry: every scenario that declares it, and every small change of one, has the same verdicts") {
  int compared = 0;
  for (const Scenario& scenario : catalogue()) {
    if (!scenario.producers_interchangeable) continue;
    std::vector<Scenario> variants{scenario};
    // A ring before the loop is bound, as a change of bind_late may do, follows a null pointer.
    if (scenario.mutations.empty() && scenario.name != "output_sink/loop/bind_late") {
      Survey survey;
      SearchOptions options;
      options.survey = &survey;
      search(scenario, {2, 1}, options);
      for (const Mutation& change : changes_of(survey)) {
        variants.push_back(scenario);
        variants.back().mutations = {change};
      }
    }
    for (const Scenario& variant : variants) {
      const SearchResult with = explore(variant, {2, 1}, true);
      const SearchResult without = explore(variant, {2, 1}, false);
      INFO(variant.name << (variant.mutations.empty() ? "" : ", " + describe(variant.mutations.front())));
      CHECK(kinds_of(with) == kinds_of(without));
      CHECK(with.exhausted == without.exhausted);
      CHECK(with.complete + with.stuck <= without.complete + without.stuck);
      ++compared;
    }
  }
  CHECK(compared >= 50);
}

TEST_CASE("symmetry: the calibrations declare none, and have graphs that are the same when declared") {
  for (const Scenario& scenario : catalogue()) {
    if (scenario.name.starts_with("calibration/")) CHECK(!scenario.producers_interchangeable);
  }
  for (const char* name : {"calibration/mutex_sink", "calibration/tagged_sink"}) {
    for (const Bounds& bounds : {Bounds{2, 1}, Bounds{3, 1}}) {
      const Seen all = graphs_of(declared(name), bounds, {});
      if (!all.whole) continue;
      const Seen reduced = graphs_of(declared(name), bounds, {.symmetry = true});
      INFO(name << " at " << size_of(bounds));
      CHECK(reduced.nameless == all.nameless);
      CHECK(reduced.executions - reduced.redundant == reduced.graphs.size());
    }
  }
}

TEST_CASE("symmetry: as many executions less as there are ways to name the producers, or nearly") {
  struct Saving {
    const char* name;
    Bounds bounds;
    std::uint64_t without, with;
  };
  // Where producers begin with a lock, one is always first. Two loads can be in no order at all.
  for (const auto& [name, bounds, without, with] : {Saving{"output_sink/correct", {2, 1}, 202, 101},
                                                    {"output_sink/correct", {3, 1}, 26'052, 4'342},
                                                    {"output_sink/correct", {2, 2}, 393'892, 196'946},
                                                    {"calibration/tagged_sink", {2, 1}, 622, 542}}) {
    const Scenario scenario = declared(name);
    INFO(name << " at " << size_of(bounds));
    CHECK(explore(scenario, bounds, false).complete == without);
    CHECK(explore(scenario, bounds, true).complete == with);
    CHECK(explore(scenario, bounds, true).redundant == 0);
  }
}

}  // namespace wakeproof::models
