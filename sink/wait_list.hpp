// WaitList: which task waits for which source of readiness; what the selectors of a CoroutineScheduler have in common.
//
//   add(source, what, routine, in_background)
//   foreground()               how many of the waits keep the scheduler running
//   end_where(over, ended)     in the order in which they were added: ended(routine) for each wait that is over
//   cancel(which, ended)       the same for those in the foreground with which(source, what)
//
// All of it is the loop's thread's. `ended` adds no wait.
#pragma once

#include <cstddef>
#include <vector>

#include "coroutine_scheduler.hpp"

namespace wakeproof {

template <class Source>
class WaitList {
 public:
  // One routine, and what it waits for.
  struct Wait {
    Source source;
    Readiness what;
    Routine* routine;
    bool in_background;
  };

  void add(Source source, Readiness what, Routine* routine, bool in_background) {
    waits_.push_back({source, what, routine, in_background});
    if (!in_background) ++foreground_;
  }

  std::size_t foreground() const { return foreground_; }
  const std::vector<Wait>& all() const { return waits_; }

  template <class Over, class Ended>
  void end_where(Over over, Ended ended) {
    std::size_t kept = 0;
    for (const Wait wait : waits_) {
      if (over(wait)) {
        if (!wait.in_background) --foreground_;
        ended(wait.routine);
      } else {
        waits_[kept++] = wait;
      }
    }
    waits_.resize(kept, Wait{});
  }

  template <class Which, class Ended>
  void cancel(Which which, Ended ended) {
    end_where([&](const Wait& wait) { return !wait.in_background && which(wait.source, wait.what); }, ended);
  }

 private:
  std::vector<Wait> waits_;
  std::size_t foreground_ = 0;
};

}  // namespace wakeproof
