// A small trading desk: orders with a limit of risk, a market that moves, and the risk of an order by Monte Carlo.
//
//   Market            any thread, read only   the orders, and the market's moves at each tick, from a seed
//   value_at_risk     any thread              of one order, from the returns of many simulated days
//   OrderBook         loop thread             applies the figures, cancels what is over its limit
//
// [same_figures]  A figure depends on the seed, the tick and the order, never on which worker computed it or when.
//                 Workers share the orders out, so the figures of one order come from one thread, in their order.
//                 So the book must end the same over every hand-off that loses, doubles and swaps nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace wakeproof::risk {

constexpr std::size_t kAssets = 4;
using PerAsset = std::array<double, kAssets>;

struct Order {
  PerAsset exposure;  // what it would add to the desk's position, in money; negative: sold
  double limit;       // of its value at risk, in money
};

struct Update {
  std::size_t order;
  double value_at_risk;
  std::chrono::steady_clock::time_point posted;
};

// The assets move with the market and each by itself.
class Market {
 public:
  Market(std::uint64_t seed, std::size_t orders) : seed_(seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exposure(-1e6, 1e6);
    std::uniform_real_distribution<double> tolerance(1.2, 2.5);  // times the risk on a calm day
    for (std::size_t i = 0; i < orders; ++i) {
      Order order{};
      for (double& amount : order.exposure) amount = exposure(random);
      order.limit = tolerance(random) * calm_value_at_risk(order);
      orders_.push_back(order);
    }
  }

  const std::vector<Order>& orders() const { return orders_; }

  // Of the assets on each path, for one day from this tick on.
  std::vector<PerAsset> returns_at(std::uint64_t tick, std::size_t paths) const {
    std::seed_seq sequence{seed_, seed_ >> 32, tick};
    std::mt19937_64 random(sequence);
    std::normal_distribution<double> normal;
    const double nervous = std::exp(0.25 * normal(random));  // how much it moves at this tick; about 1
    std::vector<PerAsset> returns(paths);
    for (PerAsset& path : returns) {
      const double market = kMarketMove * normal(random);
      for (std::size_t a = 0; a < kAssets; ++a) {
        path[a] = nervous * (kBeta[a] * market + kOwnMove[a] * normal(random));
      }
    }
    return returns;
  }

 private:
  static constexpr double kMarketMove = 0.012;  // standard deviations of a day's return
  static constexpr PerAsset kBeta = {0.8, 1.0, 1.3, -0.2};
  static constexpr PerAsset kOwnMove = {0.010, 0.015, 0.022, 0.006};

  // In closed form, for the returns are normal: 2.33 standard deviations leave one percent of the losses.
  static double calm_value_at_risk(const Order& order) {
    double with_market = 0;
    double own = 0;
    for (std::size_t a = 0; a < kAssets; ++a) {
      with_market += order.exposure[a] * kBeta[a] * kMarketMove;
      own += std::pow(order.exposure[a] * kOwnMove[a], 2);
    }
    return 2.33 * std::sqrt(with_market * with_market + own);
  }

  std::uint64_t seed_;
  std::vector<Order> orders_;
};

// The loss that one percent of the paths exceed.
inline double value_at_risk(const Order& order, const std::vector<PerAsset>& returns) {
  std::vector<double> losses;
  losses.reserve(returns.size());
  for (const PerAsset& path : returns) {
    double gain = 0;
    for (std::size_t a = 0; a < kAssets; ++a) gain += order.exposure[a] * path[a];
    losses.push_back(-gain);
  }
  const auto worst = losses.end() - 1 - static_cast<std::ptrdiff_t>(losses.size() / 100);
  std::nth_element(losses.begin(), worst, losses.end());
  return *worst;
}

class OrderBook {
 public:
  explicit OrderBook(const std::vector<Order>& orders) {
    for (const Order& order : orders) rows_.push_back({order.limit});
  }

  void apply(const Update& update) {
    Row& row = rows_[update.order];
    row.digest = mix(row.digest, std::bit_cast<std::uint64_t>(update.value_at_risk));
    if (update.value_at_risk > row.limit) row.cancelled = true;
  }

  std::size_t cancelled() const {
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(), [](const Row& r) { return r.cancelled; }));
  }

  // Of every figure of every order in the order of its coming, and of which orders are cancelled.
  std::uint64_t digest() const {
    std::uint64_t all = 0;
    for (const Row& row : rows_) all = mix(mix(all, row.digest), row.cancelled ? 1 : 0);
    return all;
  }

 private:
  struct Row {
    double limit;
    bool cancelled = false;
    std::uint64_t digest = 0;
  };

  // A step of FNV-1a, over whole words.
  static std::uint64_t mix(std::uint64_t digest, std::uint64_t word) {
    return ((digest ^ word) * 0x100000001b3u) ^ (digest >> 29);
  }

  std::vector<Row> rows_;
};

}  // namespace wakeproof::risk
