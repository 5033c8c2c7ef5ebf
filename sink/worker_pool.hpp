// WorkerPool: threads that compute futures, oldest first.
//
//   submit(work)   any thread       the future of work()
//   work_one()     a pool thread    takes one piece of work, waiting for it, and finishes its future;
//                                   false: the pool is closed, and nothing is left
//   close()        any thread       what is submitted is finished first; nothing may be submitted after it
//   start(n)       the owner        n threads that work until the pool is closed; join() waits for them
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "future.hpp"
#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class WorkerPool {
 public:
  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() {
    if (threads_.empty()) return;
    close();
    join();
  }

  template <class Work>
  auto submit(Work work) {
    auto future = std::make_shared<Future<P, decltype(work())>>();
    add([future, work = std::move(work)] { future->finish(work()); });
    return future;
  }

  bool work_one() {
    submitted_.acquire();
    std::function<void()> work;
    {
      typename P::lock_guard lock(lock_);
      std::deque<std::function<void()>>& left = work_.write();
      work = std::move(left.front());
      left.pop_front();
    }
    if (work) {
      work();
      return true;
    }
    add({});  // for the next thread
    return false;
  }

  void close() { add({}); }

  void start(int threads) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back(Label("worker", i), [this] {
        while (work_one()) {
        }
      });
    }
  }
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void add(std::function<void()> work) {
    {
      typename P::lock_guard lock(lock_);
      work_.write().push_back(std::move(work));
    }
    submitted_.release(1);
  }

  typename P::mutex lock_{"work_lock"};
  typename P::template plain<std::deque<std::function<void()>>> work_{{}, "work"};
  typename P::semaphore submitted_{0U, "submitted"};
  std::deque<typename P::thread> threads_;
};

}  // namespace wakeproof
