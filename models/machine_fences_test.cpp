// The asymmetric fences of the machine: what sink/platform.hpp promises of them, and nothing beyond it.
#include "ci/catch2.hpp"
#include "machine.hpp"
#include "search/outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
constexpr auto kRelaxed = std::memory_order_relaxed;

int& see(int thread, int which = 0) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

struct Things {
  P::atomic<int> x{0, "x"};
  P::atomic<int> y{0, "y"};
  P::event event{"event"};
  P::wake_pipe pipe{"pipe"};
  P::selector selector{"selector"};
  Things() { selector.add(pipe); }
};

Outcomes explore(int threads, const SmallScript<Things>::Body& body) {
  const Outcomes all = outcomes_of<Things>(threads, body, Dpor::Reduction::none);
  Outcomes reduced = outcomes_of<Things>(threads, body, Dpor::Reduction::optimal);
  CHECK(all.names() == reduced.names());
  return reduced;
}

enum class Fence { none, light, heavy, seq_cst };

void pass(Fence fence) {
  if (fence == Fence::light) P::light_fence();
  if (fence == Fence::heavy) P::heavy_fence();
  if (fence == Fence::seq_cst) P::fence(std::memory_order_seq_cst);
}

std::size_t store_buffering(Fence first, Fence second) {
  return explore(2,
                 [&](Things& s, int t) {
                   (t == 0 ? s.x : s.y).store(1, kRelaxed);
                   pass(t == 0 ? first : second);
                   see(t) = (t == 0 ? s.y : s.x).load(kRelaxed);
                 })
      .counts.size();
}

}  // namespace

TEST_CASE("store buffering: a light fence needs a heavy one on the other side") {
  CHECK(store_buffering(Fence::light, Fence::heavy) == 3);
  CHECK(store_buffering(Fence::heavy, Fence::light) == 3);
  CHECK(store_buffering(Fence::heavy, Fence::heavy) == 3);
  CHECK(store_buffering(Fence::heavy, Fence::seq_cst) == 3);
  CHECK(store_buffering(Fence::light, Fence::light) == 4);
  CHECK(store_buffering(Fence::light, Fence::seq_cst) == 4);
  CHECK(store_buffering(Fence::light, Fence::none) == 4);
  CHECK(store_buffering(Fence::none, Fence::heavy) == 4);  // Relacy's own system-wide fence gives 3
}

TEST_CASE("a heavy fence is for the light fence before it, not for what its thread does afterwards") {
  const Outcomes outcomes = explore(2, [](Things& s, int t) {
    if (t == 0) {
      P::light_fence();
      s.x.store(1, kRelaxed);
      see(t) = s.y.load(kRelaxed);
    } else {
      s.y.store(1, kRelaxed);
      P::heavy_fence();
      see(t) = s.x.load(kRelaxed);
    }
  });
  CHECK(outcomes.counts.size() == 4);
}

TEST_CASE("a heavy fence in a third thread orders nothing between two others without light ones") {
  const Outcomes outcomes = explore(3, [](Things& s, int t) {
    if (t == 2) return P::heavy_fence();
    (t == 0 ? s.x : s.y).store(1, kRelaxed);
    see(t) = (t == 0 ? s.y : s.x).load(kRelaxed);
  });
  CHECK(outcomes.counts.size() == 4);
}

TEST_CASE("the pair is a release and an acquire fence to each other, as two seq_cst fences are") {
  // T0's relaxed read and light fence, then T1's heavy one: what T2 released, T1 sees.
  const Outcomes read_before = explore(3, [](Things& s, int t) {
    if (t == 2) {
      s.y.store(1, kRelaxed);
      s.x.store(1, std::memory_order_release);
    } else if (t == 0) {
      see(t) = s.x.load(kRelaxed);
      P::light_fence();
      s.event.set();
    } else {
      if (!s.event.wait_until(P::clock::now() + std::chrono::milliseconds(1))) return;
      P::heavy_fence();
      see(t) = s.y.load(kRelaxed);
    }
  });
  CHECK(read_before.has("1,1,"));
  CHECK_FALSE(read_before.has("1,0,"));
  // A light fence alone is no release fence.
  const Outcomes alone = explore(2, [](Things& s, int t) {
    if (t == 0) {
      s.y.store(1, kRelaxed);
      P::light_fence();
      s.x.store(1, kRelaxed);
    } else {
      see(t) = s.x.load(std::memory_order_acquire);
      P::light_fence();
      see(t, 1) = s.y.load(kRelaxed);
    }
  });
  CHECK(alone.has(",10"));
}

TEST_CASE("the order of a light and a heavy fence alone decides, and both are tried") {
  // The selector orders T1's store before T0's load in time, and promises nothing about memory. T1
  // goes first in the first execution, which shows a 1 only.
  const Outcomes outcomes = explore(2, [](Things& s, int t) {
    if (t == 1) {
      s.x.store(1, kRelaxed);
      P::light_fence();
      s.pipe.write_byte();
    } else {
      P::heavy_fence();
      s.selector.wait_until(std::nullopt);
      see(t) = s.x.load(kRelaxed);
    }
  });
  CHECK(outcomes.names() == "0,\n1,\n");
}

}  // namespace wakeproof::models
