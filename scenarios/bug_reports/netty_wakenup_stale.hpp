// StaleWakeLoop: a loop whose selector keeps one token, and a flag by which its wakes are shared, after Netty.
//
//   put(producer, item)   any thread   adds a task; who raises the flag wakes the selector
//   turn(took)            the loop     lowers the flag, selects, renews the token, runs the tasks
//
// [token] The flag is raised => the selector has a token, or somebody is about to give it one. Taking the token
//         while the flag stays raised breaks that: so the loop gives back what it took.
//
// The flag's orders are relaxed: what a put that finds it raised has added, the loop sees through the queue's
// mutex. Of the exchange and the store on one word it matters only which comes first.
#pragma once

#include <vector>

#include "sink/locked_queue.hpp"

namespace wakeproof {

template <Platform P>
class StaleWakeLoop {
 public:
  StaleWakeLoop() { selector_.add(token_); }

  void put(int, int item) {
    P::run(step("add_task", [&] { tasks_.append(item); }),
           step("claim_wake", [&] { return woken_up_.exchange(true, kOneWord); }),
           step("wake_selector", [&] { token_.write_byte(); }));
  }

  template <class Took>
  void turn(Took took) {
    std::vector<int> batch;
    P::run(step("lower_flag", [&] { woken_up_.store(false, kOneWord); }));
    select();
    P::run(step("renew_token", [&] { renew_token(); }),  //
           step("run_tasks", [&] { tasks_.drain(batch, kAll); }));
    for (const int item : batch) took(item);
  }

  std::size_t peek_queued() const { return tasks_.peek_size(); }

 private:
  static constexpr Order kOneWord{std::memory_order_relaxed};
  static constexpr std::size_t kAll = 1'000'000;

  // Returns once there is a token, and takes it.
  void select() {
    selector_.wait_until(std::nullopt);
    token_.read_all();
  }
  void renew_token() {
    if (woken_up_.load(kOneWord)) token_.write_byte();
  }

  LockedQueue<P, int> tasks_;
  typename P::template atomic<bool> woken_up_{false, "woken_up"};
  typename P::wake_pipe token_{"wake_token"};
  typename P::selector selector_{"selector"};
};

}  // namespace wakeproof
