// What the scenarios of output_sink do with the sink, on either wake policy.
#pragma once

#include <chrono>
#include <deque>

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

// The conjuncts of [wake] in sink/output_sink.hpp that are the sink's own.
inline Observation seen_of(const auto& sink) {
  return {sink.queued, sink.wake_in_flight};
}

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
  Observation observe() const { return seen_of(sink_.observe()); }

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

// Said by each producer after its last put, waited for by the consumer.
template <Platform P>
class EveryPut {
 public:
  explicit EveryPut(const Bounds& bounds) : items_(bounds.items) {
    for (int producer = 0; producer < bounds.producers; ++producer) done_.emplace_back(Label("has_put_all", producer));
  }
  void has_put(int producer, int item) {
    if (item == Ledger::item(producer, items_ - 1)) done_[static_cast<std::size_t>(producer)].set();
  }
  void wait() {
    for (auto& done : done_) done.wait();
  }

 private:
  int items_;
  std::deque<typename P::event> done_;
};

// The consumer comes when every put is through. One wake was scheduled for all of them, and as long as
// something is there the consumer takes it without arming: the hook is not called, no put need ring.
template <class Base, class Sink>
class TakeLate : public Base {
 public:
  TakeLate(const Bounds& bounds, Ledger& ledger) : Base(bounds, ledger), every_put_(bounds) {
    this->sink_.after_empty_drain([this] { this->ledger_.check(false, "the hook is called with items in the queue"); });
  }

  void put(int producer, int item) {
    Base::put(producer, item);
    every_put_.has_put(producer, item);
  }
  void consumer() {
    every_put_.wait();
    Base::consumer();
    this->ledger_.check(this->sink_.wakeups_scheduled() == 1, "puts that nobody takes in between schedule one wake");
  }

 private:
  EveryPut<typename Sink::platform> every_put_;
};

template <class Sink>
using TakeLateByEvent = TakeLate<HandOff<Sink>, Sink>;
template <class Sink>
using TakeLateOnLoop = TakeLate<LoopHandOff<Sink>, Sink>;

// The loop is closed while threads put. When they are through, the sink moves to a second loop.
template <class Sink>
class CloseEarly : public BindLate<Sink> {
 public:
  CloseEarly(const Bounds& bounds, Ledger& ledger) : BindLate<Sink>(bounds, ledger), every_put_(bounds) {
    this->sink_.bind_loop(closed_);
  }

  void put(int producer, int item) {
    BindLate<Sink>::put(producer, item);
    every_put_.has_put(producer, item);
  }
  void consumer() {
    const std::size_t dropped = closed_.close();
    every_put_.wait();
    this->ledger_.check(dropped > 0 || !this->sink_.observe().flag_raised,
                        "the flag stays raised although no ring got through");
    BindLate<Sink>::consumer();
  }

 private:
  EventLoop<typename Sink::platform> closed_;
  EveryPut<typename Sink::platform> every_put_;
};

// Two sinks on one loop, each with its producers and its coroutine: one is rung while the other wakes.
template <class Sink>
class TwoSinks {
 public:
  TwoSinks(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), sinks_{Sink(ledger), Sink(ledger)}, max_items_(static_cast<std::size_t>(bounds.max_items)) {
    for (int producer = 0; producer < bounds.producers; ++producer) expected_[producer % 2] += bounds.items;
    for (Sink& sink : sinks_) sink.bind_loop(loop_);
  }

  void put(int producer, int item) { sinks_[producer % 2].put(item); }
  void consumer() {
    Task<bool> first = take_all(0);
    Task<bool> second = take_all(1);
    loop_.call_soon([&] {
      first.start();
      second.start();
    });
    loop_.run();
  }
  void judge() { ledger_.check_wakes(sinks_[0].observe().wakeups_scheduled + sinks_[1].observe().wakeups_scheduled); }
  Observation observe() const {
    const Observation one = seen_of(sinks_[0].observe());
    const Observation other = seen_of(sinks_[1].observe());
    return {one.queued + other.queued, *one.wake_in_flight || *other.wake_in_flight};
  }

 private:
  Task<bool> take_all(int which) {
    for (int left = expected_[which]; left > 0;) {
      const auto batch = co_await sinks_[which].get_batch(max_items_);
      for (const int item : batch) ledger_.took(item);
      left -= static_cast<int>(batch.size());
    }
    if (ledger_.taken() == ledger_.expected()) loop_.stop();
    co_return true;
  }

  Ledger& ledger_;
  EventLoop<typename Sink::platform> loop_;
  Sink sinks_[2];
  std::size_t max_items_;
  int expected_[2] = {0, 0};
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

// A wake whose ring is held up until the gate opens.
template <Platform P, class Wake>
class HeldWake : public Wake {
 public:
  explicit HeldWake(typename P::event& gate) : gate_(gate) {}
  bool ring() {
    gate_.wait();
    return Wake::ring();
  }

 private:
  typename P::event& gate_;
};

template <Platform P>
using HeldSink = OutputSink<P, int, HeldWake<P, EventWake<P>>>;
template <Platform P>
using HeldLoopSink = OutputSink<P, int, HeldWake<P, LoopWake<P>>>;

// The first producer is held up between its append and its ring for longer than the consumer waits:
// the wait that times out takes the item all the same.
template <class Sink>
class TakeOverdue {
 public:
  TakeOverdue(const Bounds& bounds, Ledger& ledger)
      : ledger_(ledger), sink_(gate_), max_items_(static_cast<std::size_t>(bounds.max_items)) {}

  void put(int producer, int item) {
    if (producer > 0 && item == Ledger::item(producer, 0)) gate_.wait();
    sink_.put(item);
  }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) took(sink_.get_batch(max_items_, kTimeout));
  }
  void judge() {}
  Observation observe() const { return seen_of(sink_.observe()); }

 protected:
  static constexpr std::chrono::milliseconds kTimeout{1};

  void took(const typename Sink::Batch& batch) {
    ledger_.check_moment(!batch.empty(), "a wait that timed out leaves an item behind");
    for (const int item : batch) ledger_.took(item);
    if (!batch.empty()) gate_.set();
  }

  Ledger& ledger_;
  typename Sink::platform::event gate_{"gate"};
  Sink sink_;
  std::size_t max_items_;
};

template <class Sink>
class TakeOverdueOnLoop : public TakeOverdue<Sink> {
 public:
  TakeOverdueOnLoop(const Bounds& bounds, Ledger& ledger) : TakeOverdue<Sink>(bounds, ledger) {
    this->sink_.bind_loop(loop_);
  }

  void consumer() { loop_.run_until_complete(take_all()); }

 private:
  Task<bool> take_all() {
    while (this->ledger_.taken() < this->ledger_.expected())
      this->took(co_await this->sink_.get_batch(this->max_items_, this->kTimeout));
    co_return true;
  }

  EventLoop<typename Sink::platform> loop_;
};

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

namespace models {
template <>
inline constexpr bool kProducersInterchangeable<HandOff> = true;
template <>
inline constexpr bool kProducersInterchangeable<LoopHandOff> = true;
template <>
inline constexpr bool kProducersInterchangeable<BindLate> = true;
template <>
inline constexpr bool kProducersInterchangeable<TimedHandOff> = true;
}  // namespace models

}  // namespace wakeproof
