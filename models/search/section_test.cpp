// Locks in order by their data against no reduction at all: what every thread sees, how it ends and what is
// left, on random lock programs; the graphs but for the order of sections; verdicts; and how much it saves.
#include "section.hpp"

#include <random>

#include "audit.hpp"
#include "ci/catch2.hpp"
#include "outcomes.hpp"
#include "scenario_graphs.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
using Reduction = Dpor::Reduction;

struct Vault {
  P::mutex locks[2] = {P::mutex({"lock", 0}), P::mutex({"lock", 1})};
  // The first three belong to the first lock.
  P::plain<int> data[6] = {P::plain<int>(0, {"data", 0}), P::plain<int>(0, {"data", 1}), P::plain<int>(0, {"data", 2}),
                           P::plain<int>(0, {"data", 3}), P::plain<int>(0, {"data", 4}), P::plain<int>(0, {"data", 5})};
  P::event event{"event"};
  P::atomic<int> word{0, "word"};

  void finish() {
    for (std::size_t i = 0; i < 6; ++i) observed[i / 3][5 + i % 3] = data[i].peek();
  }
};

struct Deed {
  int what, lock, first, second;
};

enum Deeds { kSimple = 5, kNested = 8, kSteps = 13, kUndisciplined = 15 };

struct LockProgram {
  int threads, length;
  std::array<std::array<Deed, 3>, 3> code{};

  LockProgram(unsigned seed, Deeds deeds, int most_steps) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    threads = 2 + below(2);
    length = std::min(most_steps, threads == 2 ? 3 : 2);
    for (auto& line : code) {
      for (auto& deed : line) deed = {below(deeds), below(2), below(3), below(3)};
    }
  }

  void run(Vault& s, int thread) const {
    int seen = 0;
    for (int i = 0; i < length; ++i) {
      perform(s, code[static_cast<std::size_t>(thread)][static_cast<std::size_t>(i)], thread * 3 + i + 1, seen);
      observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(i)] = seen;
    }
  }

  static void perform(Vault& s, const Deed& deed, int value, int& seen) {
    P::plain<int>* own = s.data + deed.lock * 3;
    P::plain<int>& first = own[deed.first];
    P::plain<int>& second = own[deed.second];
    P::mutex& lock = s.locks[deed.lock];
    switch (deed.what) {
      case 8: return s.event.set();
      case 9: seen = s.event.wait_until(P::clock::now() + std::chrono::milliseconds(1)); return;
      case 10: seen = s.word.exchange(value, std::memory_order_relaxed); return;
      case 11: return s.event.clear();
      case 12: return s.word.store(value, std::memory_order_relaxed);
      case 13: return first.set(value);  // without the lock
      case 14: seen = first.get(); return;
      default: break;
    }
    const P::lock_guard guard(lock);
    switch (deed.what) {
      case 0: return first.set(value);
      case 1: seen = first.get(); return;
      case 2: return second.set(first.get() * 10 + value);
      case 3: seen = first.get() + second.get(); return;
      case 4:  // what it touches depends on what it sees
        if (first.get() == 0) return second.set(value);
        seen = first.get();
        return;
      case 5: seen = s.word.exchange(value, std::memory_order_relaxed); return;
      case 6: {
        const P::lock_guard inner(s.locks[1 - deed.lock]);
        return s.data[(1 - deed.lock) * 3].set(value + first.get());
      }
      default: return;  // an empty one
    }
  }
};

Outcomes explore(const LockProgram& program, Reduction reduction, LockOrder order, Flaw flaw = Flaw::none) {
  return outcomes_of<Vault>(
      program.threads, [&](Vault& s, int thread) { program.run(s, thread); }, reduction, 0, 1000, flaw, {}, order);
}

struct Compared {
  int differing = 0;
  int by_data = 0;  // to the end
  int racing = 0;
  std::uint64_t executions = 0;
  std::uint64_t executions_usual = 0;
  std::uint64_t redundant = 0;
};

std::set<std::string> verdicts_of(const Outcomes& outcomes) {
  std::set<std::string> verdicts;
  for (const auto& [name, count] : outcomes.counts) {
    const std::size_t space = name.find(' ');
    verdicts.insert(space == std::string::npos ? "" : name.substr(space));
  }
  return verdicts;
}

Compared compare(unsigned programs, Deeds deeds, Flaw flaw = Flaw::none, int most_steps = 3) {
  Compared compared;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const LockProgram program(seed, deeds, most_steps);
    const Outcomes all = explore(program, Reduction::none, LockOrder::by_data);
    const Outcomes usual = explore(program, Reduction::optimal, LockOrder::usual);
    const Outcomes reduced = explore(program, Reduction::optimal, LockOrder::by_data, flaw);
    // What is seen before a data race depends on where it is noticed.
    const bool races = verdicts_of(all).contains(" data_race");
    const bool same = races ? verdicts_of(reduced) == verdicts_of(all) : reduced.names() == all.names();
    compared.racing += races;
    compared.differing += !same || !reduced.nondeterminism.empty();
    if (reduced.locks_by_data) {
      ++compared.by_data;
      compared.executions += reduced.complete;
      compared.executions_usual += usual.complete;
    }
    if (flaw != Flaw::none) continue;
    INFO("seed " << seed);
    CHECK(reduced.nondeterminism.empty());
    CHECK(same);
    if (!reduced.locks_by_data) continue;
    CHECK(reduced.by_data == all.by_data);
    compared.redundant += reduced.redundant;
    CHECK(reduced.complete <= usual.complete);
  }
  return compared;
}

}  // namespace

TEST_CASE("locks by data: random programs of simple sections see the same and leave the same") {
  const Compared compared = compare(300, kSimple);
  CHECK(compared.by_data == 300);
  CHECK(compared.executions * 2 < compared.executions_usual);
  // Begun in vain: a section that is tried earlier turns out to be in no order with what it was put behind.
  CHECK(compared.redundant * 10 < compared.executions);
}

TEST_CASE("locks by data: with sections inside sections, steps inside sections and empty ones") {
  CHECK(compare(200, kNested).by_data > 150);
}

TEST_CASE("locks by data: with events, timeouts and atomics between sections") {
  CHECK(compare(300, kSteps).by_data > 150);
}

TEST_CASE("locks by data: data races are found that an accidental order of sections would hide") {
  const Compared compared = compare(400, kUndisciplined);
  CHECK(compared.racing > 40);
  CHECK(compared.by_data < 400 - compared.racing);
}

TEST_CASE("locks by data: what is wrong is caught") {
  CHECK(compare(200, kSimple, Flaw::forgotten_reads).differing > 0);
  CHECK(compare(400, kUndisciplined, Flaw::no_discipline).differing > 0);
}

TEST_CASE("locks by data: every scenario small enough, the same graphs but for the order of sections") {
  int compared = 0;
  for (const Scenario& scenario : catalogue()) {
    for (const Bounds& bounds : {Bounds{1, 1}, Bounds{1, 2}}) {
      const Seen reduced = graphs_of(scenario, bounds, {.locks_by_data = true});
      INFO(scenario.name << " at " << size_of(bounds));
      CHECK(reduced.whole);
      CHECK(reduced.nondeterminism.empty());
      if (!reduced.locks_by_data) continue;
      // A thread that is started and joined adds a few: output_sink/end_races_put has 3 at 1x2.
      if (scenario.spare_threads == 0) CHECK(reduced.redundant == 0);
      const GraphSearch without{.reduction = Reduction::none, .locks_by_data = true, .most_executions = 20'000};
      const Seen all = graphs_of(scenario, bounds, without);
      if (!all.whole) continue;
      ++compared;
      CHECK(reduced.by_data == all.by_data);
    }
  }
  CHECK(compared >= 30);
}

TEST_CASE("locks by data: every scenario and every small change of a correct one has the same verdicts") {
  constexpr std::uint64_t kMostExecutions = 10'000;  // those with a consumer or a task more have a million
  int by_data = 0;
  for (const Scenario& scenario : catalogue()) {
    std::vector<Scenario> variants{scenario};
    // A ring before the loop is bound, as a change of bind_late may do, follows a null pointer.
    if (scenario.expected == Verdict::proved && scenario.name != "output_sink/loop/bind_late") {
      Survey survey;
      SearchOptions options;
      options.survey = &survey;
      search(scenario, {1, 1}, options);
      for (const Mutation& change : changes_of(survey)) {
        variants.push_back(scenario);
        variants.back().mutations = {change};
      }
    }
    for (const Scenario& variant : variants) {
      SearchOptions options;
      options.keep_going = true;
      options.max_steps = 200;
      options.max_executions = kMostExecutions;
      const SearchResult usual = search(variant, {2, 1}, options);
      if (usual.complete + usual.redundant + usual.stuck + usual.cut >= kMostExecutions) continue;
      options.kind.locks_by_data = true;
      const SearchResult reduced = search(variant, {2, 1}, options);
      INFO(variant.name << (variant.mutations.empty() ? "" : ", " + describe(variant.mutations.front())));
      for (std::size_t i = 0; i < usual.findings.size(); ++i)
        CHECK((usual.findings[i] > 0) == (reduced.findings[i] > 0));
      CHECK(reduced.exhausted == usual.exhausted);
      by_data += reduced.locks_by_data;
    }
  }
  CHECK(by_data >= 50);
}

// Little on a sink, where a section that appends, drains, raises or lowers mostly conflicts with the next
// one on its mutex. That not every write is read, which Nidhugg's read-from mode makes use of, this does not see.
TEST_CASE("locks by data: what it saves on the mutex sink") {
  struct Saving {
    Bounds bounds;
    std::uint64_t executions;
  };
  for (const auto& [bounds, executions] : {Saving{{2, 1}, 202}, {{3, 1}, 25'062}, {{2, 2}, 381'652}}) {
    SearchOptions options;
    options.keep_going = true;
    options.graphs = true;
    options.kind.locks_by_data = true;
    for (const char* name : {"calibration/mutex_sink", "output_sink/correct"}) {
      Scenario scenario = *scenario_named(name);
      scenario.producers_interchangeable = false;
      SearchResult result = search(scenario, bounds, options);
      INFO(name << " at " << size_of(bounds));
      CHECK(result.verdict == Verdict::proved);
      CHECK(result.locks_by_data);
      CHECK(result.complete == executions);
      CHECK(result.redundant == 0);
      CHECK(distinct_graphs(result, options) == executions);
    }
  }
}

TEST_CASE("locks by data: together with symmetry") {
  SearchOptions options;
  options.kind.locks_by_data = true;
  CHECK(search(*scenario_named("output_sink/correct"), {2, 1}, options).complete == 101);
  CHECK(search(*scenario_named("output_sink/correct"), {3, 1}, options).complete == 25'062 / 6);
}

}  // namespace wakeproof::models
