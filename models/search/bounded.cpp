#include "bounded.hpp"

#include <algorithm>

namespace wakeproof::models {

void Bounded::begin_execution() {
  next_ = 0;
  size_ = {};
  last_ = kNobody;
  stale_ = false;
}

void Bounded::taken(const TakenStep& step) {
  ++size_.steps;
  last_ = step.thread;
  stale_ = false;
}

ThreadId Bounded::choose_thread(const Situation& situation) {
  const auto enabled = [&](ThreadId thread) { return (situation.enabled >> thread & 1U) != 0; };
  if (size_.steps >= most_steps_) return kNobody;
  const bool goes_on = last_ != kNobody && enabled(last_);
  std::vector<unsigned> options;
  if (goes_on) options.push_back(static_cast<unsigned>(last_));
  const bool in_prefix = next_ < prefix_.size();
  if (!goes_on || in_prefix || size_.preemptions < most_preemptions_) {
    for (ThreadId thread = 0; thread < kMaxThreads; ++thread) {
      if (enabled(thread) && !(goes_on && thread == last_)) options.push_back(static_cast<unsigned>(thread));
    }
  }
  const unsigned chosen = next_choice(options);
  if (chosen >= kMaxThreads || !enabled(static_cast<ThreadId>(chosen))) {
    nondeterminism_ = "a choice does not fit: thread " + std::to_string(chosen) + " cannot take a step there";
    return kNobody;
  }
  const auto thread = static_cast<ThreadId>(chosen);
  if (goes_on && thread != last_) ++size_.preemptions;
  return thread;
}

unsigned Bounded::choose_value(unsigned count) {
  if (count == 1) return 0;
  std::vector<unsigned> options;
  for (unsigned value = 0; value < count; ++value) options.push_back(value);
  const unsigned value = next_choice(options);
  if (value > 0 && !stale_) {
    stale_ = true;
    ++size_.stale_reads;
  }
  return value < count ? value : 0;
}

unsigned Bounded::next_choice(const std::vector<unsigned>& options) {
  const std::size_t position = next_++;
  if (position < prefix_.size()) return prefix_[position];
  const std::size_t at = position - prefix_.size();
  if (at == choices_.size()) choices_.push_back({options, 0});
  return choices_[at].options[choices_[at].at];
}

bool Bounded::end_execution(Ending) {
  while (!choices_.empty() && choices_.back().at + 1 == choices_.back().options.size()) choices_.pop_back();
  exhausted_ = choices_.empty() || !nondeterminism_.empty();
  if (!exhausted_) ++choices_.back().at;
  return !exhausted_;
}

std::vector<unsigned> Bounded::choices() const {
  std::vector<unsigned> all(prefix_.begin(),
                            prefix_.begin() + static_cast<std::ptrdiff_t>(std::min(next_, prefix_.size())));
  for (std::size_t i = 0; i < choices_.size() && i + prefix_.size() < next_; ++i)
    all.push_back(choices_[i].options[choices_[i].at]);
  return all;
}

}  // namespace wakeproof::models
