#include "estimate.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "parts.hpp"

namespace wakeproof::models {

namespace {

constexpr int kLevelsAtOnce = 2;
constexpr std::size_t kWidth = 64;

}  // namespace

Estimate::Estimate(const Scenario& scenario, const Bounds& bounds, const SearchKind& kind, std::uint64_t seed)
    : scenario_(scenario), bounds_(bounds), random_(seed) {
  options_.kind = kind;
  options_.keep_going = true;
}

void Estimate::probe() {
  double leaves = 0;
  double weight = 1;
  std::vector<WorkUnit> level{whole_tree(scenario_, bounds_, options_)};
  while (!level.empty()) {
    std::vector<WorkUnit> below;
    for (const WorkUnit& unit : level) {
      Split split = split_below(scenario_, bounds_, options_, unit, kLevelsAtOnce);
      leaves += weight * static_cast<double>(split.above.complete + split.above.stuck + split.above.cut);
      std::move(split.units.begin(), split.units.end(), std::back_inserter(below));
    }
    level.clear();
    std::sample(std::make_move_iterator(below.begin()), std::make_move_iterator(below.end()), std::back_inserter(level),
                kWidth, random_);
    if (!level.empty()) weight *= static_cast<double>(below.size()) / static_cast<double>(level.size());
  }
  ++probes_;
  const double difference = leaves - mean_;
  mean_ += difference / static_cast<double>(probes_);
  squares_ += difference * (leaves - mean_);
}

double Estimate::standard_error() const {
  if (probes_ < 2) return 0;
  const auto probes = static_cast<double>(probes_);
  return std::sqrt(squares_ / (probes - 1) / probes);
}

}  // namespace wakeproof::models
