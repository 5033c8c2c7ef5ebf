#include "spin_watch.hpp"

#include <algorithm>

namespace wakeproof::models {

namespace {

bool read_only(const TakenStep& step) {
  return only_reads(step.op.kind) || (step.op.kind == OpKind::compare_exchange && step.failed);
}

bool both_seq_cst(const TakenStep& a, const TakenStep& b) {
  return a.op.order == std::memory_order_seq_cst && b.op.order == std::memory_order_seq_cst;
}

bool share_an_object(const TakenStep& a, const TakenStep& b) {
  return touches(a.op, b.op.conflict_class) || touches(a.op, b.op.second_class);
}

}  // namespace

// Whether the graph says that step `a`, which was taken before `b`, comes before it. As ordered() in
// search/event.hpp.
bool SpinWatch::comes_before(std::size_t a, std::size_t b) const {
  const TakenStep& first = steps_[a];
  const TakenStep& second = steps_[b];
  if (first.thread == second.thread) return true;
  if (std::any_of(time_passed_at_.begin(), time_passed_at_.end(), [&](std::size_t at) { return a < at && at <= b; })) {
    return true;
  }
  if (!dependent(first.op, second.op) || (read_only(first) && read_only(second))) return false;
  if (both_seq_cst(first, second)) return true;
  if (first.op.kind == OpKind::load) return false;
  return second.op.kind != OpKind::load || second.read_from == static_cast<int>(a);
}

bool SpinWatch::disturbed(std::size_t first, const TakenStep& second) {
  steps_.push_back(second);
  const std::size_t last = steps_.size() - 1;
  std::vector<bool> after(steps_.size(), false);
  std::vector<bool> before(steps_.size(), false);
  after[first] = true;
  before[last] = true;
  for (std::size_t i = first + 1; i <= last; ++i) {
    for (std::size_t j = first; j < i && !after[i]; ++j) after[i] = after[j] && comes_before(j, i);
  }
  for (std::size_t i = last; i-- > first;) {
    for (std::size_t j = last; j > i && !before[i]; --j) before[i] = before[j] && comes_before(i, j);
  }
  const auto own = [&](std::size_t i) { return i > first && steps_[i].thread == second.thread; };
  bool found = false;
  for (std::size_t i = first + 1; i < last && !found; ++i) {
    if (!after[i] || !before[i] || own(i)) continue;
    for (std::size_t j = first + 1; j <= last && !found; ++j) found = own(j) && share_an_object(steps_[i], steps_[j]);
  }
  steps_.pop_back();
  return found;
}

}  // namespace wakeproof::models
