// Chance: the random choices of one thread of a round, the same for the same seed.
//
// The engine's numbers are the same everywhere; the standard's distributions are not, so none is used.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>

namespace wakeproof::soak {

// One number out of two, well spread: for seeds of seeds and for checksums. After SplitMix64's finisher.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + (b + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t number() { return engine_(); }
  // From `least` to `most`, both included.
  std::size_t between(std::size_t least, std::size_t most) { return least + engine_() % (most - least + 1); }
  // The same with small ones as likely as big ones: each doubling of the range has the same weight.
  std::size_t size_between(std::size_t least, std::size_t most) {
    std::size_t doublings = 0;
    while ((most >> (doublings + 1)) >= least) ++doublings;
    const std::size_t top = most >> between(0, doublings);
    return between(least, top < least ? least : top);
  }
  bool one_in(std::size_t n) { return engine_() % n == 0; }

  std::chrono::microseconds up_to(std::chrono::microseconds most) {
    return std::chrono::microseconds(between(0, static_cast<std::size_t>(most.count())));
  }

  // Mostly none or a short one, for the windows between two steps are short; now and then one in which others fall
  // asleep.
  void pause() {
    const std::size_t kind = between(0, 99);
    if (kind == 0) return std::this_thread::sleep_for(up_to(std::chrono::microseconds(2000)));
    if (kind < 15) return std::this_thread::sleep_for(up_to(std::chrono::microseconds(60)));
    if (kind < 40) return std::this_thread::yield();
    if (kind < 70) return spin(size_between(1, 5000));
  }

 private:
  static void spin(std::size_t turns) {
    for (volatile std::size_t i = 0; i < turns;) i = i + 1;
  }

  std::mt19937_64 engine_;
};

}  // namespace wakeproof::soak
