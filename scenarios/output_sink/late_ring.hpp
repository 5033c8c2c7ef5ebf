// A ring that comes late, when its item was taken long ago and the consumer waits again with a timeout (A9, P7).
#pragma once

#include "scripts.hpp"

namespace wakeproof {

inline constexpr std::chrono::milliseconds kPauseBeforeRing{1};
inline constexpr std::chrono::milliseconds kLastTimeout{3};

template <Platform P>
class LateRingWake : public EventWake<P> {
 public:
  bool ring() {
    pause_.wait_until(P::clock::now() + kPauseBeforeRing);
    return EventWake<P>::ring();
  }

 private:
  typename P::event pause_{"pause"};  // never set: only time ends it
};

// On every turn the whole timeout anew.
template <Platform P>
class RestartedWake : public LateRingWake<P> {
 public:
  bool wait_until(Deadline<P> deadline) {
    if (deadline) deadline = P::clock::now() + kLastTimeout;
    return LateRingWake<P>::wait_until(deadline);
  }
};

template <Platform P>
using LateRingSink = OutputSink<P, int, CountedWake<LateRingWake<P>>>;
template <Platform P>
using RestartedSink = OutputSink<P, int, CountedWake<RestartedWake<P>>>;

// Everything, and then one wait with nothing to come but left-over rings: it ends empty, and in time.
template <class Sink>
class WaitPastRings : public HandOff<Sink> {
 public:
  using HandOff<Sink>::HandOff;

  void consumer() {
    HandOff<Sink>::consumer();
    const auto begin = Clock::now();
    const auto nothing = this->sink_.get_batch(this->max_items_, kLastTimeout);
    const auto took = Clock::now() - begin;
    this->ledger_.check(nothing.empty(), "nothing is left to take");
    this->ledger_.check(took >= kLastTimeout, "an empty batch comes only after the timeout");
    this->ledger_.check_deadline(took <= kLastTimeout, "a late ring made the wait outlast its timeout");
  }

 private:
  using Clock = typename Sink::platform::clock;
};

}  // namespace wakeproof
