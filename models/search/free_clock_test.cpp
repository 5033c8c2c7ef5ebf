// The free clock: what may be observed under it, and the search against the one without reduction on random
// programs that wait with deadlines.
#include <random>

#include "ci/catch2.hpp"
#include "dpor.hpp"
#include "outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
using Reduction = Dpor::Reduction;

int& see(int thread, int which) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

int now_ms() {
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::milliseconds>(P::clock::now().time_since_epoch()).count());
}

P::clock::time_point at_ms(int ms) {
  return P::clock::time_point(std::chrono::milliseconds(ms));
}

template <class State>
Outcomes under_free_clock(int ticks, int threads, const typename SmallScript<State>::Body& body, Reduction reduction) {
  Program program = small_program<State>(threads, body);
  program.ticks = ticks;
  Dpor dpor(program.all_threads(), reduction);
  Outcomes outcomes;
  add_outcomes(outcomes, program, dpor, 1000);
  return outcomes;
}

struct Timed {
  P::event events[2] = {P::event("a"), P::event("b")};
  P::semaphore permits{0U, "permits"};
  P::mutex lock{"lock"};
  P::condition_variable condition{"condition"};
  P::wake_pipe pipe{"pipe"};
  P::selector selector{"selector"};
  Timed() { selector.add(pipe); }
};

struct Instruction {
  enum What {
    wait_until,
    wait_from_now,
    now,
    set,
    clear,
    acquire_until,
    release,
    condition_wait_until,
    notify,
    write,
    select_until,
    read,
    section,
    kinds
  };
  int what, object, ms;

  // How many steps, about.
  unsigned cost() const {
    if (what == condition_wait_until) return 5;
    if (what == section) return 3;
    return what == wait_from_now ? 2 : 1;
  }
};

void perform(Timed& s, int thread, int which, const Instruction& i) {
  P::event& event = s.events[i.object];
  switch (i.what) {
    case Instruction::wait_until: see(thread, which) = event.wait_until(at_ms(i.ms)); return;
    case Instruction::wait_from_now:
      see(thread, which) = event.wait_until(P::clock::now() + std::chrono::milliseconds(i.ms));
      return;
    case Instruction::now: see(thread, which) = now_ms(); return;
    case Instruction::set: return event.set();
    case Instruction::clear: return event.clear();
    case Instruction::acquire_until: see(thread, which) = s.permits.try_acquire_until(at_ms(i.ms)); return;
    case Instruction::release: return s.permits.release(1);
    case Instruction::condition_wait_until: {
      P::unique_lock held(s.lock);
      see(thread, which) = s.condition.wait_until(held, at_ms(i.ms));
      return;
    }
    case Instruction::notify: return s.condition.notify_one();
    case Instruction::write: s.pipe.write_byte(); return;
    case Instruction::select_until: see(thread, which) = s.selector.wait_until(at_ms(i.ms)); return;
    case Instruction::read: see(thread, which) = static_cast<int>(s.pipe.read_all()); return;
    default: {
      const P::lock_guard held(s.lock);
      see(thread, which) = now_ms();
    }
  }
}

using Code = std::vector<std::vector<Instruction>>;

// The number of interleavings with the clock's steps, about.
double size_of(const Code& code, int ticks) {
  double ways = 1;
  auto steps = static_cast<unsigned>(ticks);
  for (const auto& line : code) {
    unsigned mine = 0;
    for (const Instruction& instruction : line) {
      for (unsigned i = 0; i < instruction.cost(); ++i) ways = ways * ++steps / ++mine;
    }
  }
  return ways;
}

// A few kinds a program, so that its threads have something to do with each other; at least one looks at the time.
Code random_code(std::mt19937& random, int ticks) {
  constexpr double kLargest = 4000;
  constexpr int kTimed[] = {Instruction::wait_until,    Instruction::wait_from_now, Instruction::now,
                            Instruction::acquire_until, Instruction::select_until,  Instruction::condition_wait_until,
                            Instruction::section};
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (;;) {
    Code code(static_cast<std::size_t>(2 + below(2)));
    std::vector<int> used(4);
    for (int& kind : used) kind = below(Instruction::kinds);
    used[0] = kTimed[below(static_cast<int>(std::size(kTimed)))];
    for (auto& line : code) {
      line.resize(static_cast<std::size_t>(1 + below(3)));
      for (auto& instruction : line) {
        const int what = below(4) == 0 ? below(Instruction::kinds) : used[static_cast<std::size_t>(below(4))];
        instruction = {what, below(2), 1 + below(2)};
      }
    }
    if (size_of(code, ticks) <= kLargest) return code;
  }
}

// What the others have seen when one goes round for ever differs between equivalent executions.
std::set<std::string> compared(const Outcomes& outcomes) {
  std::set<std::string> all;
  for (const auto& [name, count] : outcomes.counts) {
    all.insert(name.find("busy_spin") == std::string::npos ? name : "busy_spin");
  }
  return all;
}

struct Tally {
  std::uint64_t graphs = 0;
  std::uint64_t complete = 0;
  std::uint64_t redundant = 0;
  std::uint64_t unreduced = 0;
  int several = 0;
};

Tally agree(unsigned seeds, int ticks) {
  Tally tally;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(seed);
    const Code code = random_code(random, ticks);
    const SmallScript<Timed>::Body body = [&](Timed& s, int t) {
      const auto& line = code[static_cast<std::size_t>(t)];
      for (std::size_t i = 0; i < line.size(); ++i) perform(s, t, static_cast<int>(i), line[i]);
    };
    const int threads = static_cast<int>(code.size());
    const Outcomes all = under_free_clock<Timed>(ticks, threads, body, Reduction::none);
    const Outcomes reduced = under_free_clock<Timed>(ticks, threads, body, Reduction::optimal);
    INFO("seed " << seed << ", ticks " << ticks);
    REQUIRE(all.nondeterminism == "");
    REQUIRE(reduced.nondeterminism == "");
    REQUIRE(compared(all) == compared(reduced));
    REQUIRE(all.graphs == reduced.graphs);
    tally.graphs += reduced.graphs.size();
    tally.complete += reduced.complete;
    tally.redundant += reduced.redundant;
    tally.unreduced += all.complete;
    tally.several += all.counts.size() > 1;
  }
  return tally;
}

}  // namespace

TEST_CASE("a tick may come at any moment: a wait ends by its event or by its deadline") {
  struct Event {
    P::event event{"event"};
  };
  const SmallScript<Event>::Body body = [](Event& s, int thread) {
    if (thread == 0) return s.event.set();
    see(thread, 0) = s.event.wait_until(at_ms(1));
  };
  for (const Reduction reduction : {Reduction::none, Reduction::optimal}) {
    CHECK(under_free_clock<Event>(0, 2, body, reduction).names() == ",1\n");
    CHECK(under_free_clock<Event>(1, 2, body, reduction).names() == ",0\n,1\n");
  }
}

TEST_CASE("random programs under the free clock: the same graphs with and without reduction") {
  for (int ticks = 1; ticks <= 2; ++ticks) {
    const Tally tally = agree(1000, ticks);
    CHECK(tally.several > 500);
    CHECK(tally.complete * 10 < tally.unreduced);      // and it was worth it
    CHECK(tally.complete < tally.graphs * 110 / 100);  // twice, where time passes with nothing but it to come
    CHECK(tally.redundant < tally.complete * 10 / 100);
  }
}

}  // namespace wakeproof::models
