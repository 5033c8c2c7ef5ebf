// Dpor against the search without any reduction: on litmus tests with known outcomes, on the corners
// of blocking and time, and on random programs.
#include "dpor.hpp"

#include <random>

#include "ci/catch2.hpp"
#include "outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
using Reduction = Dpor::Reduction;
constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kSeqCst = std::memory_order_seq_cst;

struct TwoWords {
  P::atomic<int> x{0, "x"};
  P::atomic<int> y{0, "y"};
};
using Body = SmallScript<TwoWords>::Body;

// The outcomes, which both searches must agree on.
Outcomes both(int threads, const Body& body) {
  const Outcomes all = outcomes_of<TwoWords>(threads, body, Reduction::none);
  Outcomes reduced = outcomes_of<TwoWords>(threads, body, Reduction::optimal);
  CHECK(all.names() == reduced.names());
  CHECK(reduced.complete <= all.complete);
  return reduced;
}

int& see(int thread, int which) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

Body store_buffering(std::memory_order store, std::memory_order load, bool fences) {
  return [=](TwoWords& s, int t) {
    (t == 0 ? s.x : s.y).store(1, store);
    if (fences) P::fence(kSeqCst);
    see(t, 0) = (t == 0 ? s.y : s.x).load(load);
  };
}

Body independent_reads(std::memory_order store, std::memory_order load) {
  return [=](TwoWords& s, int t) {
    if (t < 2) return (t == 0 ? s.x : s.y).store(1, store);
    see(t, 0) = (t == 2 ? s.x : s.y).load(load);
    see(t, 1) = (t == 2 ? s.y : s.x).load(load);
  };
}

}  // namespace

TEST_CASE("store buffering: 4 outcomes, 3 with seq_cst accesses or fences") {
  CHECK(both(2, store_buffering(kRelaxed, kRelaxed, false)).counts.size() == 4);
  CHECK(both(2, store_buffering(kRelease, kAcquire, false)).counts.size() == 4);
  CHECK(both(2, store_buffering(kSeqCst, kSeqCst, false)).counts.size() == 3);
  CHECK(both(2, store_buffering(kRelaxed, kRelaxed, true)).counts.size() == 3);
}

TEST_CASE("independent reads of independent writes: 16 outcomes, 15 with seq_cst") {
  CHECK(both(4, independent_reads(kRelease, kAcquire)).counts.size() == 16);
  CHECK(both(4, independent_reads(kSeqCst, kSeqCst)).counts.size() == 15);
}

TEST_CASE("message passing: 3 outcomes with release and acquire, 4 without") {
  const auto passing = [](std::memory_order store, std::memory_order load) -> Body {
    return [=](TwoWords& s, int t) {
      if (t == 0) {
        s.x.store(1, kRelaxed);
        s.y.store(1, store);
      } else {
        see(t, 0) = s.y.load(load);
        see(t, 1) = s.x.load(kRelaxed);
      }
    };
  };
  CHECK(both(2, passing(kRelease, kAcquire)).counts.size() == 3);
  CHECK(both(2, passing(kRelaxed, kRelaxed)).counts.size() == 4);
}

TEST_CASE("load buffering and 2+2W: what Relacy shows, 3 each") {
  CHECK(both(2, [](TwoWords& s, int t) {
          see(t, 0) = (t == 0 ? s.x : s.y).load(kRelaxed);
          (t == 0 ? s.y : s.x).store(1, kRelaxed);
        }).counts.size() == 3);
  struct FinalWords : TwoWords {
    void finish() {
      see(0, 0) = x.peek();
      see(1, 0) = y.peek();
    }
  };
  const SmallScript<FinalWords>::Body two_plus_two = [](FinalWords& s, int t) {
    (t == 0 ? s.x : s.y).store(1, kRelaxed);
    (t == 0 ? s.y : s.x).store(2, kRelaxed);
  };
  CHECK(outcomes_of<FinalWords>(2, two_plus_two, Reduction::none).counts.size() == 3);
  CHECK(outcomes_of<FinalWords>(2, two_plus_two, Reduction::optimal).counts.size() == 3);
}

TEST_CASE("an old value stays readable however many stores came after it") {
  const Outcomes outcomes = both(2, [](TwoWords& s, int t) {
    if (t == 0) {
      for (int i = 1; i <= 4; ++i) s.x.store(i, kRelaxed);
      s.y.store(1, kRelaxed);
    } else {
      see(t, 0) = s.y.load(kRelaxed);
      see(t, 1) = s.x.load(kRelaxed);
      see(t, 2) = s.x.load(kRelaxed);
    }
  });
  CHECK(outcomes.counts.size() == 30);  // 15 ordered pairs, for each value of y
}

TEST_CASE("compare_exchange: one of two wins, the weak one may fail for no reason") {
  const auto race = [](bool weak) -> Body {
    return [weak](TwoWords& s, int t) {
      int expected = 0;
      const bool won = weak ? s.x.compare_exchange_weak(expected, t + 1, kSeqCst, kRelaxed)
                            : s.x.compare_exchange_strong(expected, t + 1, kSeqCst, kRelaxed);
      see(t, 0) = won;
      see(t, 1) = expected;
    };
  };
  CHECK(both(2, race(false)).counts.size() == 2);
  CHECK(both(2, race(true)).counts.size() == 5);  // and: either or both fail spuriously
}

namespace {

struct Waiting {
  P::event go{"go"};
  P::event other{"other"};
  P::mutex lock{"lock"};
  Waiting() { go.set(); }
};

void agree(const SmallScript<Waiting>::Body& body, int threads, const std::string& expected) {
  CHECK(outcomes_of<Waiting>(threads, body, Reduction::none).names() == expected);
  CHECK(outcomes_of<Waiting>(threads, body, Reduction::optimal).names() == expected);
}

auto soon() {
  return P::clock::now() + std::chrono::milliseconds(1);
}

}  // namespace

TEST_CASE("a wait that is still pending when all stands still is reversed with the clear before it") {
  // T0 clears first in the first execution, and T1's wait never becomes a step.
  agree(
      [](Waiting& s, int t) {
        if (t == 0) return s.go.clear();
        s.go.wait();
        see(t, 0) = 1;
      },
      2, ", deadlock\n,1\n");
}

TEST_CASE("the same where a timeout ends the wait") {
  agree(
      [](Waiting& s, int t) {
        if (t == 0) return s.go.clear();
        see(t, 0) = s.go.wait_until(soon());
      },
      2, ",0\n,1\n");
}

TEST_CASE("a wait of a third thread is not hidden by time passing in between") {
  // T2 may pass `go` before T0 clears it; else only T1's timeout lets it go on.
  agree(
      [](Waiting& s, int t) {
        if (t == 0) return s.go.clear();
        if (t == 1) {
          see(t, 0) = s.other.wait_until(soon());
          if (see(t, 0) == 0) s.go.set();
          return;
        }
        s.go.wait();
        see(t, 0) = 1;
        s.other.set();
      },
      3, ",0,1\n,1,1\n");
}

TEST_CASE("the order of two critical sections, and a try_lock beside them") {
  struct Counter {
    P::mutex lock{"lock"};
    P::plain<int> count{0, "count"};
  };
  const SmallScript<Counter>::Body body = [](Counter& s, int t) {
    if (t == 2) {
      see(t, 0) = s.lock.try_lock();
      if (see(t, 0) == 0) return;
    } else {
      s.lock.lock();
    }
    s.count.set(s.count.get() + 1);
    see(t, 1) = s.count.get();
    s.lock.unlock();
  };
  const auto all = outcomes_of<Counter>(3, body, Reduction::none);
  const auto reduced = outcomes_of<Counter>(3, body, Reduction::optimal);
  CHECK(all.names() == reduced.names());
  CHECK(all.counts.size() == 8);  // 3! orders of three, 2 of two when the try fails
}

namespace {

// A random program: a few operations a thread on two atomics, an event and a mutex.
struct Anything {
  P::atomic<int> x{0, "x"};
  P::atomic<int> y{0, "y"};
  P::event event{"event"};
  P::mutex lock{"lock"};
};

struct Instruction {
  int what, object, order;
};

void perform(Anything& s, int thread, int which, const Instruction& i, std::memory_order load,
             std::memory_order store) {
  P::atomic<int>& word = i.object == 0 ? s.x : s.y;
  const int value = thread * 3 + which + 1;
  switch (i.what) {
    case 0: see(thread, which) = word.load(load); return;
    case 1: return word.store(value, store);
    case 2: see(thread, which) = word.exchange(value, kSeqCst); return;
    case 3: {
      int expected = 0;
      see(thread, which) = word.compare_exchange_strong(expected, value, std::memory_order_acq_rel, kRelaxed);
      return;
    }
    case 4: return s.event.set();
    case 5: return s.event.clear();
    case 6: return s.event.wait();
    case 7: see(thread, which) = s.event.wait_until(soon()); return;
    case 8: return P::fence(kSeqCst);
    default:
      s.lock.lock();
      word.store(value, kRelaxed);
      return s.lock.unlock();
  }
}

}  // namespace

TEST_CASE("random programs: the same outcomes with and without reduction") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    const int threads = 2 + below(2);
    const int length = threads == 2 ? 3 : 2;
    std::array<std::array<Instruction, 3>, 3> code{};
    for (auto& line : code) {
      for (auto& instruction : line) instruction = {below(10), below(2), below(3)};
    }
    const SmallScript<Anything>::Body body = [&](Anything& s, int t) {
      constexpr std::memory_order kLoads[] = {kRelaxed, kAcquire, kSeqCst};
      constexpr std::memory_order kStores[] = {kRelaxed, kRelease, kSeqCst};
      for (int i = 0; i < length; ++i) {
        const Instruction& instruction = code[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        perform(s, t, i, instruction, kLoads[instruction.order], kStores[instruction.order]);
      }
    };
    const Outcomes all = outcomes_of<Anything>(threads, body, Reduction::none);
    const Outcomes reduced = outcomes_of<Anything>(threads, body, Reduction::optimal);
    INFO("seed " << seed);
    REQUIRE(all.names() == reduced.names());
    REQUIRE(reduced.complete <= all.complete);
  }
}

}  // namespace wakeproof::models
