#include "dpor.hpp"

#include <algorithm>
#include <bit>

namespace wakeproof::models {

namespace {

constexpr unsigned bit(ThreadId thread) {
  return 1U << thread;
}

// [blocked]
bool reversible(const TakenStep& earlier, const TakenStep& later) {
  if (!may_block(later.op.kind) || later.overdue) return true;
  if (later.op.conflict_class == earlier.op.second_class) return false;
  return (earlier.ready_before >> later.thread & 1) != 0;
}

}  // namespace

void Dpor::begin_execution() {
  depth_ = 0;
  steps_.clear();
  for (StepClock& clock : clock_of_thread_) clock.fill(0);
  last_on_object_.fill(-1);
  barrier_ = 0;
}

// --- choosing ------------------------------------------------------------------------------------

ThreadId Dpor::choose_thread(const Situation& situation) {
  if (depth_ == nodes_.size()) {
    Node node = make_thread_node(situation);
    const ThreadSet candidates = node.enabled & ~node.sleep;
    if (candidates == 0) return kNobody;
    node.thread = first_choice(situation, candidates);
    node.backtrack = reduction_ == Reduction::none ? node.enabled : static_cast<ThreadSet>(bit(node.thread));
    nodes_.push_back(node);
  } else if (!repeats(nodes_[depth_], situation)) {
    return kNobody;
  }
  Node& node = nodes_[depth_];
  node.position = static_cast<std::uint16_t>(steps_.size());
  steps_.push_back(static_cast<int>(depth_));
  ++depth_;
  return node.thread;
}

Dpor::Node Dpor::make_thread_node(const Situation& situation) {
  Node node{};
  node.chooses_thread = true;
  node.enabled = static_cast<ThreadSet>(situation.enabled);
  std::copy_n(situation.pending, threads_, node.pending.begin());
  const int steps = static_cast<int>(steps_.size());
  if (reduction_ != Reduction::none && steps > barrier_) node.sleep = inherited_sleep(step(steps - 1));
  return node;
}

// A thread stays asleep until a step that depends on its own next one has been taken.
Dpor::ThreadSet Dpor::inherited_sleep(const Node& parent) {
  ThreadSet asleep = (parent.sleep | parent.done) & ~bit(parent.thread);
  const Operation& taken = operation_at(parent);
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    if ((asleep & bit(thread)) != 0 && dependent(parent.pending[static_cast<std::size_t>(thread)], taken)) {
      asleep &= ~bit(thread);
    }
  }
  return asleep;
}

// Staying on the running thread gives executions with few preemptions first.
ThreadId Dpor::first_choice(const Situation& situation, ThreadSet candidates) const {
  if (situation.running != kNobody && (candidates & bit(situation.running)) != 0) return situation.running;
  return std::countr_zero(candidates);
}

bool Dpor::repeats(const Node& node, const Situation& situation) {
  if (node.chooses_thread && node.enabled == situation.enabled &&
      operation_at(node) == situation.pending[node.thread]) {
    return true;
  }
  nondeterminism_ = "the script does not repeat itself: at step " + std::to_string(steps_.size() + 1) +
                    " it differs from an earlier run of the same schedule";
  return false;
}

unsigned Dpor::choose_value(unsigned count) {
  if (count == 1) return 0;
  if (depth_ == nodes_.size()) {
    Node node{};
    node.chooses_thread = false;
    node.count = count;
    nodes_.push_back(node);
  }
  const Node& node = nodes_[depth_++];
  if (node.chooses_thread || node.count != count) {
    nondeterminism_ = "the script does not repeat itself: step " + std::to_string(steps_.size()) +
                      " has other results than in an earlier run of the same schedule";
    return 0;
  }
  return node.index;
}

// --- happens-before and races ----------------------------------------------------------------------

void Dpor::taken(const TakenStep& taken) {
  const int position = static_cast<int>(steps_.size()) - 1;
  Node& node = step(position);
  node.step = taken;
  node.previous_on_object = last_on_object_[taken.op.conflict_class];
  if (taken.op.second_class != kNoObject) node.previous_on_second = last_on_object_[taken.op.second_class];
  StepClock& mine = clock_of_thread_[static_cast<std::size_t>(taken.thread)];
  if (reduction_ != Reduction::none) find_races(node.step, mine, true);
  mine[static_cast<std::size_t>(taken.thread)] = static_cast<std::uint16_t>(position + 1);
  node.clock = mine;
  last_on_object_[taken.op.conflict_class] = position;
  if (taken.op.second_class != kNoObject) last_on_object_[taken.op.second_class] = position;
}

// Newest first, each once. An object is done with at the first step that every earlier one on it
// comes before.
class Dpor::StepsBefore {
 public:
  StepsBefore(Dpor& dpor, const Operation& operation)
      : dpor_(dpor), classes_{operation.conflict_class, operation.second_class} {
    for (std::size_t i = 0; i < 2; ++i) {
      if (classes_[i] != kNoObject) next_[i] = dpor.last_on_object_[classes_[i]];
    }
  }

  // The next step's index in steps_; -1: there is none since time last passed.
  int next() {
    at_ = std::max(next_[0], next_[1]);
    if (at_ < dpor_.barrier_) return -1;
    for (std::size_t i = 0; i < 2; ++i) {
      here_[i] = next_[i] == at_;
      if (here_[i]) next_[i] = dpor_.step(at_).previous_on(classes_[i]);
    }
    return at_;
  }

  // All earlier steps on the objects that the last step shares with the operation come before it.
  void done_with_its_objects() {
    for (std::size_t i = 0; i < 2; ++i) {
      if (here_[i]) next_[i] = -1;
    }
  }

 private:
  Dpor& dpor_;
  ObjectId classes_[2];
  int next_[2] = {-1, -1};
  bool here_[2] = {false, false};
  int at_ = -1;
};

// Walks back over the steps that `later` depends on. `clock` is what comes before `later`; it takes
// up those steps. A step that is not yet known to come before, by way of one that `later` could have
// been exchanged with, is in a race with it.
void Dpor::find_races(const TakenStep& later, StepClock& clock, bool order_them) {
  StepClock known = clock;
  StepClock all = clock;
  std::array<int, kMaxThreads> racing;
  int races = 0;
  StepsBefore steps(*this, later.op);
  for (int at = steps.next(); at >= 0; at = steps.next()) {
    const Node& earlier = step(at);
    if (earlier.step.thread == later.thread) {
      if (!only_reads(earlier.step.op.kind)) steps.done_with_its_objects();
      continue;
    }
    if (!dependent(earlier.step.op, later.op)) continue;
    const auto by = static_cast<std::size_t>(earlier.step.thread);
    const bool can_reverse = reversible(earlier.step, later);
    if (can_reverse && earlier.position >= known[by]) racing[static_cast<std::size_t>(races++)] = at;
    for (std::size_t i = 0; i < kMaxThreads; ++i) {
      all[i] = std::max(all[i], earlier.clock[i]);
      if (can_reverse) known[i] = std::max(known[i], earlier.clock[i]);
    }
    if (can_reverse && !only_reads(earlier.step.op.kind)) steps.done_with_its_objects();
  }
  for (int i = 0; i < races; ++i) reverse(racing[static_cast<std::size_t>(i)], later, all);
  if (order_them) clock = all;
}

// Sees to it that `later` is tried before `earlier`: by one of the threads that can begin the steps
// after `earlier` that do not come after it, `later` being the last of them.
void Dpor::reverse(int earlier, const TakenStep& later, const StepClock& clock_of_later) {
  Node& node = step(earlier);
  const auto racer = static_cast<std::size_t>(node.step.thread);
  const auto after_earlier = [&](const StepClock& clock) { return node.position < clock[racer]; };

  ThreadSet initials = 0;
  ThreadSet seen = 0;
  between_.clear();
  const auto comes_first = [&](const StepClock& clock) {
    return std::none_of(between_.begin(), between_.end(), [&](const Node* other) {
      return other->position < clock[static_cast<std::size_t>(other->step.thread)];
    });
  };
  for (int at = earlier + 1; at < static_cast<int>(steps_.size()); ++at) {
    const Node& other = step(at);
    if (&other.step == &later) break;
    if (after_earlier(other.clock)) continue;
    if ((seen & bit(other.step.thread)) == 0) {
      seen |= bit(other.step.thread);
      if (comes_first(other.clock)) initials |= bit(other.step.thread);
    }
    between_.push_back(&other);
  }
  if ((seen & bit(later.thread)) == 0 && comes_first(clock_of_later)) initials |= bit(later.thread);

  if ((initials & (node.backtrack | node.sleep)) != 0) return;
  const ThreadSet possible = initials & node.enabled;
  node.backtrack |= possible != 0 ? possible & -possible : node.enabled;
}

void Dpor::look_at_blocked(const Situation& situation) {
  if (reduction_ == Reduction::none) return;
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    if ((situation.unfinished & bit(thread)) == 0) continue;
    const TakenStep would_be{thread, situation.pending[thread]};
    find_races(would_be, clock_of_thread_[static_cast<std::size_t>(thread)], false);
  }
}

void Dpor::time_passes(const Situation& situation) {
  look_at_blocked(situation);
  StepClock everything{};
  for (const StepClock& clock : clock_of_thread_) {
    for (std::size_t i = 0; i < kMaxThreads; ++i) everything[i] = std::max(everything[i], clock[i]);
  }
  clock_of_thread_.fill(everything);
  barrier_ = static_cast<int>(steps_.size());
}

void Dpor::stuck(const Situation& situation) {
  look_at_blocked(situation);
}

// --- backtracking -----------------------------------------------------------------------------------

bool Dpor::end_execution(Ending ending) {
  if (ending == Ending::cut) {
    for (const int at : steps_)
      nodes_[static_cast<std::size_t>(at)].backtrack |= nodes_[static_cast<std::size_t>(at)].enabled;
  }
  return backtrack();
}

bool Dpor::backtrack() {
  for (; !nodes_.empty(); nodes_.pop_back()) {
    Node& node = nodes_.back();
    if (!node.chooses_thread) {
      if (++node.index < node.count) return true;
      continue;
    }
    node.done |= bit(node.thread);
    const ThreadSet left = node.backtrack & node.enabled & ~node.done & ~node.sleep;
    if (left != 0) {
      node.thread = std::countr_zero(left);
      return true;
    }
  }
  return false;
}

std::vector<unsigned> Dpor::choices() const {
  std::vector<unsigned> all;
  for (std::size_t i = 0; i < depth_; ++i) {
    all.push_back(nodes_[i].chooses_thread ? static_cast<unsigned>(nodes_[i].thread) : nodes_[i].index);
  }
  return all;
}

}  // namespace wakeproof::models
