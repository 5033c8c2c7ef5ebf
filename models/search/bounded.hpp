// Bounded: every schedule below a prefix that takes no more than so many preemptions and steps, depth
// first and without any reduction. For what is asked about the size of a schedule, which a reduced
// search does not keep: of all executions with one graph it looks at one.
//
// A preemption is a switch away from a thread that could have gone on. After a wait that only time
// ended nobody was running, so nobody is preempted.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "models/strategy.hpp"

namespace wakeproof::models {

class Bounded final : public Strategy {
 public:
  struct Size {
    int preemptions = 0;
    int steps = 0;
    int stale_reads = 0;  // and other results that are not the plain one

    friend auto operator<=>(const Size&, const Size&) = default;
  };

  // The prefix may have more preemptions than `preemptions`; then nothing is added to them.
  explicit Bounded(int preemptions, std::vector<unsigned> prefix = {})
      : most_preemptions_(preemptions), prefix_(std::move(prefix)) {}

  void begin_execution() override;
  void taken(const TakenStep& step) override;
  ThreadId choose_thread(const Situation& situation) override;
  unsigned choose_value(unsigned count) override;
  void time_passes(const Situation&) override { last_ = kNobody; }
  void stuck(const Situation&) override {}
  bool end_execution(Ending ending) override;
  bool exhausted() const override { return exhausted_; }
  std::vector<unsigned> choices() const override;
  const std::string& nondeterminism() const override { return nondeterminism_; }

  // Of the execution under way or just ended.
  Size size() const { return size_; }
  // From now on: leaves executions that come to more steps.
  void at_most_steps(int steps) { most_steps_ = steps; }

 private:
  struct Choice {
    std::vector<unsigned> options;
    std::size_t at = 0;
  };

  unsigned next_choice(const std::vector<unsigned>& options);
  void note_result(unsigned value);

  int most_preemptions_;
  int most_steps_ = std::numeric_limits<int>::max();
  std::vector<unsigned> prefix_;
  std::vector<Choice> choices_;  // after the prefix
  std::size_t next_ = 0;         // of prefix and choices together
  Size size_;
  ThreadId last_ = kNobody;
  bool stale_ = false;  // the step under way was counted
  bool exhausted_ = false;
  std::string nondeterminism_;
};

}  // namespace wakeproof::models
