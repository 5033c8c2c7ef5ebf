// Ctrl-C and SIGTERM: the first one asks a search to stop and say where it stands, the second one ends
// the process.
#pragma once

#include <atomic>

namespace wakeproof::models::cli {

// From the first call on. Set when a signal has come.
const std::atomic<bool>& interrupts();

}  // namespace wakeproof::models::cli
