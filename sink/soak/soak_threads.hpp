// SoakThreads: real threads, and what a soak adds to them.
//
//   wakes   how often a loop's selector found something to wake for
//   jolts   true: before any step of a protocol its thread may pause, so that windows of a few instructions are wide
//
// Neither orders anything, see Watchdog [relaxed].
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>

#include "chance.hpp"
#include "sink/thread_platform.hpp"

namespace wakeproof::soak {

struct SoakThreads : ThreadPlatform {
  static inline std::atomic<std::size_t> wakes{0};
  static inline std::atomic<bool> jolts{false};

  class selector : public ThreadPlatform::selector {
   public:
    using ThreadPlatform::selector::selector;
    bool wait_until(threads::deadline give_up) {
      const bool ready = ThreadPlatform::selector::wait_until(give_up);
      if (ready) wakes.fetch_add(1, std::memory_order_relaxed);
      return ready;
    }
  };

  template <class... Bodies>
  static bool run(Step<Bodies>... steps) {
    return ((jolt(), steps.perform()) || ...);
  }

 private:
  static void jolt() {
    if (!jolts.load(std::memory_order_relaxed)) return;
    thread_local Chance chance(std::hash<std::thread::id>()(std::this_thread::get_id()));
    if (chance.one_in(3)) chance.pause();
  }
};

}  // namespace wakeproof::soak
