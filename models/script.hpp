// Script: what the threads of a scenario do, seen by the machine that runs them.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "verdict.hpp"

namespace wakeproof::models {

// Items put and taken so far: what tells a lost wakeup from a deadlock when everything stands still.
struct Account {
  std::size_t puts = 0;
  std::size_t takes = 0;
};

// What is seen of a script's subject at any moment, without a step: two of the wake invariant's conjuncts.
// The others are told by the threads: who stands where, and who is in the middle of a put.
struct Observation {
  std::size_t queued = 0;                             // items that were put and not taken
  std::optional<bool> wake_in_flight = std::nullopt;  // none: whether what the consumer waits for lets it go on
};

// How an execution ended, when it is not as it should be.
struct Finding {
  Verdict verdict = Verdict::proved;
  std::string detail;

  explicit operator bool() const { return verdict != Verdict::proved; }
};

// One is made for every execution. Its constructor and judge() run alone; thread(i) runs on the
// i-th thread. Not called after an execution that was left early, but for the destructor.
class Script {
 public:
  virtual ~Script() = default;
  virtual void thread(int index) = 0;
  // Called when every thread has finished.
  virtual Finding judge() = 0;
  // Called at any moment, also while threads stand in the middle of an operation.
  virtual Account account() const = 0;
  // Likewise. For recordings: a search never asks.
  virtual Observation observe() const {
    const Account items = account();
    return {items.puts > items.takes ? items.puts - items.takes : 0};
  }
  // Likewise, since the execution began: when the call is to end that a thread is in. Nobody may let time pass
  // beyond it; that a thread comes to its turn late is no fault.
  virtual std::optional<std::chrono::nanoseconds> due() const { return std::nullopt; }
  // Likewise: a fact that must hold did not, by now.
  virtual bool has_finding() const { return false; }
  // The number of the put that a thread is in, or -1.
  virtual int put_under_way(int thread) const {
    static_cast<void>(thread);
    return -1;
  }
};

}  // namespace wakeproof::models
