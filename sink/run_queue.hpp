// RunQueue: the routines that can go on, and those that wait for a future.
//
//   record(future, routine)   loop thread    the routine waits for the future
//   hand_over(future)         any thread     its routine can go on; nothing where nobody waits for it
//   take()                    loop thread    all that can go on, oldest first
//   look()                    loop thread    how many of either there are
//
// [due]  A routine leaves the one and enters the other in one critical section, and look() sees both
//        in one: an answer that is due is counted at every moment.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <utility>

#include "platform.hpp"

namespace wakeproof {

// `Guard` is what holds the lock; a scenario puts one in its place that does not.
template <Platform P, class Routine, class Guard = typename P::lock_guard>
class RunQueue {
 public:
  // Routines of either kind, at one moment.
  struct Counts {
    std::size_t ready;
    std::size_t waiting;
  };

  void record(const void* future, Routine* routine) {
    Guard lock(lock_);
    waiting_.write().emplace(future, routine);
  }

  void hand_over(const void* future) {
    Guard lock(lock_);
    const auto found = waiting_.read().find(future);
    if (found == waiting_.read().end()) return;
    ready_.write().push_back(found->second);
    waiting_.write().erase(found);
  }

  std::deque<Routine*> take() {
    Guard lock(lock_);
    if (ready_.read().empty()) return {};
    return std::exchange(ready_.write(), {});
  }

  Counts look() const {
    Guard lock(lock_);
    return {ready_.read().size(), waiting_.read().size()};
  }

 private:
  mutable typename P::mutex lock_{"run_queue_lock"};
  typename P::template plain<std::deque<Routine*>> ready_{{}, "run_queue"};
  typename P::template plain<std::map<const void*, Routine*>> waiting_{{}, "waiting_for_future"};
};

}  // namespace wakeproof
