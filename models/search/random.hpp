// Random searches, for sizes that no search exhausts: they find, and never prove.
//
//   RandomWalk   any enabled thread goes on, any allowed value is read, all equally likely
//   Pct          probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatte: A
//                randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010
//
// The same seed over the same program gives the same executions, one after another.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "models/strategy.hpp"

namespace wakeproof::models {

// What both share: the source of chance, values, and what was chosen.
class RandomStrategy : public Strategy {
 public:
  explicit RandomStrategy(std::uint64_t seed) : chance_(seed) {}

  void begin_execution() override { choices_.clear(); }
  void taken(const TakenStep&) override {}
  ThreadId choose_thread(const Situation& situation) final;
  unsigned choose_value(unsigned count) final;
  void time_passes(const Situation&) override {}
  void stuck(const Situation&) override {}
  bool end_execution(Ending) override { return true; }
  bool exhausted() const final { return false; }
  std::vector<unsigned> choices() const final { return choices_; }
  const std::string& nondeterminism() const final { return never_; }

 protected:
  virtual ThreadId pick(const Situation& situation) = 0;
  // 0 to count - 1, the same numbers with every standard library.
  unsigned below(std::size_t count) { return static_cast<unsigned>((chance_() >> 32) * count >> 32); }

 private:
  std::mt19937_64 chance_;
  std::vector<unsigned> choices_;
  std::string never_;
};

class RandomWalk final : public RandomStrategy {
 public:
  using RandomStrategy::RandomStrategy;

 private:
  ThreadId pick(const Situation& situation) override;
};

// Every thread has a random priority and the highest that can go on does. At depth - 1 steps of the
// execution, chosen beforehand, the thread about to go on falls below all others. A fault that needs
// `depth` ordered steps of n threads is found with probability 1 / (n k^(depth - 1)) at least, where
// k is the number of steps.
//
// k is not known beforehand: it is the longest execution so far, so that the first has no change.
class Pct final : public RandomStrategy {
 public:
  Pct(int threads, unsigned depth, std::uint64_t seed);

  void begin_execution() override;
  bool end_execution(Ending ending) override;

 private:
  ThreadId pick(const Situation& situation) override;
  ThreadId highest(unsigned enabled) const;

  int threads_;
  std::vector<unsigned> change_points_;  // as numbers of steps, one for each change
  std::array<unsigned, kMaxThreads> priority_{};
  unsigned step_ = 0;
  unsigned longest_ = 0;
};

}  // namespace wakeproof::models
