// NeverAwaited: hears of a task that was destroyed without ever having been started. The coroutine's call then
// did nothing at all, which is what a forgotten co_await looks like.
//
//   StartWatch       base of a task's promise; knows whether the coroutine has run
//   never_awaited()  the calling thread's listener; null (as at first): nobody listens
//
// Told where the coroutine was written, on the thread that destroys the task, from a destructor: the listener
// must not throw. An event loop in debug mode listens on its thread while it runs.
#pragma once

#include <coroutine>
#include <functional>
#include <source_location>

namespace wakeproof {

using NeverAwaited = std::function<void(const std::source_location& coroutine)>;

inline const NeverAwaited*& never_awaited() {
  thread_local const NeverAwaited* listener = nullptr;
  return listener;
}

// Base of a coroutine's promise: tells never_awaited()'s listener when it is destroyed without having been started.
class StartWatch {
 public:
  explicit StartWatch(std::source_location coroutine) noexcept : coroutine_(coroutine) {}
  ~StartWatch() {
    if (!started_ && never_awaited() != nullptr && *never_awaited()) (*never_awaited())(coroutine_);
  }
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

 protected:
  // What initial_suspend() returns: the coroutine waits to be started, and that is written down.
  struct Start : std::suspend_always {
    StartWatch& watch;

    explicit Start(StartWatch& of) noexcept : watch(of) {}
    void await_resume() const noexcept { watch.started_ = true; }
  };

 private:
  std::source_location coroutine_;
  bool started_ = false;
};

}  // namespace wakeproof
