// The ways from a thread to an event loop under the same moderate traffic: how late an item is, and what the loop's
// thread costs, also while nothing comes. How many items a second a sink can take is output_sink_bench.cpp's.
#include <benchmark/benchmark.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "programs/hand_offs.hpp"
#include "programs/thread_meter.hpp"

namespace wakeproof {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kBursts = 200;  // in one iteration, each of so many items
constexpr int kBurst = 8;
constexpr double kGapUs = 1000;  // between bursts, on average
constexpr auto kIdle = milliseconds(100);

using Posted = steady_clock::time_point;

// At random moments: regular ones may be in step with a poll.
void put_bursts(HandOff<Posted>& hand_off, unsigned seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> gap_us(1 / kGapUs);
  auto at = steady_clock::now();
  for (int burst = 0; burst < kBursts; ++burst) {
    at += microseconds(static_cast<int>(gap_us(random)));
    std::this_thread::sleep_until(at);
    for (int i = 0; i < kBurst; ++i) hand_off.put(steady_clock::now());
  }
}

void moderate_traffic(benchmark::State& state, const std::string& name) {
  Latencies latencies;
  double busy_cpu = 0;
  double idle_cpu = 0;
  std::size_t wakes = 0;
  unsigned iterations = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    EventLoop<ThreadPlatform> loop;
    const auto hand_off = make_hand_off<Posted>(name, loop);
    int left = kBursts * kBurst;
    hand_off->start([&](const Posted& posted) {
      latencies.add(steady_clock::now() - posted);
      if (--left == 0) loop.stop();
    });
    {
      const ThreadMeter meter;
      const std::jthread producer([&, seed = ++iterations] { put_bursts(*hand_off, seed); });
      loop.run();
      busy_cpu += meter.cpu_share();
    }
    wakes += hand_off->wakes();
    const ThreadMeter meter;
    loop.call_later(kIdle, [&] { loop.stop(); });
    loop.run();
    idle_cpu += meter.cpu_share();
  }
  state.counters["p50_us"] = latencies.percentile_us(0.5);
  state.counters["p99_us"] = latencies.percentile_us(0.99);
  state.counters["wakes/item"] = static_cast<double>(wakes) / static_cast<double>(latencies.count());
  state.counters["loop_cpu_%"] = 100 * busy_cpu / iterations;
  state.counters["idle_cpu_%"] = 100 * idle_cpu / iterations;
}

// The time of an iteration is what the traffic and the idle stretch take; the counters are what is measured.
const bool registered = [] {
  for (const std::string_view name : kHandOffs) {
    const std::string title = "moderate_traffic/" + std::string(name);
    benchmark::RegisterBenchmark(title.c_str(), moderate_traffic, std::string(name))
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace wakeproof
