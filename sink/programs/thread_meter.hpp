// What a stretch of time costs a thread, and how a set of latencies lies.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

namespace wakeproof {

// Made and read by the thread that it is about.
class ThreadMeter {
 public:
  double wall_s() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count(); }
  // Of one processor. Small where the thread sleeps, however often it wakes.
  double cpu_share() const { return (cpu_now_s() - cpu_s_) / wall_s(); }

 private:
  static double cpu_now_s() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }

  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  double cpu_s_ = cpu_now_s();
};

// From the loop's thread alone.
class Latencies {
 public:
  void add(std::chrono::steady_clock::duration latency) {
    microseconds_.push_back(std::chrono::duration<double, std::micro>(latency).count());
  }
  std::size_t count() const { return microseconds_.size(); }

  // By nearest rank; `share` in (0, 1]. Zero when there are none.
  double percentile_us(double share) {
    if (microseconds_.empty()) return 0;
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(microseconds_.size()))) - 1;
    std::nth_element(microseconds_.begin(), microseconds_.begin() + rank, microseconds_.end());
    return microseconds_[static_cast<std::size_t>(rank)];
  }

 private:
  std::vector<double> microseconds_;
};

}  // namespace wakeproof
