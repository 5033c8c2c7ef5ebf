#include "random.hpp"

#include <bit>
#include <numeric>

namespace wakeproof::models {

ThreadId RandomStrategy::choose_thread(const Situation& situation) {
  const ThreadId thread = pick(situation);
  choices_.push_back(static_cast<unsigned>(thread));
  return thread;
}

unsigned RandomStrategy::choose_value(unsigned count) {
  if (count == 1) return 0;
  choices_.push_back(below(count));
  return choices_.back();
}

ThreadId RandomWalk::pick(const Situation& situation) {
  unsigned left = situation.enabled;
  for (unsigned passed_over = below(static_cast<std::size_t>(std::popcount(left))); passed_over > 0; --passed_over) {
    left &= left - 1;
  }
  return std::countr_zero(left);
}

Pct::Pct(int threads, unsigned depth, std::uint64_t seed)
    : RandomStrategy(seed), threads_(threads), change_points_(depth - 1) {}

void Pct::begin_execution() {
  RandomStrategy::begin_execution();
  step_ = 0;
  // Above the priorities that change points give: 0 to depth - 2.
  const auto changes = static_cast<unsigned>(change_points_.size());
  std::iota(priority_.begin(), priority_.begin() + threads_, changes);
  for (int i = threads_ - 1; i > 0; --i) {
    std::swap(priority_[static_cast<std::size_t>(i)], priority_[below(static_cast<std::size_t>(i) + 1)]);
  }
  for (unsigned& point : change_points_) point = longest_ == 0 ? 0 : 1 + below(longest_);
}

ThreadId Pct::pick(const Situation& situation) {
  ++step_;
  for (std::size_t i = 0; i < change_points_.size(); ++i) {
    if (change_points_[i] != step_) continue;
    priority_[static_cast<std::size_t>(highest(situation.enabled))] = static_cast<unsigned>(i);
  }
  return highest(situation.enabled);
}

ThreadId Pct::highest(unsigned enabled) const {
  ThreadId best = std::countr_zero(enabled);
  for (ThreadId thread = best + 1; thread < threads_; ++thread) {
    if ((enabled >> thread & 1U) == 0) continue;
    if (priority_[static_cast<std::size_t>(thread)] > priority_[static_cast<std::size_t>(best)]) best = thread;
  }
  return best;
}

bool Pct::end_execution(Ending ending) {
  longest_ = std::max(longest_, step_);
  return RandomStrategy::end_execution(ending);
}

}  // namespace wakeproof::models
