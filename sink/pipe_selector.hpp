// PipeSelector: lets tasks of a CoroutineScheduler wait for the pipes of any platform; what the model checks
// in the place of sockets. A wait to write is over when anything wakes the selector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "coroutine_scheduler.hpp"
#include "platform.hpp"
#include "wait_list.hpp"

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
    waits_.add(source, what, routine, in_background);
  }

  std::size_t foreground() const { return waits_.foreground(); }

  // Calls ready(routine) for each whose pipe is readable; sleeps until there is one, where that is allowed.
  template <class Ready>
  void wait(bool may_sleep, Ready ready) {
    const Deadline<P> only_a_look = typename P::clock::time_point{};
    if (!selector_.wait_until(may_sleep ? std::nullopt : only_a_look)) return;
    waits_.end_where([](const auto& wait) { return wait.what == Readiness::writable || wait.source->pending() > 0; },
                     ready);
  }

  template <class Which, class Ended>
  void cancel(Which which, Ended ended) {
    waits_.cancel(which, ended);
  }

 private:
  typename P::selector selector_{"selector"};
  std::vector<Source> known_;
  WaitList<Source> waits_;
};

}  // namespace wakeproof
