// The two hand-offs of sink/ behind one face, for blocking consumers and for those on a loop.
//
//   put(given, chance)    any thread   delivered, full (try again) or closed
//   get(most, timeout)    consumer     some items; none: the timeout has passed, or it has ended
//   left()                when nothing runs
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ledger.hpp"
#include "sink/bounded_queue.hpp"
#include "sink/output_sink.hpp"
#include "soak_threads.hpp"

namespace wakeproof::soak {

using Timeout = std::optional<std::chrono::nanoseconds>;
using Batch = std::vector<Item>;

template <class Wake>
class SinkHandoff {
 public:
  static constexpr bool kOnLoop = Wake::kOnLoop;
  static constexpr bool kPutMayWait = false;
  static constexpr const char* kName = kOnLoop ? "OutputSink on a loop" : "OutputSink, blocking";

  // Between the empty drain and the arming a put is most easily lost: that window is held open at random.
  explicit SinkHandoff(Chance& chance) : hook_chance_(chance.number()) {
    if (chance.one_in(2)) sink_.after_empty_drain([this] { hook_chance_.pause(); });
  }

  void bind(EventLoop<SoakThreads>& loop)
    requires kOnLoop
  {
    sink_.bind_loop(loop);
  }

  PutResult put(const Given& given, Chance&) {
    return sink_.put(given.next()) ? PutResult::delivered : PutResult::closed;
  }
  auto get(std::size_t most, Timeout timeout) { return sink_.get_batch(most, timeout); }

  void close() { sink_.close(); }
  bool ended() { return sink_.ended(); }
  std::size_t left() const { return sink_.observe().queued; }
  std::size_t wakes() { return sink_.wakeups_scheduled(); }

 private:
  Chance hook_chance_;
  OutputSink<SoakThreads, Item, Wake> sink_;
};

template <class Wake>
class QueueHandoff {
 public:
  static constexpr bool kOnLoop = Wake::kOnLoop;
  static constexpr bool kPutMayWait = true;
  static constexpr const char* kName = kOnLoop ? "BoundedQueue on a loop" : "BoundedQueue, blocking";

  explicit QueueHandoff(Chance& chance) : queue_(chance.size_between(1, 64)) {}

  void bind(EventLoop<SoakThreads>& loop)
    requires kOnLoop
  {
    queue_.bind_loop(loop);
  }

  PutResult put(const Given& given, Chance& chance) {
    if (chance.one_in(8)) return queue_.try_put(given.next());
    if (chance.one_in(8)) return queue_.put(given.next(), chance.up_to(std::chrono::microseconds(2000)));
    return queue_.put(given.next());
  }

  Batch get(std::size_t most, Timeout timeout)
    requires(!kOnLoop)
  {
    return with_more(queue_.take(timeout), most);
  }
  Task<Batch> get(std::size_t most, Timeout timeout)
    requires kOnLoop
  {
    co_return with_more(co_await queue_.take(timeout), most);
  }

  void close() { queue_.close(); }
  bool ended() { return queue_.ended(); }
  std::size_t left() const { return queue_.peek_size(); }
  std::size_t wakes() const { return 0; }  // it does not count them

 private:
  Batch with_more(std::optional<Item> first, std::size_t most) {
    Batch batch;
    for (; first; first = batch.size() < most ? queue_.try_take() : std::nullopt) batch.push_back(std::move(*first));
    return batch;
  }

  BoundedQueue<SoakThreads, Item, Wake> queue_;
};

}  // namespace wakeproof::soak
