// Estimate: how many executions a complete search will look at, before it has.
//
// Random probing of the tree (Knuth: Estimating the efficiency of backtrack programs, Math. Comp. 29,
// 1975): where there are several ways down, go one that is drawn by lot, and count what lies on it as
// many times as there were ways. The mean over many probes is the size of the tree, whatever its
// shape. Drawing 64 nodes of a level instead of one leaves it unbiased and makes it far less uneven
// (stochastic enumeration: Rubinstein, Methodol. Comput. Appl. Probab. 15, 2013). The tree is the one
// that work units are cut from: expanded fully, with sleep sets, so that it has one leaf for each
// execution graph.
#pragma once

#include <chrono>
#include <random>

#include "search.hpp"

namespace wakeproof::models {

class Estimate {
 public:
  // Refers to the scenario. Equal seeds give equal probes.
  Estimate(const Scenario& scenario, const Bounds& bounds, const SearchKind& kind = {}, std::uint64_t seed = 1);

  // One more probe; a few thousand executions.
  void probe();

  std::uint64_t probes() const { return probes_; }
  double executions() const { return mean_; }  // complete, stuck and those that end at a finding
  double standard_error() const;               // of executions(); 0 before the second probe

 private:
  const Scenario& scenario_;
  const Bounds bounds_;
  SearchOptions options_;
  std::mt19937_64 random_;
  std::uint64_t probes_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of the differences from the mean: Welford's sum
};

}  // namespace wakeproof::models
