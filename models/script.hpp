// Script: what the threads of a scenario do, seen by the machine that runs them.
#pragma once

#include <memory>
#include <string>

#include "verdict.hpp"

namespace wakeproof::models {

// Items put and taken so far: what tells a lost wakeup from a deadlock when everything stands still.
struct Account {
  std::size_t puts = 0;
  std::size_t takes = 0;
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
};

}  // namespace wakeproof::models
