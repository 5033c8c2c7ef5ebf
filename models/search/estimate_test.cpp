// Estimates against counts that are known.
#include "estimate.hpp"

#include "ci/catch2.hpp"

namespace wakeproof::models {

namespace {

void check_estimate(const std::string& name, const Bounds& bounds, double known, int probes) {
  Estimate estimate(*scenario_named(name), bounds);
  for (int i = 0; i < probes; ++i) estimate.probe();
  INFO(name << " at " << size_of(bounds) << ": " << estimate.executions() << " +- " << estimate.standard_error());
  CHECK(estimate.executions() > known - 3 * estimate.standard_error());
  CHECK(estimate.executions() < known + 3 * estimate.standard_error());
  CHECK(estimate.standard_error() < 0.25 * known);
}

}  // namespace

TEST_CASE("a tree that is narrower than a probe is counted exactly") {
  for (const auto& [name, items, known] :
       {std::tuple("calibration/mutex_sink", 1, 5.0), {"calibration/tagged_sink", 1, 6.0}}) {
    Estimate estimate(*scenario_named(name), {1, items});
    estimate.probe();
    CHECK(estimate.executions() == known);
  }
}

TEST_CASE("probes are right in the mean") {
  check_estimate("calibration/mutex_sink", {1, 3}, 713, 40);
  check_estimate("calibration/mutex_sink", {2, 1}, 202, 40);
  check_estimate("calibration/mutex_sink", {3, 1}, 26'052, 40);
  check_estimate("calibration/tagged_sink", {2, 1}, 622, 40);
  check_estimate("calibration/tagged_sink", {3, 1}, 751'542, 40);
  check_estimate("calibration/mutex_sink_wake_first", {2, 1}, 516 + 220, 40);  // stuck ones too
}

}  // namespace wakeproof::models
