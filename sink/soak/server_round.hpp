// A round of the server: clients on real sockets ask, some go in the middle, and it is stopped.
//
//   all answered   the clients that stay have all their answers first
//   in flight      at a random moment: what was received by then is still answered
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "asker.hpp"
#include "chance.hpp"
#include "figures.hpp"
#include "ledger.hpp"
#include "questions.hpp"
#include "sink/coroutine_server.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

// The server's own notice, and how often the loop woke for it.
class CountingNotice : public FutureNotice<ThreadPlatform> {
 public:
  static inline std::atomic<std::size_t> wakes{0};

  void receive() {
    FutureNotice<ThreadPlatform>::receive();
    wakes.fetch_add(1, std::memory_order_relaxed);
  }
};

class ServerRound {
 public:
  ServerRound(std::uint64_t seed, Watchdog& dog)
      : seed_(seed), chance_(seed), dog_(dog), all_answered_(chance_.one_in(2)) {
    stop_.deaf_outstay = all_answered_ && chance_.one_in(4);
    const std::size_t clients = chance_.size_between(1, 24);
    for (std::size_t client = 0; client < clients; ++client) askers_.emplace_back(seed, client, stop_, dog);
  }

  Figures run() {
    const std::size_t wakes_before = CountingNotice::wakes.load(std::memory_order_relaxed);
    {
      BasicFibServer<CountingNotice> server(options());
      std::jthread serving([&] {
        server.run();
        stop_.over = true;
      });
      converse_and_stop(server);
    }
    Figures figures;
    for (const Asker& asker : askers_) {
      require(asker.complaint().empty(), asker.complaint());
      figures.given += asker.asked();
      figures.taken += asker.answered();
      figures.checksum += asker.sum();
    }
    figures.left = figures.given - figures.taken;
    figures.wakes = CountingNotice::wakes.load(std::memory_order_relaxed) - wakes_before;
    figures.closes = 1;
    return figures;
  }

 private:
  FibServerOptions options() {
    FibServerOptions options;
    options.workers = static_cast<int>(chance_.between(1, 4));
    options.most = Questions::kMost;
    options.line_bytes = Questions::kLineBytes;
    // Long where answers are due to those who read, for the soak is not about how fast a loaded machine is.
    options.grace = stop_.deaf_outstay ? std::chrono::milliseconds(100) : std::chrono::milliseconds(600'000);
    options.compute = [seed = seed_](int n) { return Questions::compute(seed, n); };
    return options;
  }

  void converse_and_stop(BasicFibServer<CountingNotice>& server) {
    dog_.stage("clients ask");
    std::vector<std::jthread> staying;
    std::vector<std::jthread> others;
    for (Asker& asker : askers_) {
      auto& threads = asker.manner() == Asker::Manner::stays ? staying : others;
      threads.emplace_back([&asker, port = server.port()] { asker.run(port); });
    }
    if (all_answered_) {
      staying.clear();
    } else {
      std::this_thread::sleep_for(chance_.up_to(std::chrono::microseconds(20'000)));
    }
    stop_.asked = true;
    server.stop();
    dog_.stage("the server was told to stop");
  }

  const std::uint64_t seed_;
  Chance chance_;
  Watchdog& dog_;
  const bool all_answered_;
  Stop stop_;
  std::deque<Asker> askers_;
};

inline Figures server_round(std::uint64_t seed, Watchdog& dog) {
  return ServerRound(seed, dog).run();
}

}  // namespace wakeproof::soak
