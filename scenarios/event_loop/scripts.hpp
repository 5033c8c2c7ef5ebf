// What the scenarios of event_loop do with a bare loop: an item is a callback that takes it.
#pragma once

#include <stdexcept>
#include <vector>

#include "models/handoff.hpp"
#include "sink/event_loop.hpp"
#include "sink/locked_queue.hpp"

namespace wakeproof {

// Posts until every item has been taken.
template <class Loop>
class Posts {
 public:
  Posts(const Bounds&, Ledger& ledger) : ledger_(ledger) {}

  void put(int, int item) {
    loop_.call_soon_threadsafe([this, item] { took(item); });
  }
  void consumer() { loop_.run(); }
  void judge() {}

 protected:
  void took(int item) {
    ledger_.took(item);
    if (ledger_.taken() == ledger_.expected()) loop_.stop();
  }

  Ledger& ledger_;
  Loop loop_;
};

// The misuse: a producer queues as only the loop's thread may.
template <class Loop>
class ForeignCallSoon : public Posts<Loop> {
 public:
  using Posts<Loop>::Posts;

  void put(int, int item) {
    this->loop_.call_soon([this, item] { this->took(item); });
  }
};

// The alternative without a wake: a queue that the loop looks at every millisecond.
template <class Loop>
class Polled : public Posts<Loop> {
 public:
  using Posts<Loop>::Posts;

  void put(int, int item) { queue_.append(std::move(item)); }
  void consumer() {
    this->loop_.call_soon([this] { look(); });
    Posts<Loop>::consumer();
  }

 private:
  void look() {
    std::vector<int> items;
    queue_.drain(items, 100);
    for (const int item : items) this->took(item);
    this->loop_.call_later(std::chrono::milliseconds(1), [this] { look(); });
  }

  LockedQueue<typename Loop::platform, int> queue_;
};

// The loop comes to its selector only when the last post is through: the pipe is as full as it gets.
template <class Loop>
class PostsToBusyLoop : public Posts<Loop> {
 public:
  PostsToBusyLoop(const Bounds& bounds, Ledger& ledger)
      : Posts<Loop>(bounds, ledger), left_(bounds.producers * bounds.items, "posts_left") {}

  void put(int producer, int item) {
    Posts<Loop>::put(producer, item);
    if (left_.fetch_sub(1, std::memory_order_relaxed) == 1) every_post_.set();
  }
  void consumer() {
    every_post_.wait();
    Posts<Loop>::consumer();
  }

 private:
  typename Loop::platform::template atomic<int> left_;
  typename Loop::platform::event every_post_{"every_post"};
};

// Each callback tries to run the loop that runs it.
template <class Loop>
class NestedRun : public Posts<Loop> {
 public:
  using Posts<Loop>::Posts;

  void put(int, int item) {
    this->loop_.call_soon_threadsafe([this, item] {
      this->ledger_.check(is_refused(), "a loop runs within its own callback");
      this->took(item);
    });
  }

 private:
  bool is_refused() {
    try {
      this->loop_.run();
      return false;
    } catch (const std::logic_error&) {
      return true;
    }
  }
};

// The loop stops at the first item and is closed, while the other posts still come. Each has run, was refused,
// or is among those that close() reports.
template <class Loop>
class PostsAgainstClose {
 public:
  PostsAgainstClose(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger),
        accepted_(static_cast<std::size_t>(bounds.producers), 0),
        ran_(static_cast<std::size_t>(bounds.producers), 0) {}

  void put(int producer, int item) {
    const auto mine = static_cast<std::size_t>(producer);
    try {
      loop_.call_soon_threadsafe([this, mine, item] {
        ledger_.took(item);
        ++ran_[mine];
        loop_.stop();
      });
      ++accepted_[mine];
    } catch (const loop_closed&) {
      ledger_.refused(item);
    }
  }
  void consumer() {
    loop_.run();
    dropped_ = static_cast<int>(loop_.close());
    ledger_.check(refuses(), "a closed loop takes a post");
  }
  // Which ones were dropped is not said. Callbacks run in the order of their posts: the last of each producer.
  void judge() {
    int not_run = 0;
    for (std::size_t producer = 0; producer < ran_.size(); ++producer) not_run += accepted_[producer] - ran_[producer];
    ledger_.check(dropped_ <= not_run, "close reports a callback that has run");
    if (dropped_ < not_run) return;  // the ledger finds them lost
    for (std::size_t producer = 0; producer < ran_.size(); ++producer) {
      for (int number = ran_[producer]; number < accepted_[producer]; ++number) {
        ledger_.took(Ledger::item(static_cast<int>(producer), number));
      }
    }
  }

 private:
  bool refuses() {
    try {
      loop_.call_soon_threadsafe([] {});
      return false;
    } catch (const loop_closed&) {
      return true;
    }
  }

  Ledger& ledger_;
  Loop loop_;
  std::vector<int> accepted_;  // by producer; its own
  std::vector<int> ran_;       // by producer; the loop's
  int dropped_ = 0;
};

namespace models {
template <>
inline constexpr bool kProducersInterchangeable<Posts> = true;
template <>
inline constexpr bool kProducersInterchangeable<ForeignCallSoon> = true;
template <>
inline constexpr bool kProducersInterchangeable<PostsToBusyLoop> = true;
template <>
inline constexpr bool kProducersInterchangeable<NestedRun> = true;
template <>
inline constexpr bool kProducersInterchangeable<PostsAgainstClose> = true;
}  // namespace models

}  // namespace wakeproof
