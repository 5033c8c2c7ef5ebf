// RequestedWorker: work items, and at most one request for a worker at a time, after CoreCLR's thread pool.
//
//   put(producer, item)   any thread   queues an item; asks for a worker unless that was done already
//   turn(took)            the worker   waits until it is asked for; takes one item, and asks for help with the rest
//
// [credit] A request that is outstanding promises a worker that has not looked at the queue yet. So it ends when the
//          worker comes, before it looks: who queues an item after that look has to ask again.
//
// The request's orders are relaxed: an item whose put relied on a request is seen through the queue's mutex.
#pragma once

#include <vector>

#include "sink/locked_queue.hpp"

namespace wakeproof {

template <Platform P>
class RequestedWorker {
 public:
  void put(int, int item) {
    P::run(step("queue_item", [&] { items_.append(item); }),  //
           step("request", [&] { request(); }));
  }

  template <class Took>
  void turn(Took took) {
    dispatched_.acquire();
    std::vector<int> found;
    P::run(step("mark_satisfied", [&] { outstanding_.store(false, kOneWord); }),
           step("dequeue", [&] { items_.drain(found, 1); }),  //
           step("request_help", [&] {
             if (!found.empty()) request();
           }));
    for (const int item : found) took(item);
  }

  std::size_t peek_queued() const { return items_.peek_size(); }

 private:
  static constexpr Order kOneWord{std::memory_order_relaxed};

  void request() {
    if (!outstanding_.exchange(true, kOneWord)) dispatched_.release(1U);
  }

  LockedQueue<P, int> items_;
  typename P::template atomic<bool> outstanding_{false, "request_outstanding"};
  typename P::semaphore dispatched_{0U, "dispatched"};
};

}  // namespace wakeproof
