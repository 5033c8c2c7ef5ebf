// Dpor: explores every execution of a program up to reordering of independent steps.
//
// Source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order
// reduction, POPL 2014, algorithm 1). Depth first over a stack of choices: which thread goes on,
// and what a nondeterministic step gives.
//
// With the reduction off (`exhaustive`) every enabled thread is tried at every node, asleep or not.
//
// [blocked]  An operation that may have to wait can be reversed only with a step before which it
//            could have gone on already: the race of two critical sections is between their locks,
//            not between an unlock and the next lock. An operation that is still waiting when nobody
//            can go on never becomes a step, and is looked at then.
// [barrier]  Time passes only when nobody can go on. That comes after all steps before it and
//            before all after it.
// [cut]      After an execution that was left in the middle, races of its unseen rest are unknown:
//            every node of it is expanded fully.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/strategy.hpp"

namespace wakeproof::models {

class Dpor final : public Strategy {
 public:
  enum class Reduction { none, source_sets };

  Dpor(int threads, Reduction reduction) : threads_(threads), reduction_(reduction) {}

  void begin_execution() override;
  void taken(const TakenStep& step) override;
  ThreadId choose_thread(const Situation& situation) override;
  unsigned choose_value(unsigned count) override;
  void time_passes(const Situation& situation) override;
  void stuck(const Situation& situation) override;
  bool end_execution(Ending ending) override;
  const std::string& nondeterminism() const override { return nondeterminism_; }

  // No execution is left to look at.
  bool exhausted() const { return nodes_.empty(); }

  // The choices of the execution under way or just ended, from its beginning.
  std::vector<unsigned> choices() const;

 private:
  using ThreadSet = std::uint8_t;  // bit i: thread i
  // For each thread, how many of the steps so far come before: happens-before as dependence orders it.
  using StepClock = std::array<std::uint16_t, kMaxThreads>;

  struct Node {
    bool chooses_thread;

    // A choice of a value.
    unsigned count = 0;
    unsigned index = 0;

    // A choice of a thread, and the step it led to.
    ThreadSet enabled = 0;
    ThreadSet backtrack = 0;  // to be tried here
    ThreadSet done = 0;       // tried, with everything below
    ThreadSet sleep = 0;      // tried elsewhere, nothing new
    ThreadId thread = kNobody;
    std::array<Operation, kMaxThreads> pending;
    TakenStep step;
    StepClock clock;
    std::uint16_t position = 0;  // among the steps
    // Indices of steps in steps_, -1: none.
    int previous_on_object = -1;
    int previous_on_second = -1;

    int previous_on(ObjectId conflict_class) const {
      return step.op.conflict_class == conflict_class ? previous_on_object : previous_on_second;
    }
  };

  struct Races;

  Node& step(int position) { return nodes_[static_cast<std::size_t>(steps_[static_cast<std::size_t>(position)])]; }
  const Operation& operation_at(const Node& node) const { return node.pending[static_cast<std::size_t>(node.thread)]; }
  Node make_thread_node(const Situation& situation);
  ThreadSet inherited_sleep(const Node& parent);
  ThreadId first_choice(const Situation& situation, ThreadSet candidates) const;
  bool repeats(const Node& node, const Situation& situation);

  class StepsBefore;  // the steps on an operation's objects, backwards
  void find_races(const TakenStep& later, StepClock& clock, bool order_them);
  void reverse(int earlier, const TakenStep& later, const StepClock& clock_of_later);
  void look_at_blocked(const Situation& situation);
  bool backtrack();

  int threads_;
  Reduction reduction_;
  std::string nondeterminism_;

  std::vector<Node> nodes_;
  std::size_t depth_ = 0;  // nodes of the execution under way

  std::vector<int> steps_;  // indices into nodes_, in order
  std::array<StepClock, kMaxThreads> clock_of_thread_{};
  std::array<int, kMaxObjects> last_on_object_{};
  int barrier_ = 0;                   // the number of steps before time last passed
  std::vector<const Node*> between_;  // reverse()'s: the steps after a racing one that do not come after it
};

}  // namespace wakeproof::models
