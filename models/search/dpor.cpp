#include "dpor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace wakeproof::models {

namespace {

constexpr unsigned bit(int thread) {
  return 1U << thread;
}

}  // namespace

void Dpor::begin_execution() {
  depth_ = 0;
  replayed_ = std::max(0, count_ - 1);
  pruned_ = false;
  while (!races_.empty() && races_.back().later >= replayed_) races_.pop_back();
  answers_.clear();
  for (StepClock& clock : clock_of_thread_) clock.fill(0);
  steps_of_thread_.fill(0);
  last_on_object_.fill(-1);
  newest_store_.fill(kInitialStore);
  barrier_ = 0;
  sections_.begin_execution();
}

// --- choosing ------------------------------------------------------------------------------------

ThreadId Dpor::choose_thread(const Situation& situation) {
  if (restarting_ || in_doubt()) return kNobody;
  if (pruned_) return nobody_new(situation);
  if (depth_ == count_) {
    Node& node = push_node(situation);
    ThreadId thread = kNobody;
    if (depth_ < frozen_) {
      thread = static_cast<ThreadId>(unit_.prefix[answers_.size()]);
    } else if (node.branches == WakeupTree::kNone) {
      thread = free_choice(node, situation.running);
      if (thread == kNobody || (split_depth_ > 0 && depth_ == split_depth_)) {
        --count_;
        if (thread == kNobody) return nobody_new(situation);
        units_.push_back({depth_, answers_, node.asleep, symmetry_.threads()});
        return kNobody;
      }
    } else if (!begin_branch(node)) {
      // What led here goes to sleep with everything below it, more than the sequence that is covered.
      thread = free_choice(node, situation.running);
      if (thread == kNobody) {
        --count_;
        return nobody_new(situation);
      }
    }
    if (thread != kNobody) {
      node.event = {};
      node.event.thread = static_cast<std::uint8_t>(thread);
      node.any_value = true;
    }
    if (reduction_ == Reduction::none || (depth_ >= frozen_ && depth_ < full_depth_)) expand_fully(node);
  }
  Node& node = node_at(depth_);
  if (!repeats(node, situation)) return kNobody;
  ++depth_;
  has_values_ = false;
  answers_.push_back(node.event.thread);
  if (by_data_) sections_.begin_step(node.event.thread, node.pending[node.event.thread]);
  return node.event.thread;
}

// [blocked] Whoever could go on sleeps, so the rest was seen before; not so what those could do who wait.
ThreadId Dpor::nobody_new(const Situation& situation) {
  look_at_blocked(situation);
  return kNobody;
}

Dpor::Node& Dpor::push_node(const Situation& situation) {
  if (count_ == static_cast<int>(nodes_.size())) nodes_.emplace_back();
  Node& node = node_at(count_++);
  node.enabled = static_cast<ThreadSet>(enabled_in(situation));
  std::copy_n(situation.pending, threads_, node.pending.begin());
  node.asleep.clear();
  if (reduction_ != Reduction::none && depth_ > barrier_) inherit_sleep(node, node_at(depth_ - 1));
  node.branches = in_section() ? WakeupTree::kNone : std::exchange(guide_, WakeupTree::kNone);
  node.answers = answers_.size();
  if (depth_ == frozen_) begin_unit(node);
  return node;
}

void Dpor::begin_unit(Node& node) {
  node.asleep = unit_.asleep;
  for (const Tried& value : unit_.values) {
    sequence_.assign(1, {event_of(node, value), 0, {}});
    tree_.append(node.branches, sequence_);
  }
}

// [section]
bool Dpor::in_section() const {
  if (!by_data_ || reduction_ != Reduction::optimal || depth_ == 0) return false;
  const Event& last = node_at(depth_ - 1).event;
  return last.section.simple && last.op.kind == OpKind::lock;
}

unsigned Dpor::enabled_in(const Situation& situation) const {
  if (in_section()) return bit(node_at(depth_ - 1).event.thread);
  return situation.enabled & ~symmetry_.held_back(situation.pending, steps_of_thread_);
}

// An action stays asleep until an event that it is ordered with has come.
void Dpor::inherit_sleep(Node& node, const Node& parent) const {
  for (const Tried& tried : parent.asleep) {
    if (tried.thread == parent.event.thread) continue;
    if (flaw_ == Flaw::sleeper_not_woken || !ordered(event_of(parent, tried), parent.event, flaw_)) {
      node.asleep.push_back(tried);
    }
  }
}

Event Dpor::event_of(const Node& node, const Tried& tried) const {
  Event event;
  event.thread = tried.thread;
  event.failed = tried.failed;
  event.value = tried.value;
  event.section = tried.section;
  event.op = node.pending[tried.thread];
  return event;
}

// Turns to the next branch. False when there is none but such as begin with an action that sleeps: a
// sequence is offered before all results are known, and may turn out to be covered after all.
bool Dpor::begin_branch(Node& node) {
  while (node.branches != WakeupTree::kNone) {
    const WakeupTree::Position branch = tree_.pop(node.branches);
    node.event = tree_.event(branch);
    node.any_value = node.event.value == kAnyValue;
    guide_ = tree_.children(branch);
    tree_.release(branch);
    if (node.any_value || reduction_ == Reduction::none || !value_sleeps(node, node.event.thread, node.event.value)) {
      return true;
    }
    tree_.release_all(std::exchange(guide_, WakeupTree::kNone));
  }
  return false;
}

// Nothing of a thread's next step is new. A load that slept has something new to read once there is
// a store that it was not tried with; of several results of another step the plain one is tried first
// and wakes last.
bool Dpor::sleeps(const Node& node, ThreadId thread, StoreId newest) const {
  const Operation& op = node.pending[static_cast<std::size_t>(thread)];
  if (op.kind == OpKind::tick && only_time_helps(node)) return false;  // [clock]
  for (const Tried& tried : node.asleep) {
    if (tried.thread != thread) continue;
    if (tried.value == (reads_a_store(op.kind) ? newest : 0)) return true;
  }
  return false;
}

// The clock alone could go on, and somebody waits for a deadline.
bool Dpor::only_time_helps(const Node& node) const {
  if (std::popcount(node.enabled) != 1) return false;
  return std::any_of(node.pending.begin(), node.pending.begin() + threads_,
                     [](const Operation& op) { return op.kind != OpKind::none && op.timed; });
}

bool Dpor::value_sleeps(const Node& node, ThreadId thread, std::uint16_t value) const {
  return std::any_of(node.asleep.begin(), node.asleep.end(),
                     [&](const Tried& tried) { return tried.thread == thread && tried.value == value; });
}

// Staying on the running thread gives executions with few preemptions first; time that passes late, short ones.
ThreadId Dpor::free_choice(const Node& node, ThreadId running) const {
  ThreadId first = kNobody;
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    if ((node.enabled & bit(thread)) == 0) continue;
    const ObjectId object = node.pending[static_cast<std::size_t>(thread)].conflict_class;
    if (sleeps(node, thread, object == kNoObject ? kInitialStore : newest_store_[object])) continue;
    const bool ticks = node.pending[static_cast<std::size_t>(thread)].kind == OpKind::tick;
    if (thread == running && !ticks) return thread;
    if (first == kNobody) first = thread;
  }
  return first;
}

bool Dpor::repeats(const Node& node, const Situation& situation) {
  const ThreadId thread = node.event.thread;
  if (node.enabled == enabled_in(situation) && (node.enabled & bit(thread)) != 0 &&
      node.pending[static_cast<std::size_t>(thread)] == situation.pending[thread]) {
    return true;
  }
  nondeterminism_ = "the script does not repeat itself: at step " + std::to_string(depth_ + 1) +
                    " it differs from an earlier run of the same schedule";
  return false;
}

StoreId Dpor::store_of(int step) const {
  return step < 0 ? kInitialStore : node_at(step).event.store;
}

unsigned Dpor::choose_value(unsigned count) {
  Node& node = node_at(depth_ - 1);
  restarting_ |= reduction_ == Reduction::optimal && count > 1;
  has_values_ = true;
  if (depth_ <= frozen_ && node.any_value) {
    node.event.value = static_cast<std::uint16_t>(unit_.prefix[answers_.size()]);
    node.any_value = false;
  } else if (node.any_value) {
    node.event.value = 0;
    while (node.event.value + 1U < count && value_sleeps(node, node.event.thread, node.event.value)) ++node.event.value;
    node.any_value = false;
  }
  if (node.event.value >= count) {
    nondeterminism_ = "the script does not repeat itself: step " + std::to_string(depth_) +
                      " has other results than in an earlier run of the same schedule";
    node.event.value = 0;
  }
  for (unsigned value = 0; value < count; ++value) {
    if (value != node.event.value) offer_value(static_cast<std::uint16_t>(value));
  }
  answers_.push_back(node.event.value);
  return node.event.value;
}

bool Dpor::read_older(int candidate, int older) {
  Node& node = node_at(depth_ - 1);
  const StoreId here = store_of(candidate);
  if (depth_ <= frozen_ && node.any_value) {
    const unsigned answer = unit_.prefix[answers_.size()];
    answers_.push_back(answer);
    return answer == 1;
  }
  const bool pass = node.any_value ? reduction_ != Reduction::none && value_sleeps(node, node.event.thread, here)
                                   : here != node.event.value;
  if (pass) {
    if (!node.any_value) offer_value(here);
  } else {
    offer_value(store_of(older));
  }
  answers_.push_back(pass ? 1 : 0);
  return pass;
}

// --- what is to be tried -------------------------------------------------------------------------

// Adds a sequence to what is to be tried at the node, unless it is covered: by a branch, or by an
// action that sleeps and could come first. Gives the step that this action is, or what
// WakeupTree::insert() gives; kNever for an action that does not occur in the sequence.
int Dpor::offer(Node& node, std::vector<WakeupTree::Item>& sequence) {
  const WakeupTree::Rules rules{reduction_ == Reduction::optimal, flaw_};
  for (const Tried& tried : node.asleep) {
    std::size_t where = 0;
    const Event event = event_of(node, tried);
    if (!WakeupTree::may_begin(event, sequence, where, rules)) continue;
    if (where == WakeupTree::kInFront) return WakeupTree::kNever;
    // A load whose value is open is covered when everything there is to read was tried.
    const bool open = reads_a_store(event.op.kind) && sequence[where].event.value == kAnyValue;
    if (!open || tried.value == newest_store_before(node, event.op.conflict_class)) return sequence[where].step;
  }
  return tree_.insert(node.branches, sequence, rules);
}

StoreId Dpor::newest_store_before(const Node& node, ObjectId conflict_class) const {
  for (auto at = &node - nodes_.data(); at-- > 0;) {
    const Event& event = node_at(static_cast<int>(at)).event;
    if (event.store != kInitialStore && event.op.conflict_class == conflict_class) return event.store;
  }
  return kInitialStore;
}

// [values]
void Dpor::offer_value(std::uint16_t value) {
  if (depth_ <= std::max(replayed_, frozen_)) return;  // was offered when this step was first taken
  Node& node = node_at(depth_ - 1);
  if (value_sleeps(node, node.event.thread, value)) return;
  Event event = node.event;
  event.value = value;
  event.op = node.pending[node.event.thread];
  tree_.bring_to_front(node.branches, event);
}

// --- backtracking ----------------------------------------------------------------------------------

bool Dpor::end_execution(Ending ending) {
  if (restarts_after(ending)) return restart();
  reverse_races();
  offer_silences(ending);
  if (ending == Ending::cut) {
    for (int at = frozen_; at < depth_; ++at) expand_fully(node_at(at));
  }
  tree_.release_all(std::exchange(guide_, WakeupTree::kNone));
  return backtrack();
}

// [restart]
bool Dpor::restart() {
  if (!in_doubt()) reduction_ = Reduction::read_from;
  by_data_ = false;
  restarting_ = false;
  count_ = 0;
  units_.clear();
  tree_ = {};
  guide_ = WakeupTree::kNone;
  return true;
}

// Adds every thread that does not sleep, is not under way and not to be tried already.
void Dpor::expand_fully(Node& node) {
  unsigned missing = node.enabled & ~bit(node.event.thread);
  for (auto at = node.branches; at != WakeupTree::kNone; at = tree_.next(at)) missing &= ~bit(tree_.event(at).thread);
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    if ((missing & bit(thread)) == 0) continue;
    Event event;
    event.thread = static_cast<std::uint8_t>(thread);
    event.value = kAnyValue;
    event.op = node.pending[static_cast<std::size_t>(thread)];
    if (sleeps(node, thread, newest_store_before(node, event.op.conflict_class))) continue;
    sequence_.assign(1, {event, 0, {}});
    tree_.append(node.branches, sequence_);
  }
}

std::vector<WorkUnit> Dpor::frontier() const {
  std::vector<WorkUnit> open;
  for (int at = frozen_; at < std::min(count_, depth_); ++at) {
    const Node& node = node_at(at);
    WorkUnit unit{at,
                  {answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(node.answers)},
                  node.asleep,
                  symmetry_.threads(),
                  true};
    unit.asleep.push_back({node.event.thread, node.event.failed, node.event.value});
    for (auto branch = node.branches; branch != WakeupTree::kNone; branch = tree_.next(branch)) {
      const Event& event = tree_.event(branch);
      if (event.thread == node.event.thread && event.value != kAnyValue) {
        unit.values.push_back({event.thread, false, event.value});
      }
    }
    open.push_back(std::move(unit));
  }
  return open;
}

bool Dpor::backtrack() {
  for (count_ = std::min(count_, depth_); count_ > frozen_; --count_) {
    Node& node = node_at(count_ - 1);
    node.asleep.push_back({node.event.thread, node.event.failed, node.event.value, node.event.section});
    if (begin_branch(node)) return true;
  }
  return false;
}

}  // namespace wakeproof::models
