// LoopDebug: what an event loop that is constructed with it looks out for, at the cost of two clock reads a callback.
//
//   a call from a foreign thread   throws std::logic_error in the caller, while the loop runs (B4)
//   a slow callback                reported, once for each call that took longer than `slow`
//   a task that was never awaited  reported when it is destroyed, on the loop's thread while the loop runs
//
// Fixed when the loop is made, so that any thread may read it.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

#include "never_awaited.hpp"
#include "platform.hpp"

namespace wakeproof {

// One call of a callback that took longer than LoopDebug::slow.
struct SlowCallback {
  std::chrono::nanoseconds took;
  std::source_location queued_at;  // the call_soon, call_later, add_reader, ... that it came by
};

inline void print_slow_callback(const SlowCallback& slow) {
  const auto took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(slow.took).count();
  std::fprintf(stderr, "event loop: a callback from %s:%u took %lld ms\n", slow.queued_at.file_name(),
               static_cast<unsigned>(slow.queued_at.line()), static_cast<long long>(took_ms));
}

inline void print_never_awaited(const std::source_location& coroutine) {
  std::fprintf(stderr, "event loop: a task of %s (%s:%u) was never awaited\n", coroutine.function_name(),
               coroutine.file_name(), static_cast<unsigned>(coroutine.line()));
}

// Both are called on the loop's thread and must not throw.
struct LoopDebug {
  std::chrono::nanoseconds slow = std::chrono::milliseconds(100);
  std::function<void(const SlowCallback&)> on_slow_callback = print_slow_callback;
  NeverAwaited on_never_awaited = print_never_awaited;
};

// A loop's own: what it was constructed with, and whether it runs.
template <Platform P>
class LoopDebugger {
 public:
  using Callback = std::function<void()>;

  explicit LoopDebugger(LoopDebug debug) : debug_(std::move(debug)) {}

  // By the loop's thread. Relaxed: no data comes with it. A call that happens after run() began, and before it
  // ended, reads true.
  void runs(bool now) {
    runs_.store(now, std::memory_order_relaxed);
    never_awaited() = now ? &debug_.on_never_awaited : nullptr;
  }
  bool runs() const { return runs_.load(std::memory_order_relaxed); }

  // The same callback, which reports itself where it was slow, also when it throws.
  Callback timed(Callback callback, std::source_location queued_at) const {
    return [this, callback = std::move(callback), queued_at] {
      const auto began = P::clock::now();
      try {
        callback();
      } catch (...) {
        report(P::clock::now() - began, queued_at);
        throw;
      }
      report(P::clock::now() - began, queued_at);
    };
  }

 private:
  void report(std::chrono::nanoseconds took, const std::source_location& queued_at) const {
    if (took > debug_.slow && debug_.on_slow_callback) debug_.on_slow_callback({took, queued_at});
  }

  const LoopDebug debug_;
  typename P::template atomic<bool> runs_{false, "loop_runs"};
};

}  // namespace wakeproof
