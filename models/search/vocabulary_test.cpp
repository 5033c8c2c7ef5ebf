// Dpor against the search without any reduction, on random programs of condition variables,
// semaphores, waits on atomics and asymmetric fences.
#include <random>
#include <set>

#include "ci/catch2.hpp"
#include "dpor.hpp"
#include "outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
using Reduction = Dpor::Reduction;
constexpr auto kRelaxed = std::memory_order_relaxed;

struct Anything {
  P::atomic<int> x{0, "x"};
  P::atomic<int> y{0, "y"};
  P::plain<int> data{0, "data"};
  P::mutex lock{"lock"};
  P::condition_variable condition{"condition"};
  P::semaphore permits{0U, "permits"};
};

int& see(int thread, int which) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

auto soon() {
  return P::clock::now() + std::chrono::milliseconds(1);
}

struct Instruction {
  enum What {
    load,
    store,
    exchange,
    light,
    heavy,
    seq_cst_fence,
    release_fence,
    await,
    notify_one,
    notify_all,
    store_and_notify,
    condition_wait,
    condition_wait_until,
    wake_one,
    wake_all,
    wake_one_locked,
    acquire,
    acquire_until,
    try_acquire,
    release,
    release_two,
    try_lock,
    kinds,
    // Only where races are asked for.
    read_data = kinds,
    write_data,
    kinds_with_data,
  };
  int what, object, order;

  // How many steps, about.
  unsigned cost() const {
    if (what == condition_wait || what == condition_wait_until) return 5;
    if (what == wake_one_locked) return 3;
    return what == await || what == store_and_notify || what == try_lock ? 2 : 1;
  }
};

void wait_on_condition(Anything& s, int thread, int which, bool timed) {
  P::unique_lock held(s.lock);
  if (timed) {
    see(thread, which) = s.condition.wait_until(held, soon());
  } else {
    s.condition.wait(held);
    see(thread, which) = 1;
  }
}

void perform(Anything& s, int thread, int which, const Instruction& i) {
  constexpr std::memory_order kLoads[] = {kRelaxed, std::memory_order_acquire, std::memory_order_seq_cst};
  constexpr std::memory_order kStores[] = {kRelaxed, std::memory_order_release, std::memory_order_seq_cst};
  P::atomic<int>& word = i.object == 0 ? s.x : s.y;
  const int value = thread * 3 + which + 1;
  switch (i.what) {
    case Instruction::load: see(thread, which) = word.load(kLoads[i.order]); return;
    case Instruction::store: return word.store(value, kStores[i.order]);
    case Instruction::exchange: see(thread, which) = word.exchange(value, std::memory_order_acq_rel); return;
    case Instruction::light: return P::light_fence();
    case Instruction::heavy: return P::heavy_fence();
    case Instruction::seq_cst_fence: return P::fence(std::memory_order_seq_cst);
    case Instruction::release_fence: return P::fence(std::memory_order_release);
    case Instruction::await: return word.wait(0, kLoads[i.order]);
    case Instruction::notify_one: return word.notify_one();
    case Instruction::notify_all: return word.notify_all();
    case Instruction::store_and_notify: word.store(value, kStores[i.order]); return word.notify_one();
    case Instruction::condition_wait: return wait_on_condition(s, thread, which, false);
    case Instruction::condition_wait_until: return wait_on_condition(s, thread, which, true);
    case Instruction::wake_one: return s.condition.notify_one();
    case Instruction::wake_all: return s.condition.notify_all();
    case Instruction::wake_one_locked: {
      const P::lock_guard held(s.lock);
      return s.condition.notify_one();
    }
    case Instruction::acquire: return s.permits.acquire();
    case Instruction::acquire_until: see(thread, which) = s.permits.try_acquire_until(soon()); return;
    case Instruction::try_acquire: see(thread, which) = s.permits.try_acquire(); return;
    case Instruction::release: return s.permits.release(1);
    case Instruction::release_two: return s.permits.release(2);
    case Instruction::try_lock:
      see(thread, which) = s.lock.try_lock();
      if (see(thread, which) == 1) s.lock.unlock();
      return;
    case Instruction::read_data: see(thread, which) = s.data.get(); return;
    default: return s.data.set(value);
  }
}

using Code = std::vector<std::vector<Instruction>>;

// The number of interleavings, about.
double size_of(const Code& code) {
  double ways = 1;
  unsigned steps = 0;
  for (const auto& line : code) {
    unsigned mine = 0;
    for (const Instruction& instruction : line) {
      for (unsigned i = 0; i < instruction.cost(); ++i) ways = ways * ++steps / ++mine;
    }
  }
  return ways;
}

Code random_code(std::mt19937& random, int kinds) {
  constexpr double kLargest = 4000;
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (;;) {
    Code code(static_cast<std::size_t>(2 + below(2)));
    // A few kinds a program, so that its threads have something to do with each other.
    std::vector<int> used(4);
    for (int& kind : used) kind = below(kinds);
    for (auto& line : code) {
      line.resize(static_cast<std::size_t>(1 + below(3)));
      for (auto& instruction : line) {
        const bool any = below(3) == 0;
        instruction = {any ? below(kinds) : used[static_cast<std::size_t>(below(4))], below(2), below(3)};
      }
    }
    if (size_of(code) <= kLargest) return code;
  }
}

// Steps after a race differ between equivalent executions, so only that there is one is compared.
std::set<std::string> compared(const Outcomes& outcomes) {
  std::set<std::string> all;
  for (const auto& [name, count] : outcomes.counts) {
    all.insert(name.find("data_race") == std::string::npos ? name : "data_race");
  }
  return all;
}

struct Tally {
  std::uint64_t complete = 0;
  std::uint64_t unreduced = 0;
  std::uint64_t several = 0;  // programs with more than one outcome
};

Tally agree(unsigned seeds, int kinds) {
  Tally tally;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(seed);
    const Code code = random_code(random, kinds);
    const SmallScript<Anything>::Body body = [&](Anything& s, int t) {
      const auto& line = code[static_cast<std::size_t>(t)];
      for (std::size_t i = 0; i < line.size(); ++i) perform(s, t, static_cast<int>(i), line[i]);
    };
    const int threads = static_cast<int>(code.size());
    const Outcomes all = outcomes_of<Anything>(threads, body, Reduction::none);
    const Outcomes reduced = outcomes_of<Anything>(threads, body, Reduction::optimal);
    INFO("seed " << seed);
    REQUIRE(all.nondeterminism.empty());
    REQUIRE(compared(all) == compared(reduced));
    REQUIRE(reduced.complete <= all.complete);
    tally.complete += reduced.complete;
    tally.unreduced += all.complete;
    tally.several += all.counts.size() > 1;
  }
  return tally;
}

}  // namespace

TEST_CASE("random programs of the whole vocabulary: the same outcomes with and without reduction") {
  const Tally tally = agree(800, Instruction::kinds);
  CHECK(tally.several > 250);
  CHECK(tally.complete * 3 < tally.unreduced);  // and it was worth it
}

TEST_CASE("the same with plain data: the same programs race") {
  CHECK(agree(500, Instruction::kinds_with_data).several > 120);
}

}  // namespace wakeproof::models
