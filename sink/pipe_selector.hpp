// PipeSelector: lets tasks of a CoroutineScheduler wait for the pipes of any platform; what the model checks
// in the place of sockets. A wait to write is over when anything wakes the selector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "coroutine_scheduler.hpp"
#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class PipeSelector {
 public:
  using Source = typename P::wake_pipe*;

  Source source_of(typename P::wake_pipe& pipe) { return &pipe; }

  void wait_for(Source source, Readiness what, Routine* routine, bool in_background) {
    if (std::find(known_.begin(), known_.end(), source) == known_.end()) {
      known_.push_back(source);
      selector_.add(*source);
    }
    waits_.push_back({source, what, routine, in_background});
  }

  // Waits that keep the scheduler running.
  std::size_t foreground() const {
    return static_cast<std::size_t>(
        std::count_if(waits_.begin(), waits_.end(), [](const Wait& wait) { return !wait.in_background; }));
  }

  // Calls ready(routine) for each whose pipe is readable; sleeps until there is one, where that is allowed.
  template <class Ready>
  void wait(bool may_sleep, Ready ready) {
    const Deadline<P> only_a_look = typename P::clock::time_point{};
    if (!selector_.wait_until(may_sleep ? std::nullopt : only_a_look)) return;
    end_where([](const Wait& wait) { return wait.what == Readiness::writable || wait.source->pending() > 0; }, ready);
  }

  template <class Which, class Ended>
  void cancel(Which which, Ended ended) {
    end_where([&](const Wait& wait) { return !wait.in_background && which(wait.source, wait.what); }, ended);
  }

 private:
  struct Wait {
    Source source;
    Readiness what;
    Routine* routine;
    bool in_background;
  };

  template <class Over, class Ended>
  void end_where(Over over, Ended ended) {
    std::vector<Wait> left;
    for (const Wait& wait : std::exchange(waits_, {})) {
      if (over(wait)) {
        ended(wait.routine);
      } else {
        left.push_back(wait);
      }
    }
    waits_ = std::move(left);
  }

  typename P::selector selector_{"selector"};
  std::vector<Source> known_;
  std::vector<Wait> waits_;
};

}  // namespace wakeproof
