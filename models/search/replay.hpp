// Replay: follows given choices, once. Beyond their end the first enabled thread goes on.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "models/strategy.hpp"

namespace wakeproof::models {

class Replay final : public Strategy {
 public:
  explicit Replay(std::vector<unsigned> choices) : choices_(std::move(choices)) {}

  void begin_execution() override { next_ = 0; }
  void taken(const TakenStep&) override {}
  ThreadId choose_thread(const Situation& situation) override {
    could_run_ = situation.enabled;
    if (next_ == choices_.size()) return std::countr_zero(situation.enabled);
    const unsigned wanted = choices_[next_++];
    if (wanted < kMaxThreads && (situation.enabled >> wanted & 1U) != 0) return static_cast<ThreadId>(wanted);
    nondeterminism_ = "choice " + std::to_string(next_) + " does not fit: thread " + std::to_string(wanted) +
                      " cannot take a step there";
    return kNobody;
  }
  unsigned choose_value(unsigned count) override {
    if (count == 1 || next_ == choices_.size()) return 0;
    const unsigned wanted = choices_[next_++];
    return wanted < count ? wanted : 0;
  }
  void time_passes(const Situation&) override {}
  void stuck(const Situation&) override {}
  bool end_execution(Ending) override { return false; }
  bool exhausted() const override { return false; }
  std::vector<unsigned> choices() const override { return choices_; }
  const std::string& nondeterminism() const override { return nondeterminism_; }

  // The threads that could have taken the step under way.
  unsigned could_run() const { return could_run_; }

 private:
  std::vector<unsigned> choices_;
  std::size_t next_ = 0;
  unsigned could_run_ = 0;
  std::string nondeterminism_;
};

}  // namespace wakeproof::models
