// OutputSink on real threads: items a second, and wakes an item, against the sinks that people write first.
#include <benchmark/benchmark.h>

#include <thread>

#include "event_wake.hpp"
#include "loop_wake.hpp"
#include "output_sink.hpp"
#include "thread_platform.hpp"

namespace wakeproof {
namespace {

using P = ThreadPlatform;
constexpr int kItems = 200'000;  // in one iteration, over all producers

// Rings on every item: what the flag saves.
template <Platform Q>
class AlwaysLowered {
 public:
  explicit AlwaysLowered(bool) {}
  bool raise() {
    ++rings_;
    return true;
  }
  void lower() {}
  std::size_t count() { return rings_; }
  bool peek_raised() const { return false; }
  std::size_t peek_count() const { return rings_; }

 private:
  std::atomic<std::size_t> rings_{0};
};

struct Blocking {
  OutputSink<P, int, EventWake<P>> sink;
  std::size_t get() { return sink.get_batch(1024).size(); }
};
struct RingOnEveryPut {
  OutputSink<P, int, EventWake<P>, AlwaysLowered<P>> sink;
  std::size_t get() { return sink.get_batch(1024).size(); }
};
struct OnLoop {
  EventLoop<P> loop;
  OutputSink<P, int, LoopWake<P>> sink;
  OnLoop() { sink.bind_loop(loop); }
  std::size_t get() { return loop.run_until_complete(sink.get_batch(1024)).size(); }
};
struct RingLoopOnEveryPut {
  EventLoop<P> loop;
  OutputSink<P, int, LoopWake<P>, AlwaysLowered<P>> sink;
  RingLoopOnEveryPut() { sink.bind_loop(loop); }
  std::size_t get() { return loop.run_until_complete(sink.get_batch(1024)).size(); }
};

template <class Consumer>
void hand_off(benchmark::State& state) {
  const int producers = static_cast<int>(state.range(0));
  std::size_t wakes = 0;
  std::size_t items = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    Consumer consumer;
    std::vector<std::thread> threads;
    for (int p = 0; p < producers; ++p) {
      threads.emplace_back([&, p] {
        for (int i = p; i < kItems; i += producers) consumer.sink.put(i);
      });
    }
    for (std::size_t taken = 0; taken < kItems;) taken += consumer.get();
    for (std::thread& thread : threads) thread.join();
    wakes += consumer.sink.wakeups_scheduled();
    items += kItems;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(items));
  state.counters["wakes/item"] = static_cast<double>(wakes) / static_cast<double>(items);
}

}  // namespace

BENCHMARK_TEMPLATE(hand_off, Blocking)->Arg(1)->Arg(2)->Arg(4)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(hand_off, OnLoop)->Arg(1)->Arg(2)->Arg(4)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(hand_off, RingOnEveryPut)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(hand_off, RingLoopOnEveryPut)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace wakeproof

BENCHMARK_MAIN();
