// BoundedQueue: many threads put and wait while it is full, one consumer takes and waits while it is empty.
//
//   put(item, timeout)              any thread   waits for room; without a timeout for ever
//   try_put(item)                   any thread   never waits for room
//   take(timeout)                   consumer     the next item; none: the timeout has passed, or the queue has ended
//   try_take()                      consumer     the next item, if there is one
//   close()                         any thread   refuses every later put and those that wait; items stay to be taken
//   ended()                         any thread   closed, and everything was taken; stays so
//   bind_loop(), bind_loop(loop)    loop thread  for a wake on an event loop: take() is a coroutine there
//
// awake --take: nothing--> armed, waits --ring--> awake
//
// [wake]       Queue non-empty => the consumer is awake, or a wake is in flight. Looking and arming are one
//              critical section, and so are the append and finding it armed: no second look is needed.
// [room]       Room => nobody waits for it, or one was notified for each place and has not come yet. So every
//              take notifies: if only those did that find the queue full, the second of two that wait would
//              sleep on when the first has not come yet.
// [two_bells]  Those who wait for room and the one who waits for items are never on one bell: one
//              notification could go to the wrong side (bounded_queue/one_condition).
//
// What it solves: producers that are faster than the consumer are slowed down and not buffered without end.
// What it does not: a put may wait, so a thread that must not wait, such as the loop's own, is to use try_put().
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stdexcept>

#include "platform.hpp"
#include "task.hpp"

namespace wakeproof {

enum class PutResult {
  delivered,
  full,    // and stayed so until the timeout had passed
  closed,  // the item was refused
};

// Wake is EventWake (take blocks its thread) or LoopWake (take is a coroutine on an event loop).
template <Platform P, class Item, class Wake>
class BoundedQueue {
 public:
  using platform = P;
  using Timeout = std::optional<std::chrono::nanoseconds>;

  template <class... WakeArguments>
  explicit BoundedQueue(std::size_t capacity, WakeArguments&&... wake)
      : capacity_(capacity), wake_(std::forward<WakeArguments>(wake)...) {
    if (capacity == 0) throw std::invalid_argument("BoundedQueue: the capacity must be at least 1");
  }
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // Before the first take; puts may be under way.
  template <class... Loop>
  void bind_loop(Loop&... loop)
    requires(Wake::kOnLoop)
  {
    wake_.bind(loop...);
  }

  PutResult put(Item item, Timeout timeout = {}) {
    const Deadline<P> deadline = deadline_after<P>(timeout);
    return put_with(item, [&](auto& lock) { return not_full_.wait_until(lock, deadline); });
  }

  PutResult try_put(Item item) {
    return put_with(item, [](auto&) { return false; });
  }

  // Blocks the calling thread.
  std::optional<Item> take(Timeout timeout = {})
    requires(!Wake::kOnLoop)
  {
    const Deadline<P> deadline = deadline_after<P>(timeout);
    std::optional<Item> item;
    while (!take_or_arm(item)) {
      bool rung = true;
      P::run(step("wait", [&] { rung = wake_.wait_until(deadline); }));
      if (!rung) return try_take();  // a put may have come while the wait was timing out
    }
    return item;
  }

  // Suspends the awaiting coroutine; the loop's thread goes on.
  Task<std::optional<Item>> take(Timeout timeout = {})
    requires(Wake::kOnLoop)
  {
    const Deadline<P> deadline = deadline_after<P>(timeout);
    std::optional<Item> item;
    while (!take_or_arm(item)) {
      if (!co_await wake_.wait_until(deadline)) co_return try_take();
    }
    co_return item;
  }

  std::optional<Item> try_take() {
    std::optional<Item> item;
    typename P::lock_guard lock(lock_);
    take_out(item);
    return item;
  }

  void close() {
    bool armed = false;
    P::run(step("end", [&] { armed = end(); }),  //
           step("refuse_waiting", [&] { not_full_.notify_all(); }), step("ring_for_end", [&] { ring_if(armed); }));
  }

  bool ended() {
    typename P::lock_guard lock(lock_);
    return closed_.get() && items_.read().empty();
  }

  // For observers, while nothing runs.
  std::size_t peek_size() const { return items_.peek().size(); }

 private:
  // The bell is rung outside the lock: ringing a loop takes the loop's lock and a system call.
  template <class WaitForRoom>
  PutResult put_with(Item& item, WaitForRoom wait_for_room) {
    PutResult result = PutResult::delivered;
    bool armed = false;
    P::run(step("append", [&] { result = append(item, wait_for_room, armed); }),  //
           step("ring", [&] { ring_if(armed); }));
    return result;
  }

  // Looks once more when a wait has given up: the notification that it may have got at that moment was for a
  // place that nobody else was told of (bounded_queue/gives_up_without_look).
  template <class WaitForRoom>
  PutResult append(Item& item, WaitForRoom wait_for_room, bool& armed) {
    typename P::unique_lock lock(lock_);
    bool full = is_full();
    while (full && wait_for_room(lock)) full = is_full();
    if (full) P::run(step("last_look", [&] { full = is_full(); }));
    if (full) return PutResult::full;
    if (closed_.get()) return PutResult::closed;
    items_.write().push_back(std::move(item));
    armed = disarm();
    return PutResult::delivered;
  }

  // Under the lock, like the next ones. There is no use in waiting for room in a closed queue.
  bool is_full() { return !closed_.get() && items_.read().size() >= capacity_; }

  bool end() {
    typename P::lock_guard lock(lock_);
    closed_.set(true);
    return disarm();
  }

  // True: the consumer was armed, and the caller owes it a ring.
  bool disarm() {
    if (!armed_.get()) return false;
    armed_.set(false);
    return true;
  }

  // A closed loop has nobody to wake.
  void ring_if(bool armed) {
    if (armed) wake_.ring();
  }

  // True: there is an item, or the queue has ended. False: the consumer is armed and may sleep.
  // A plain function, so that no coroutine can suspend between looking and arming.
  bool take_or_arm(std::optional<Item>& item) {
    typename P::lock_guard lock(lock_);
    return P::run(step("take", [&] { return take_out(item); }),  //
                  step("clear_event", [&] { wake_.clear(); }),   //
                  step("arm", [&] { armed_.set(true); }));
  }

  // Under the lock. True: `item` is there, or never will be.
  bool take_out(std::optional<Item>& item) {
    if (items_.read().empty()) return closed_.get();
    item.emplace(std::move(items_.write().front()));
    items_.write().pop_front();
    P::run(step("notify_room", [&] { not_full_.notify_one(); }));
    return true;
  }

  const std::size_t capacity_;
  typename P::mutex lock_{"queue_lock"};
  typename P::template plain<std::deque<Item>> items_{{}, "queue"};
  typename P::template plain<bool> closed_{false, "closed"};
  typename P::template plain<bool> armed_{false, "armed"};
  typename P::condition_variable not_full_{"not_full"};
  Wake wake_;
};

}  // namespace wakeproof
