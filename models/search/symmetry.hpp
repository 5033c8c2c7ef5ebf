// Symmetry: of threads that do the same, the first that has not begun yet begins next.
//
// What is searched is a restricted program: a thread's first step is blocked until the one before it
// in the class has taken its first step, and comes after that. An execution of the program is one of
// the restricted program once the threads of the class are named in the order in which they begin;
// and each of the restricted program's is one of the program. So the search itself, which knows of a
// blocked step and of an order between two, stays as it is.
//
// [first]  Only threads that stand before the same operation wait for each other. So whenever one of
//          them could go on, all could, and the first that has not begun is never held back by the
//          others: something is enabled in the restricted program when something is in the program.
#pragma once

#include <array>

#include "event.hpp"
#include "models/operation.hpp"

namespace wakeproof::models {

class Symmetry {
 public:
  using StepsOfThread = std::array<int, kMaxThreads>;

  // The threads from 0 on, `threads` of them, do the same.
  explicit Symmetry(int threads = 0, Flaw flaw = Flaw::none) : threads_(threads < 2 ? 0 : threads), flaw_(flaw) {}
  int threads() const { return threads_; }

  // Bit i: thread i may not begin yet.
  unsigned held_back(const Operation* pending, const StepsOfThread& steps) const {
    unsigned held = 0;
    for (ThreadId thread = 1; thread < threads_; ++thread) {
      const auto i = static_cast<std::size_t>(thread);
      if (steps[i] == 0 && steps[i - 1] == 0 && same(pending[i - 1], pending[i])) held |= 1U << thread;
    }
    return held;
  }

  // Who may begin once `thread` has taken the step that it stands before: kNobody unless its first.
  ThreadId follower(ThreadId thread, const Operation* pending, const StepsOfThread& steps) const {
    const auto i = static_cast<std::size_t>(thread);
    if (thread + 1 >= threads_ || steps[i] != 0 || flaw_ == Flaw::unordered_beginnings) return kNobody;
    return same(pending[i], pending[i + 1]) ? thread + 1 : kNobody;
  }

 private:
  bool same(const Operation& a, const Operation& b) const { return a == b || flaw_ == Flaw::any_first_operation; }

  int threads_;
  Flaw flaw_;
};

}  // namespace wakeproof::models
