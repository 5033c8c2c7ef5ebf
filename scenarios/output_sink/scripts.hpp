// What the scenarios of output_sink do with the sink, on either wake policy.
#pragma once

#include <chrono>

#include "models/handoff.hpp"
#include "sink/event_wake.hpp"
#include "sink/loop_wake.hpp"
#include "sink/output_sink.hpp"

namespace wakeproof {

// A wake that tells the ledger of every ring.
template <class Wake>
class CountedWake : public Wake {
 public:
  explicit CountedWake(Ledger& ledger) : ledger_(ledger) {}
  bool ring() {
    ledger_.rang();
    return Wake::ring();
  }

 private:
  Ledger& ledger_;
};

template <Platform P>
using EventSink = OutputSink<P, int, CountedWake<EventWake<P>>>;
template <Platform P>
using LoopSink = OutputSink<P, int, CountedWake<LoopWake<P>>>;

// Batches until every item has come.
template <class Sink>
class HandOff {
 public:
  HandOff(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), sink_(ledger), max_items_(static_cast<std::size_t>(bounds.max_items)) {}

  void put(int, int item) { sink_.put(item); }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) take(sink_.get_batch(max_items_));
  }
  void judge() { ledger_.check_wakes(sink_.observe().wakeups_scheduled); }

 protected:
  void take(const typename Sink::Batch& batch) {
    ledger_.check(!batch.empty() && batch.size() <= max_items_, "a batch without a timeout has 1 to max_items items");
    for (const int item : batch) ledger_.took(item);
  }

  Ledger& ledger_;
  Sink sink_;
  std::size_t max_items_;
};

// The same as a coroutine on an event loop of the consumer's thread, bound before the first put.
template <class Sink>
class LoopHandOff : public HandOff<Sink> {
 public:
  LoopHandOff(const Bounds& bounds, Ledger& ledger) : HandOff<Sink>(bounds, ledger) { this->sink_.bind_loop(loop_); }

  void consumer() { loop_.run_until_complete(take_all()); }

 protected:
  Task<bool> take_all() {
    while (this->ledger_.taken() < this->ledger_.expected())
      this->take(co_await this->sink_.get_batch(this->max_items_));
    co_return true;
  }

  EventLoop<typename Sink::platform> loop_;
};

// The coroutine binds the sink to the loop it finds itself on, while producers put already.
template <class Sink>
class BindLate : public HandOff<Sink> {
 public:
  using HandOff<Sink>::HandOff;

  void consumer() { loop_.run_until_complete(bind_and_take_all()); }

 private:
  Task<bool> bind_and_take_all() {
    this->sink_.bind_loop();
    while (this->ledger_.taken() < this->ledger_.expected())
      this->take(co_await this->sink_.get_batch(this->max_items_));
    co_return true;
  }

  EventLoop<typename Sink::platform> loop_;
};

// The first put of the first producer falls exactly between an empty drain and the arming, and the
// consumer's hook waits until it is through.
template <class Base, class Sink>
class PutInHook : public Base {
 public:
  PutInHook(const Bounds& bounds, Ledger& ledger) : Base(bounds, ledger) {
    this->sink_.after_empty_drain([this] {
      drained_.set();
      has_put_.wait();
    });
  }

  void put(int producer, int item) {
    const bool in_hook = producer == 0 && item == 0;
    if (in_hook) drained_.wait();
    Base::put(producer, item);
    if (in_hook) has_put_.set();
  }

 private:
  typename Sink::platform::event drained_{"drained_empty"};
  typename Sink::platform::event has_put_{"has_put"};
};

template <class Sink>
using PutInEventHook = PutInHook<HandOff<Sink>, Sink>;
template <class Sink>
using PutInLoopHook = PutInHook<LoopHandOff<Sink>, Sink>;

// Every wait has a timeout, which must not be what ends it; a last one, with nothing to come, is.
template <class Sink>
class TimedHandOff : public HandOff<Sink> {
 public:
  using HandOff<Sink>::HandOff;

  void consumer() {
    while (this->ledger_.taken() < this->ledger_.expected())
      take_or_give_up(this->sink_.get_batch(this->max_items_, kLong));
    const auto begin = Clock::now();
    const auto nothing = this->sink_.get_batch(this->max_items_, kShort);
    this->ledger_.check(nothing.empty(), "nothing is left to take");
    this->ledger_.check(Clock::now() - begin >= kShort, "an empty batch comes only after the timeout");
  }

 private:
  using Clock = typename Sink::platform::clock;
  static constexpr std::chrono::milliseconds kLong{1000};
  static constexpr std::chrono::milliseconds kShort{2};

  void take_or_give_up(const typename Sink::Batch& batch) {
    if (batch.empty()) this->ledger_.gave_up();
    for (const int item : batch) this->ledger_.took(item);
  }
};

}  // namespace wakeproof
