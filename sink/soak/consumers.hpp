// The two kinds of consumer, a thread that blocks and a coroutine on a loop of its own.
//
//   run()      consumer thread   takes until the hand-off has ended, or until depart() was met
//   depart()   any thread        go, whatever is left
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "handoffs.hpp"
#include "ledger.hpp"
#include "sink/event_loop.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

struct Appetite {
  std::size_t most;  // items in one batch
  bool timed;        // every wait has a timeout
  bool pauses;
  std::uint64_t seed;
};

// What a consumer does with each batch. The consumer's thread has it.
template <class Handoff>
class Eater {
 public:
  Eater(Handoff& handoff, Taken& taken, std::atomic<std::size_t>& count, const Appetite& appetite, Watchdog& dog)
      : handoff_(handoff), taken_(taken), count_(count), appetite_(appetite), chance_(appetite.seed), dog_(dog) {}

  std::size_t most() { return chance_.between(1, appetite_.most); }
  Timeout timeout() {
    begin_ = Clock::now();
    // Very short ones too: a put that comes while the time runs out is a window of its own.
    const std::chrono::microseconds most(chance_.one_in(2) ? 10 : 2000);
    patience_ = appetite_.timed ? Timeout(chance_.up_to(most)) : std::nullopt;
    return patience_;
  }

  // False: it has ended.
  bool eat(const Batch& batch) {
    for (const Item& item : batch) taken_.take(item);
    count_.fetch_add(batch.size(), std::memory_order_relaxed);  // see Watchdog [relaxed]
    if (!batch.empty()) dog_.progress();  // timeouts alone are none: a producer may hang meanwhile
    if (appetite_.pauses) chance_.pause();
    return !batch.empty() || !end_or_timeout();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool end_or_timeout() {
    const bool timed_out = patience_ && Clock::now() - begin_ >= *patience_;
    if (handoff_.ended()) return true;
    if (!timed_out) taken_.complain("an empty batch, and neither has the time passed nor the hand-off ended");
    return false;
  }

  Handoff& handoff_;
  Taken& taken_;
  std::atomic<std::size_t>& count_;
  const Appetite appetite_;
  Chance chance_;
  Watchdog& dog_;
  Clock::time_point begin_;
  Timeout patience_;
};

template <class Handoff>
class BlockingConsumer {
 public:
  // Nobody interrupts a wait without a timeout, so depart() is met only where appetite.timed.
  static constexpr bool kDepartsOnlyTimed = true;

  BlockingConsumer(Handoff& handoff, Eater<Handoff> eater) : handoff_(handoff), eater_(std::move(eater)) {}

  void run() {
    bool more = true;
    while (more && !departing_.load(std::memory_order_relaxed)) {
      const std::size_t most = eater_.most();
      more = eater_.eat(handoff_.get(most, eater_.timeout()));
    }
  }
  void depart() { departing_.store(true, std::memory_order_relaxed); }

 private:
  Handoff& handoff_;
  Eater<Handoff> eater_;
  std::atomic<bool> departing_{false};
};

// Its loop closes with it, while producers may still ring.
template <class Handoff>
class LoopConsumer {
 public:
  static constexpr bool kDepartsOnlyTimed = false;

  LoopConsumer(Handoff& handoff, Eater<Handoff> eater) : handoff_(handoff), eater_(std::move(eater)) {}

  void run() {
    handoff_.bind(loop_);
    loop_.create_task(disturb());
    loop_.create_task(consume());
    loop_.run();
    loop_.close();
  }
  void depart() {
    try {
      loop_.call_soon_threadsafe([this] { loop_.stop(); });
    } catch (const loop_closed&) {
      // It found the end by itself.
    }
  }

 private:
  Task<bool> consume() {
    bool more = true;
    while (more) {
      const std::size_t most = eater_.most();
      const Batch batch = co_await handoff_.get(most, eater_.timeout());
      more = eater_.eat(batch);
    }
    loop_.stop();
    co_return true;
  }

  // Turns of the loop that have nothing to do with the hand-off; after some, it is left to sleep.
  Task<bool> disturb() {
    Chance chance(eater_.most());
    for (std::size_t left = chance.between(0, 20); left > 0; --left) {
      co_await loop_.sleep(chance.up_to(std::chrono::microseconds(500)));
    }
    co_return true;
  }

  EventLoop<SoakThreads> loop_;
  Handoff& handoff_;
  Eater<Handoff> eater_;
};

}  // namespace wakeproof::soak
