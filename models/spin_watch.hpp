// SpinWatch: tells a thread that goes round for ever from one that was only early.
//
// A thread that passes the same wait twice spins when no step of another thread on something that it
// touched has come in between. Which steps come in between is asked of the execution graph and not of
// the schedule: one that could as well have come before the first pass or after the second changes
// nothing, and a search that looks at one schedule of each graph must get the same answer from it.
#pragma once

#include <vector>

#include "operation.hpp"

namespace wakeproof::models {

class SpinWatch {
 public:
  void begin_execution() {
    steps_.clear();
    time_passed_at_.clear();
  }
  void step(const TakenStep& step) { steps_.push_back(step); }
  void time_passes() { time_passed_at_.push_back(steps_.size()); }

  // `second`: the step under way, by the thread whose step number `first`, from 0, passed the wait before.
  bool disturbed(std::size_t first, const TakenStep& second);

 private:
  bool comes_before(std::size_t a, std::size_t b) const;

  std::vector<TakenStep> steps_;
  std::vector<std::size_t> time_passed_at_;  // before the step of that number
};

}  // namespace wakeproof::models
