// Watchdog: says which round hangs, and where, and aborts; so that a lost wakeup is found and not waited for.
//
//   watch(round), stage(what)   the thread that runs the rounds
//   progress()                  any thread: something was given, taken or answered
//
// [relaxed] progress() orders nothing. A stronger count would order the threads under test beside the
//           hand-off, and ThreadSanitizer would miss what the hand-off itself leaves unordered.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace wakeproof::soak {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience) : patience_(patience), thread_([this] { look_out(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(lock_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void watch(std::string round) {
    const std::lock_guard lock(lock_);
    round_ = std::move(round);
    stage_ = "starts";
    progress();
  }
  void stage(std::string what) {
    const std::lock_guard lock(lock_);
    stage_ = std::move(what);
    progress();
  }
  void progress() { steps_.fetch_add(1, std::memory_order_relaxed); }

  std::chrono::seconds patience() const { return patience_; }

 private:
  using Clock = std::chrono::steady_clock;

  void look_out() {
    std::unique_lock lock(lock_);
    std::uint64_t seen = 0;
    Clock::time_point since = Clock::now();
    while (!over_) {
      changed_.wait_for(lock, std::chrono::milliseconds(200));
      const std::uint64_t now = steps_.load(std::memory_order_relaxed);
      if (std::exchange(seen, now) != now) since = Clock::now();
      if (Clock::now() - since > patience_) give_up();
    }
  }

  // The threads that hang cannot be ended; abort() leaves them for a debugger to look at.
  [[noreturn]] void give_up() {
    std::fflush(stdout);
    std::fprintf(stderr, "HANGS: %s: no progress for %lld s; stage: %s\n", round_.c_str(),
                 static_cast<long long>(patience_.count()), stage_.c_str());
    std::abort();
  }

  const std::chrono::seconds patience_;
  std::atomic<std::uint64_t> steps_{0};
  std::mutex lock_;
  std::condition_variable changed_;
  std::string round_;
  std::string stage_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace wakeproof::soak
