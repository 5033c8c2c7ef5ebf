// What the litmus tests are written with: shorter names, and outcomes in bulk.
#pragma once

#include <atomic>
#include <string>

#include "litmus.hpp"
#include "models/search/outcomes.hpp"

namespace wakeproof::models::litmus {

inline constexpr auto kRlx = std::memory_order_relaxed;
inline constexpr auto kAcq = std::memory_order_acquire;
inline constexpr auto kRel = std::memory_order_release;
inline constexpr auto kAcqRel = std::memory_order_acq_rel;
inline constexpr auto kSc = std::memory_order_seq_cst;

using P = ModelPlatform;
using World = LitmusWorld;

// The values that a thread reads, in order.
inline void see(int thread, int first, int second = -1) {
  observed[static_cast<std::size_t>(thread)][0] = first;
  observed[static_cast<std::size_t>(thread)][1] = second;
}

// Read after all threads: a row of their own, which no thread of a litmus test has.
inline void see_finally(int first, int second = -1) {
  observed[kMaxThreads - 1] = {first, second, -1, -1, -1, -1, -1, -1};
}

// Every combination of so many values of 0 and 1, but for these.
inline LitmusOutcomes all_but(int values, const LitmusOutcomes& forbidden) {
  LitmusOutcomes all;
  for (int i = 0; i < 1 << values; ++i) {
    std::string outcome;
    for (int bit = values - 1; bit >= 0; --bit) outcome += (i >> bit & 1) != 0 ? '1' : '0';
    if (!forbidden.contains(outcome)) all.insert(outcome);
  }
  return all;
}

}  // namespace wakeproof::models::litmus
