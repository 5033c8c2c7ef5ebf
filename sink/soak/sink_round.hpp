// A round of the sink or the bounded queue: producers put, a consumer takes, and it ends in one of three ways.
//
//   all taken      closed when everything that was put was taken: a lost wakeup leaves it waiting for ever
//   closed         at a random moment: what was put before is taken, and then comes the end
//   deserted       the consumer goes at a random moment, with its loop; another one, on a new loop, takes the rest
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "chance.hpp"
#include "consumers.hpp"
#include "figures.hpp"
#include "handoffs.hpp"
#include "ledger.hpp"
#include "sink/event_wake.hpp"
#include "sink/loop_wake.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

template <class Handoff, class Consumer>
class SinkRound {
 public:
  SinkRound(std::uint64_t seed, Watchdog& dog)
      : seed_(seed),
        chance_(seed),
        dog_(dog),
        ending_(static_cast<Ending>(chance_.between(0, 2))),
        pauses_(chance_.one_in(2)),
        items_(chance_.size_between(1, 3000)),
        burst_(chance_.size_between(1, 200)),
        lets_consumer_sleep_(ending_ == Ending::all_taken && chance_.one_in(2)),
        handoff_(chance_),
        taken_(0) {
    SoakThreads::jolts.store(chance_.one_in(2), std::memory_order_relaxed);
    const std::size_t producers = chance_.between(1, 6);
    for (std::size_t producer = 0; producer < producers; ++producer) given_.emplace_back(seed, producer);
    taken_ = Taken(producers);
  }

  Figures run() {
    Consumer first(handoff_, eater());
    {
      std::jthread consumer([&] { first.run(); });
      produce_and_end(first);
      dog_.stage(name("the consumer's end"));
    }
    const std::size_t left = handoff_.left();
    if (ending_ == Ending::deserted) {
      take_what_is_left(left);
    } else {
      require(left == 0, std::to_string(left) + " items are left at the end");
    }
    settle(given_, taken_);
    return figures(left);
  }

 private:
  enum class Ending { all_taken, closed, deserted };

  std::string name(const std::string& stage) const { return std::string(Handoff::kName) + ", " + stage; }

  Eater<Handoff> eater() {
    const bool must_be_timed = ending_ == Ending::deserted && Consumer::kDepartsOnlyTimed;
    const bool pauses = !lets_consumer_sleep_ && chance_.one_in(2);
    const Appetite appetite{chance_.size_between(1, 2000), must_be_timed || chance_.one_in(3), pauses,
                            chance_.number()};
    return Eater<Handoff>(handoff_, taken_, taken_count_, appetite, dog_);
  }

  void produce_and_end(Consumer& consumer) {
    dog_.stage(name("puts"));
    std::vector<std::jthread> producers;
    for (Given& given : given_) producers.emplace_back([&] { produce(given); });
    if (ending_ == Ending::all_taken) {
      producers.clear();
      dog_.stage(name("waits until all is taken"));
      wait_until_taken(put_count_.load(std::memory_order_relaxed));
      close();
      return;
    }
    std::this_thread::sleep_for(chance_.up_to(std::chrono::microseconds(8000)));
    if (ending_ == Ending::deserted) consumer.depart();
    // Nobody would make room for those who wait for it.
    if (ending_ == Ending::closed || Handoff::kPutMayWait || chance_.one_in(2)) {
      chance_.pause();
      close();
    }
    dog_.stage(name("the producers' end"));
  }

  void close() {
    handoff_.close();
    ++closes_;
  }

  void produce(Given& given) {
    Chance chance(given.checksum_of(items_));
    std::size_t in_burst = 0;
    bool refused = false;
    while (given.count() < items_ && !refused) {
      const PutResult result = handoff_.put(given, chance);
      refused = result == PutResult::closed;
      if (result != PutResult::delivered) continue;
      given.accepted();
      const std::size_t put = put_count_.fetch_add(1, std::memory_order_relaxed) + 1;
      if (++in_burst < burst_) continue;
      in_burst = 0;
      dog_.progress();
      if (pauses_) chance.pause();
      if (lets_consumer_sleep_ && chance.one_in(2)) wait_until_taken(put);
    }
    if (refused) refuse_again(given, chance);
  }

  // A hand-off that has refused once is closed for good.
  void refuse_again(const Given& given, Chance& chance) {
    refused_.fetch_add(2, std::memory_order_relaxed);
    if (handoff_.put(given, chance) != PutResult::closed) reopened_.store(true, std::memory_order_relaxed);
  }

  // At least as many as were put by then: so all of these, or others that were put after them.
  void wait_until_taken(std::size_t put) {
    while (taken_count_.load(std::memory_order_relaxed) < put) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  void take_what_is_left(std::size_t left) {
    dog_.stage(name("another consumer takes what is left"));
    const std::size_t before = taken_.count();
    close();
    Consumer second(handoff_, eater());
    second.run();
    require(taken_.count() - before == left, "taken after the restart: " + out_of(taken_.count() - before, left));
    require(handoff_.left() == 0, std::to_string(handoff_.left()) + " items are left at the end");
  }

  Figures figures(std::size_t left) {
    require(!reopened_.load(std::memory_order_relaxed), "a put was accepted after one had been refused");
    Figures figures;
    figures.given = put_count_.load(std::memory_order_relaxed);
    figures.taken = taken_.count();
    figures.wakes = handoff_.wakes();
    figures.left = left;
    figures.refused = refused_.load(std::memory_order_relaxed);
    figures.closes = closes_;
    figures.checksum = taken_.sum();
    require(figures.wakes <= figures.given + closes_, "more wakes than puts and closes");
    return figures;
  }

  const std::uint64_t seed_;
  Chance chance_;
  Watchdog& dog_;
  const Ending ending_;
  const bool pauses_;
  const std::size_t items_;  // of each producer
  const std::size_t burst_;
  const bool lets_consumer_sleep_;
  Handoff handoff_;
  std::vector<Given> given_;
  Taken taken_;
  std::size_t closes_ = 0;
  std::atomic<std::size_t> put_count_{0};  // these order nothing, see Watchdog [relaxed]
  std::atomic<std::size_t> taken_count_{0};
  std::atomic<std::size_t> refused_{0};
  std::atomic<bool> reopened_{false};
};

inline Figures sink_round(std::uint64_t seed, Watchdog& dog) {
  using Sink = SinkHandoff<EventWake<SoakThreads>>;
  using LoopSink = SinkHandoff<LoopWake<SoakThreads>>;
  using Queue = QueueHandoff<EventWake<SoakThreads>>;
  using LoopQueue = QueueHandoff<LoopWake<SoakThreads>>;
  switch (mixed(seed, 0) % 6) {
    case 0:
    case 1: return SinkRound<Sink, BlockingConsumer<Sink>>(seed, dog).run();
    case 2:
    case 3: return SinkRound<LoopSink, LoopConsumer<LoopSink>>(seed, dog).run();
    case 4: return SinkRound<Queue, BlockingConsumer<Queue>>(seed, dog).run();
    default: return SinkRound<LoopQueue, LoopConsumer<LoopQueue>>(seed, dog).run();
  }
}

}  // namespace wakeproof::soak
