// Replay: follows given choices, once. Beyond their end the first enabled thread goes on, or nobody does.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "models/strategy.hpp"

namespace wakeproof::models {

class Replay final : public Strategy {
 public:
  enum class Then { go_on, stop };

  explicit Replay(std::vector<unsigned> choices, Then then = Then::go_on) : choices_(std::move(choices)), then_(then) {}

  void begin_execution() override {
    next_ = 0;
    made_.clear();
  }
  void taken(const TakenStep&) override {}
  ThreadId choose_thread(const Situation& situation) override {
    could_run_ = situation.enabled;
    step_begins_at_ = made_.size();
    offered_.clear();
    results_ = 1;
    stopped_ = then_ == Then::stop && next_ >= choices_.size();
    if (stopped_) {
      standing_.assign(situation.pending, situation.pending + std::bit_width(situation.unfinished));
      return kNobody;
    }
    auto wanted = static_cast<unsigned>(std::countr_zero(situation.enabled));
    if (next_ < choices_.size()) wanted = choices_[next_++];
    made_.push_back(wanted);
    if (wanted < kMaxThreads && (situation.enabled >> wanted & 1U) != 0) return static_cast<ThreadId>(wanted);
    nondeterminism_ = "choice " + std::to_string(next_) + " does not fit: thread " + std::to_string(wanted) +
                      " cannot take a step there";
    return kNobody;
  }
  unsigned choose_value(unsigned count) override {
    results_ = count;
    return answer(count);
  }
  bool read_older(int candidate, int older) override {
    if (offered_.empty()) offered_.push_back(candidate);
    offered_.push_back(older);
    return answer(2) == 1;
  }
  void time_passes(const Situation&) override {}
  void stuck(const Situation&) override {}
  bool end_execution(Ending) override { return false; }
  bool exhausted() const override { return false; }
  std::vector<unsigned> choices() const override { return made_; }
  const std::string& nondeterminism() const override { return nondeterminism_; }
  // Left where the choices end: could_run() can take the next step.
  bool stopped() const { return stopped_; }
  // What each thread stands at there.
  const std::vector<Operation>& standing() const { return standing_; }

  // Of the step under way: the threads that could have taken it, the stores that its load was offered
  // (-1: the initial value), how many results it may have, and all choices that were made for it.
  unsigned could_run() const { return could_run_; }
  const std::vector<int>& offered() const { return offered_; }
  unsigned results() const { return results_; }
  std::vector<unsigned> choices_of_step() const {
    return {made_.begin() + static_cast<std::ptrdiff_t>(step_begins_at_), made_.end()};
  }

 private:
  unsigned answer(unsigned count) {
    if (count == 1) return 0;
    unsigned wanted = next_ < choices_.size() ? choices_[next_++] : 0;
    if (wanted >= count) wanted = 0;
    made_.push_back(wanted);
    return wanted;
  }

  std::vector<unsigned> choices_;
  Then then_;
  bool stopped_ = false;
  std::vector<Operation> standing_;
  std::size_t next_ = 0;
  std::vector<unsigned> made_;
  std::size_t step_begins_at_ = 0;
  unsigned could_run_ = 0;
  unsigned results_ = 1;
  std::vector<int> offered_;
  std::string nondeterminism_;
};

}  // namespace wakeproof::models
