// A day at the desk: when the market ticks, and what a worker does then.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "hand_offs.hpp"
#include "risk_model.hpp"

namespace wakeproof::risk {

using std::chrono::steady_clock;

struct Options {
  std::size_t workers = 2;
  std::size_t updates = 25'600;
  std::size_t orders = 64;
  std::size_t paths = 500;
  std::uint64_t seed = 1;
  unsigned pace_us = 2000;
  unsigned idle_ms = 300;
  std::vector<std::string> hand_offs{std::begin(kHandOffs), std::end(kHandOffs)};
};

// When the market ticks, from the beginning on. At random moments: regular ones may be in step with a poll, which
// then finds each update at once, or always late.
inline std::vector<steady_clock::duration> tick_times(const Options& options) {
  std::mt19937_64 random(options.seed);
  std::exponential_distribution<double> gap(1);
  std::vector<steady_clock::duration> times;
  double at_us = 0;
  for (std::size_t updates = 0; updates < options.updates; updates += options.orders) {
    at_us += gap(random) * options.pace_us;
    times.push_back(std::chrono::microseconds(static_cast<std::int64_t>(at_us)));
  }
  return times;
}

struct Day {
  explicit Day(const Options& options)
      : options(options), market(options.seed, options.orders), ticks(tick_times(options)) {}

  const Options& options;
  Market market;
  std::vector<steady_clock::duration> ticks;
};

// At each tick the market is simulated, and every `workers`-th order valued and its figure put.
inline void work(const Day& day, std::size_t worker, steady_clock::time_point start, HandOff<Update>& hand_off) {
  const Options& options = day.options;
  for (std::size_t tick = 0; tick < day.ticks.size(); ++tick) {
    std::this_thread::sleep_until(start + day.ticks[tick]);
    const std::vector<PerAsset> returns = day.market.returns_at(tick, options.paths);
    const std::size_t orders = std::min(options.orders, options.updates - tick * options.orders);
    for (std::size_t order = worker; order < orders; order += options.workers) {
      const double figure = value_at_risk(day.market.orders()[order], returns);
      hand_off.put({order, figure, steady_clock::now()});
    }
  }
}

}  // namespace wakeproof::risk
