// OutputSink: many threads put items, one consumer takes them in batches, woken once for many.
//
//   put(item)                       any thread   never waits for the consumer; order is kept per thread; false:
//                                                the sink is closed, the item was refused
//   get_batch(max_items, timeout)   consumer     1..max_items items; none only when the timeout has passed, or
//                                                the sink has ended
//   close()                         any thread   refuses every later put; what was put is still to be taken
//   ended()                         any thread   closed, and everything was taken; stays so
//   bind_loop(), bind_loop(loop)    loop thread  for a wake on an event loop: who is to be woken
//   after_empty_drain(hook)         before use   called between the empty drain and the arming, no lock held
//   wakeups_scheduled()             any thread   wake cycles so far
//
// awake --drain: nothing--> arming --second drain: nothing--> armed, waits --ring--> awake
//
// [wake]       Queue non-empty => the consumer is awake, or a wake is in flight. A put appends
//              first and looks at the flag afterwards; the consumer lowers the flag first and
//              looks at the queue afterwards. So of the two, at least one sees the other.
// [one_ring]   Between two armings at most one put rings: the one that raises the flag.
// [awake]      Taking items does not lower the flag. The consumer is awake then and will drain
//              again before it sleeps, so a put need not ring.
// [close]      The end is put like an item: closed under the queue's lock, then the flag. A put
//              that was not refused came before it in that lock, so it is taken before the end.
//
// After the batching sink of vLLM's front end: threads hand tokens to an asyncio loop.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "locked_queue.hpp"
#include "platform.hpp"
#include "task.hpp"
#include "wake_flag.hpp"

namespace wakeproof {

// Wake is EventWake (get_batch blocks its thread) or LoopWake (get_batch is a coroutine on an
// event loop). Flag and Queue are the two pieces of shared state, replaceable one by one.
template <Platform P, class Item, class Wake, class Flag = WakeFlag<P>, class Queue = LockedQueue<P, Item>>
class OutputSink {
 public:
  using platform = P;
  using Batch = std::vector<Item>;
  using Timeout = std::optional<std::chrono::nanoseconds>;

  // The arguments are the wake's.
  template <class... WakeArguments>
  explicit OutputSink(WakeArguments&&... wake) : wake_(std::forward<WakeArguments>(wake)...) {}
  OutputSink(const OutputSink&) = delete;
  OutputSink& operator=(const OutputSink&) = delete;

  // Puts made before only enqueue, for the flag starts raised: there is nobody to ring for, and the
  // first get_batch() drains before it sleeps. Lowering the flag publishes the loop to producers.
  // No argument: the loop that runs the caller.
  template <class... Loop>
  void bind_loop(Loop&... loop)
    requires(Wake::kOnLoop)
  {
    wake_.bind(loop...);
    flag_.lower();
  }

  void after_empty_drain(std::function<void()> hook) { hook_ = std::move(hook); }

  // Notifying before the append loses the wakeup: the consumer wakes, finds nothing, arms, sleeps,
  // and only then the item arrives, with no ring to follow (output_sink/check_flag_before_append).
  bool put(Item item) {
    const bool refused = P::run(step("append", [&] { return !queue_.append(std::move(item)); }),  //
                                step("notify", [&] { notify(); }));
    return !refused;
  }

  // Counts as a put for wakeups_scheduled(). More than once is as good as once.
  void close() {
    P::run(step("end", [&] { queue_.close(); }),  //
           step("notify_of_end", [&] { notify(); }));
  }

  // What tells an empty batch at the end from one by timeout. Not merely whether it is closed: after a
  // timeout a put and a close may come, and the put's item must be taken yet.
  bool ended() { return queue_.ended(); }

  // Blocks the calling thread.
  Batch get_batch(std::size_t max_items, Timeout timeout = {})
    requires(!Wake::kOnLoop)
  {
    const Deadline<P> deadline = start(max_items, timeout);
    Batch batch;
    while (!take_or_arm(batch, max_items)) {
      bool rung = true;
      P::run(step("wait", [&] { rung = wake_.wait_until(deadline); }));
      if (!rung) {
        last_drain(batch, max_items);
        break;
      }
    }
    return batch;
  }

  // Suspends the awaiting coroutine; the loop's thread goes on.
  Task<Batch> get_batch(std::size_t max_items, Timeout timeout = {})
    requires(Wake::kOnLoop)
  {
    const Deadline<P> deadline = start(max_items, timeout);
    Batch batch;
    while (!take_or_arm(batch, max_items)) {
      if (!co_await wake_.wait_until(deadline)) {
        last_drain(batch, max_items);
        break;
      }
    }
    co_return batch;
  }

  std::size_t wakeups_scheduled() { return flag_.count(); }

  // What an observer sees while nothing runs; of a sink that is bound to a loop, while that is there.
  struct Observation {
    std::size_t queued;
    bool flag_raised;
    bool wake_in_flight;
    std::size_t wakeups_scheduled;
  };
  Observation observe() const {
    return {queue_.peek_size(), flag_.peek_raised(), wake_.peek_in_flight(), flag_.peek_count()};
  }

 private:
  // One deadline for the whole call: computed anew on every turn, a spurious wake would extend it.
  static Deadline<P> start(std::size_t max_items, Timeout timeout) {
    if (max_items == 0) throw std::invalid_argument("get_batch: max_items must be at least 1");
    return deadline_after<P>(timeout);
  }

  // The ring is outside the flag's lock: ringing a loop takes the loop's lock and a system call.
  void notify() {
    bool rung = true;
    P::run(step("claim_wake", [&] { return !flag_.raise(); }),  // [one_ring]: somebody else's wake will do
           step("ring", [&] { rung = wake_.ring(); }),
           // The loop is closed: nobody is woken by this cycle, so it must not look as if somebody were.
           step("withdraw", [&] {
             if (!rung) flag_.lower();
           }));
  }

  // True: `batch` has items, or the sink has ended. False: the consumer is armed and nothing was there, it may sleep.
  // A plain function, so that no coroutine can suspend between arming and the second drain.
  //
  // Without the second drain: the first drain finds nothing; a put appends, sees the flag still
  // raised and does not ring; the arming lowers it; the consumer sleeps on a full queue
  // (output_sink/missing_second_drain).
  //
  // The event is cleared before the flag is lowered. The other way round, a put whose item is long
  // taken may raise the flag and ring between the two; clearing wipes out that ring, and the flag
  // stays raised over a sleeping consumer (output_sink/arm_swapped). On a loop the order is
  // immaterial: a ring is a callback, and none runs before the coroutine suspends
  // (output_sink/loop/arm_swapped is proved).
  bool take_or_arm(Batch& batch, std::size_t max_items) {
    return P::run(step("drain", [&] { return queue_.drain(batch, max_items); }),
                  step("hook", [&] { after_empty_drain(); }),  //
                  step("clear_event", [&] { wake_.clear(); }), step("lower_flag", [&] { flag_.lower(); }),
                  step("second_drain", [&] { return queue_.drain(batch, max_items); }));
  }

  void after_empty_drain() {
    if (hook_) hook_();
  }

  // A put may have come while the wait was timing out; its item is not left behind.
  void last_drain(Batch& batch, std::size_t max_items) {
    P::run(step("last_drain", [&] { queue_.drain(batch, max_items); }));
  }

  Queue queue_;
  Flag flag_{Wake::kOnLoop};
  Wake wake_;
  std::function<void()> hook_;
};

}  // namespace wakeproof
