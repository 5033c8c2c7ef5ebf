#include "interrupt.hpp"

#include <csignal>

namespace wakeproof::models::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only store to a lock-free atomic");

}  // namespace

const std::atomic<bool>& interrupts() {
  static const bool installed = [] {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted.store(true, std::memory_order_relaxed); };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    return ::sigaction(SIGINT, &action, nullptr) == 0 && ::sigaction(SIGTERM, &action, nullptr) == 0;
  }();
  static_cast<void>(installed);
  return interrupted;
}

}  // namespace wakeproof::models::cli
