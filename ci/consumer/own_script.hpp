// What the threads of a scenario of OwnQueue do: producers put, one consumer takes.
#pragma once

#include <wakeproof/scenarios.hpp>

#include "own_queue.hpp"

namespace own {

template <class Queue>
class PutAndTake {
 public:
  PutAndTake(const wakeproof::Bounds&, wakeproof::Ledger& ledger) : ledger_(ledger) {}

  void put(int, int item) { queue_.put(item); }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) ledger_.took(queue_.take());
  }
  void judge() {}

 private:
  wakeproof::Ledger& ledger_;
  Queue queue_;
};

template <class P>
using Correct = OwnQueue<P, Wake::after_change>;
template <class P>
using WakesEarly = OwnQueue<P, Wake::early>;

}  // namespace own
