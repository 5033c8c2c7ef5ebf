// ConsumerGroup: a teaching sink for several consumers, each with a flag and a bell of its own.
//
//   put(item)                        any thread    never waits for a consumer
//   get_batch(consumer, max_items)   that consumer 1..max_items items of those that all share
//   bind_loop(consumer, loop)        before use    for bells on event loops
//
// [wake]  Queue non-empty => every consumer is awake, or a wake is in flight to it. That is the invariant of
//         sink/output_sink.hpp once for each consumer, and so is the argument. One flag says only that
//         somebody is being woken, and that one may take a single item and stay away
//         (several_consumers/one_flag).
//
// Every put may wake everybody who sleeps: the price of not knowing who will come back for more.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sink/locked_queue.hpp"
#include "sink/platform.hpp"
#include "sink/task.hpp"
#include "sink/wake_flag.hpp"

namespace wakeproof {

template <Platform P, class Item, class Wake>
class ConsumerGroup {
 public:
  using platform = P;
  using Batch = std::vector<Item>;
  static constexpr bool kOnLoop = Wake::kOnLoop;

  explicit ConsumerGroup(int consumers) {
    for (int i = 0; i < consumers; ++i) members_.emplace_back();
  }

  template <class Loop>
  void bind_loop(int consumer, Loop& loop)
    requires(kOnLoop)
  {
    member(consumer).wake.bind(loop);
    member(consumer).flag.lower();
  }

  void put(Item item) {
    P::run(step("append", [&] { queue_.append(std::move(item)); }),  //
           step("notify_all", [&] { notify_all(); }));
  }

  Batch get_batch(int consumer, std::size_t max_items)
    requires(!kOnLoop)
  {
    Batch batch;
    while (!take_or_arm(member(consumer), batch, max_items)) {
      P::run(step("wait", [&] { member(consumer).wake.wait_until(std::nullopt); }));
    }
    return batch;
  }

  Task<Batch> get_batch(int consumer, std::size_t max_items)
    requires(kOnLoop)
  {
    Batch batch;
    while (!take_or_arm(member(consumer), batch, max_items)) {
      co_await member(consumer).wake.wait_until(std::nullopt);
    }
    co_return batch;
  }

  // For observers, while nothing runs.
  std::size_t peek_queued() const { return queue_.peek_size(); }

 private:
  struct Member {
    WakeFlag<P> flag{Wake::kOnLoop};
    Wake wake;
  };

  Member& member(int consumer) { return members_[static_cast<std::size_t>(consumer)]; }

  void notify_all() {
    for (Member& each : members_) {
      P::run(step("claim_wake", [&] { return !each.flag.raise(); }),  //
             step("ring", [&] { each.wake.ring(); }));
    }
  }

  bool take_or_arm(Member& own, Batch& batch, std::size_t max_items) {
    return P::run(step("drain", [&] { return queue_.drain(batch, max_items); }),
                  step("clear_event", [&] { own.wake.clear(); }), step("lower_flag", [&] { own.flag.lower(); }),
                  step("second_drain", [&] { return queue_.drain(batch, max_items); }));
  }

  LockedQueue<P, Item> queue_;
  std::deque<Member> members_;
};

}  // namespace wakeproof
