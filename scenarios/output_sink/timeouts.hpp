// Waits with a timeout under the free clock, where it may pass at any moment (A9, P7).
#pragma once

#include "scripts.hpp"

namespace wakeproof {

inline constexpr std::chrono::milliseconds kShortTimeout{1};

// A wake that tells the ledger of the deadline that a call has from its first wait on.
template <Platform P>
class TimedWake : public CountedWake<EventWake<P>> {
 public:
  explicit TimedWake(Ledger& ledger) : CountedWake<EventWake<P>>(ledger), ledger_(ledger) {}
  bool wait_until(Deadline<P> deadline) {
    if (deadline) ledger_.is_to_end_by(*deadline);
    return EventWake<P>::wait_until(deadline);
  }

 private:
  Ledger& ledger_;
};

// On every turn the whole timeout anew.
template <Platform P>
class RestartedTimedWake : public TimedWake<P> {
 public:
  using TimedWake<P>::TimedWake;
  bool wait_until(Deadline<P> deadline) {
    if (deadline) deadline = P::clock::now() + kShortTimeout;
    return TimedWake<P>::wait_until(deadline);
  }
};

template <Platform P>
using TimedSink = OutputSink<P, int, TimedWake<P>>;
template <Platform P>
using RestartedTimedSink = OutputSink<P, int, RestartedTimedWake<P>>;

// A call that may end in time and with nothing, again and again until every item has come, and once more.
template <class Sink>
class TakeWithTimeouts : public HandOff<Sink> {
 public:
  using HandOff<Sink>::HandOff;

  void consumer() {
    while (this->ledger_.taken() < this->ledger_.expected()) take_for(kShortTimeout);
    take_for(kShortTimeout);
  }

 private:
  using Clock = typename Sink::platform::clock;

  void take_for(std::chrono::milliseconds timeout) {
    const auto begin = Clock::now();
    const auto batch = this->sink_.get_batch(this->max_items_, timeout);
    this->ledger_.ends_in_time();
    const bool in_time = !batch.empty() || Clock::now() - begin >= timeout;
    this->ledger_.check(in_time, "an empty batch comes only after the timeout");
    for (const int item : batch) this->ledger_.took(item);
  }
};

// The same as a coroutine on a loop.
template <class Sink>
class TakeWithTimeoutsOnLoop : public LoopHandOff<Sink> {
 public:
  using LoopHandOff<Sink>::LoopHandOff;

  void consumer() { this->loop_.run_until_complete(take_with_timeouts()); }

 private:
  Task<bool> take_with_timeouts() {
    while (this->ledger_.taken() < this->ledger_.expected()) {
      const auto batch = co_await this->sink_.get_batch(this->max_items_, kShortTimeout);
      for (const int item : batch) this->ledger_.took(item);
    }
    co_return true;
  }
};

namespace models {
template <>
inline constexpr bool kProducersInterchangeable<TakeWithTimeouts> = true;
template <>
inline constexpr bool kProducersInterchangeable<TakeWithTimeoutsOnLoop> = true;
}  // namespace models

}  // namespace wakeproof
