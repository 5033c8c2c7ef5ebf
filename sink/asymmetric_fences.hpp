// The pair of fences of the seam on real threads: light is free, heavy is a system call.
//
// Linux's membarrier makes every running thread of the process pass a full barrier during the call,
// so the light side needs to hold back the compiler only. Without it both are seq_cst fences.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

namespace wakeproof::threads {

#if defined(__linux__) && defined(SYS_membarrier)

inline bool membarrier(int command) noexcept {
  return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

// Whether this process may use it; asked once, before main(). Until then both sides fall back.
inline const bool kMembarrier = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

inline bool system_wide_barrier() noexcept {
  return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

#else

inline constexpr bool kMembarrier = false;
inline bool system_wide_barrier() noexcept {
  return false;
}

#endif

inline void light_fence() noexcept {
  if (kMembarrier) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

// Throws std::system_error when the system refuses what it promised: going on would order nothing.
inline void heavy_fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (kMembarrier && !system_wide_barrier()) {
    throw std::system_error(errno, std::generic_category(), "heavy_fence: membarrier");
  }
}

}  // namespace wakeproof::threads
