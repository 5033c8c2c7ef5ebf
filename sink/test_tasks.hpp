// Coroutines for the tests of tasks.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>

#include "async_event.hpp"
#include "event_loop.hpp"
#include "task.hpp"
#include "thread_platform.hpp"

namespace wakeproof::testing {

inline Task<int> give(int value) {
  co_return value;
}

inline Task<int> fail() {
  throw std::runtime_error("no");
  co_return 0;
}

inline Task<bool> wait_on(AsyncEvent<ThreadPlatform>& event) {
  co_return co_await event.wait_until(std::nullopt);
}

// One turn of the loop: what was ready is run.
inline Task<bool> turn(EventLoop<ThreadPlatform>& loop) {
  co_return co_await loop.sleep(std::chrono::nanoseconds(0));
}

}  // namespace wakeproof::testing
