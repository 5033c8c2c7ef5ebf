// Dpor: the order of the execution graph, and the races in it.
#include <algorithm>
#include <numeric>

#include "dpor.hpp"

namespace wakeproof::models {

namespace {

constexpr unsigned bit(int thread) {
  return 1U << thread;
}

template <class Clock>
void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

template <class Names>
StoreId renamed(StoreId store, const Names& names) {
  if (store == kInitialStore) return store;
  return store_id(names[static_cast<std::size_t>(thread_of(store))], store & kMostStepsOfAThread);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL ^ hash >> 29;
}

// [section]
bool ends_section(const Event& event) {
  return event.section.simple && event.op.kind == OpKind::unlock;
}

// [clock] The second result of a tick.
constexpr std::uint16_t kSilence = 1;

bool is_silence(const Event& event) {
  return event.op.kind == OpKind::tick && event.failed;
}

bool writes_atomic(const TakenStep& taken) {
  return stores(taken.op.kind) && !(taken.op.kind == OpKind::compare_exchange && taken.failed);
}

}  // namespace

void Dpor::taken(const TakenStep& taken) {
  const int position = depth_ - 1;
  Node& node = node_at(position);
  const std::size_t thread = node.event.thread;
  const Section section = by_data_ ? sections_.end_step(taken) : Section{};
  if (position >= replayed_) {
    Event& event = node.event;
    const std::uint16_t wanted = event.value;
    const bool prescribed = !node.any_value && wanted != kAnyValue;
    event.op = taken.op;
    event.failed = taken.failed;
    event.section = section;
    event.store = writes_atomic(taken) ? store_id(taken.thread, steps_of_thread_[thread]) : kInitialStore;
    restarting_ |= reduction_ == Reduction::optimal && result_tells_order(taken.op.kind);
    if (reads_a_store(taken.op.kind)) {
      event.value = store_of(taken.read_from);
      if (prescribed && wanted != event.value) nondeterminism_ = "internal: a load cannot read what it was to read";
      pruned_ = !prescribed && depth_ > frozen_ && reduction_ != Reduction::none &&
                value_sleeps(node, taken.thread, event.value);
    } else if (!has_values_) {
      event.value = 0;  // also where another result was to be tried, which the step does not have here
      pruned_ = reduction_ != Reduction::none && depth_ > frozen_ && value_sleeps(node, taken.thread, 0);
    }
    node.any_value = false;
    node.ready_before = taken.ready_before;
    node.previous_on_object = last_on_object_[taken.op.conflict_class];
    if (taken.op.second_class != kNoObject) node.previous_on_second = last_on_object_[taken.op.second_class];
    StepClock& clock = clock_of_thread_[thread];
    node.ready = {(taken.ready_before >> taken.thread & 1) != 0, taken.overdue, taken.due_since};
    node.barrier = barrier_;
    if (is_silence(event)) {
      clock = everything();
    } else if (reduction_ != Reduction::none && !ends_section(event)) {
      const std::size_t known = races_.size();
      clock = find_races(event, node.ready);
      for (std::size_t i = known; i < races_.size(); ++i) races_[i].later = position;
    }
    clock[thread] = static_cast<std::uint16_t>(position + 1);
    node.clock = clock;
  } else {
    clock_of_thread_[thread] = node.clock;
  }
  const ThreadId follower = symmetry_.follower(taken.thread, node.pending.data(), steps_of_thread_);
  if (follower != kNobody) join(clock_of_thread_[static_cast<std::size_t>(follower)], node.clock);
  ++steps_of_thread_[thread];
  if (node.event.store != kInitialStore) newest_store_[taken.op.conflict_class] = node.event.store;
  last_on_object_[taken.op.conflict_class] = position;
  if (taken.op.second_class != kNoObject) last_on_object_[taken.op.second_class] = position;
}

// Newest first, each once. An object is done with at the first step that every earlier one on it
// comes before.
class Dpor::StepsBefore {
 public:
  StepsBefore(const Dpor& dpor, const Operation& operation)
      : dpor_(dpor), classes_{operation.conflict_class, operation.second_class} {
    for (std::size_t i = 0; i < 2; ++i) {
      if (classes_[i] != kNoObject) next_[i] = dpor.last_on_object_[classes_[i]];
    }
  }

  // The position of the next step; -1: there is none since time last passed.
  int next() {
    at_ = std::max(next_[0], next_[1]);
    if (at_ < dpor_.barrier_) return -1;
    for (std::size_t i = 0; i < 2; ++i) {
      here_[i] = next_[i] == at_;
      if (here_[i]) next_[i] = dpor_.node_at(at_).previous_on(classes_[i]);
    }
    return at_;
  }

  // All earlier steps on the objects that the last step shares with the operation, and may have changed, come
  // before it.
  void done_with_its_objects() {
    for (std::size_t i = 0; i < 2; ++i) {
      if (here_[i] && may_change(dpor_.node_at(at_).event.op, classes_[i])) next_[i] = -1;
    }
  }

 private:
  const Dpor& dpor_;
  ObjectId classes_[2];
  int next_[2] = {-1, -1};
  bool here_[2] = {false, false};
  int at_ = -1;
};

// [clock] Whether the wait's deadline would have passed without this earlier step and all that come after it.
bool Dpor::overdue_without(int earlier, const Ready& ready) const {
  if (!ready.overdue) return false;
  return ready.due_since < earlier || node_at(ready.due_since).clock[node_at(earlier).event.thread] <= earlier;
}

// [clock] Whether what `later` waits for would let it go on without this tick. The steps on it that come
// after the tick are the last ones, so it would be as it was before the first of them.
bool Dpor::ready_without_tick(int tick, const Event& later, bool ready, int last_on_object) const {
  const std::size_t clock = node_at(tick).event.thread;
  for (int at = last_on_object; at > tick && node_at(at).clock[clock] > tick;) {
    ready = (node_at(at).ready_before >> later.thread & 1) != 0;
    at = node_at(at).previous_on(later.op.conflict_class);
  }
  return ready;
}

// [clock] Whether the thread of `later`, which came after this tick, would have waited instead.
bool Dpor::rests_without_tick(int tick, const Node& later) const {
  const Event& event = later.event;
  if (!may_block(event.op.kind) || overdue_without(tick, later.ready)) return false;
  return !ready_without_tick(tick, event, later.ready.now, later.previous_on(event.op.conflict_class));
}

// [blocked]
bool Dpor::reversible(int earlier, const Event& later, const Ready& ready) const {
  if (!may_block(later.op.kind) || overdue_without(earlier, ready)) return true;
  const Node& node = node_at(earlier);
  if (node.event.op.kind == OpKind::tick) {
    return ready_without_tick(earlier, later, ready.now, last_on_object_[later.op.conflict_class]);
  }
  if (later.op.conflict_class == node.event.op.second_class) return false;
  return (node.ready_before >> later.thread & 1) != 0;
}

// Walks back over the steps on the object of `later`. Gives what comes before it: its thread's steps
// and those it is ordered after. A step that is not yet known to come before, by way of one that
// `later` could have been exchanged with, is in a race with it.
Dpor::StepClock Dpor::find_races(const Event& later, const Ready& ready) {
  StepClock known = clock_of_thread_[later.thread];
  StepClock all = known;
  const std::size_t first = races_.size();
  const bool seq_cst = later.op.order == std::memory_order_seq_cst;
  bool behind_write = false;  // what is further back comes before a write that `later` is ordered after
  StepsBefore steps(*this, later.op);
  for (int at = steps.next(); at >= 0; at = steps.next()) {
    const Node& node = node_at(at);
    const Event& earlier = node.event;
    if (earlier.thread != later.thread) {
      if (may_miss(earlier, later, flaw_)) {
        if (!behind_write) races_.push_back({at, kBlocked, true});
        continue;
      }
      if (!ordered(earlier, later, flaw_)) continue;
      const bool reads_from = may_miss(later, earlier, flaw_);
      const bool can_reverse = reversible(at, later, ready);
      if (!reads_from && can_reverse && at >= known[earlier.thread]) races_.push_back({at, kBlocked, false});
      join(all, node.clock);
      if (can_reverse) join(known, node.clock);
      if (reads_from && !seq_cst) steps.done_with_its_objects();
      if (reads_from || !can_reverse) continue;
    }
    if (reads_only(earlier, flaw_) || earlier.section.simple) continue;
    // Only a seq_cst load can come before a seq_cst write without coming before a weaker one in between.
    const bool atomic = stores(later.op.kind) || reads_a_store(later.op.kind);
    if (!atomic || !seq_cst || earlier.op.order == std::memory_order_seq_cst) steps.done_with_its_objects();
    behind_write = true;
  }
  // [newer] A store that comes after the load anyhow cannot be read by it.
  const auto after_load = [&](const Race& race) {
    return race.newer && race.earlier < all[node_at(race.earlier).event.thread];
  };
  races_.erase(std::remove_if(races_.begin() + static_cast<std::ptrdiff_t>(first), races_.end(), after_load),
               races_.end());
  return all;
}

// Sees to it that `later` is tried before the step `earlier`: after everything that was seen since and
// does not come after `earlier`. [newer] That the load `earlier` is tried again, reading `later`.
// [again] Gives whether that is covered however an execution goes on after `later`.
bool Dpor::reverse(const Race& race, const Event& later, const StepClock& clock_of_later) {
  Node& node = node_at(race.earlier);
  const std::size_t racer = node.event.thread;
  sequence_.clear();
  for (int at = race.earlier + 1; at < depth_; ++at) {
    const Node& other = node_at(at);
    if ((at == race.later && !race.newer) || ends_section(other.event)) continue;
    if (race.earlier >= other.clock[racer]) sequence_.push_back({other.event, at, other.clock});
  }
  WakeupTree::Item last{race.newer ? node.event : later, race.later, clock_of_later};
  if (race.newer) {
    last.event.value = later.store;
  } else {
    if (reads_a_store(later.op.kind)) last.event.value = kAnyValue;  // it cannot read what it read here
    last.event.failed = false;                                       // nor need it fail again
    if (later.section.simple) {
      last.event.section = {};
      last.step = depth_;  // what comes before it is not known with `later`
      for (const WakeupTree::Item& other : sequence_) {
        if (!dependent(other.event.op, later.op)) continue;
        std::uint16_t& seen = last.clock[other.event.thread];
        seen = std::max(seen, static_cast<std::uint16_t>(other.step + 1));
      }
    }
  }
  sequence_.push_back(last);
  return offer(node, sequence_) <= race.later;
}

void Dpor::reverse_races() {
  std::size_t left = 0;
  for (const Race& race : races_) {
    // Above, everything is tried anyhow, by this search or by the one that made the unit.
    if (race.earlier < full_depth_) continue;
    const Node& later = node_at(race.later);
    if (!reverse(race, later.event, later.clock) && flaw_ != Flaw::race_reversed_once) races_[left++] = race;
  }
  races_.resize(left);
}

// [clock] Offers what there would have been instead of the tick: everything that does not come after it, and
// then silence, if that is where all have come to rest and somebody waits for a deadline.
void Dpor::offer_silence(int tick, bool ended) {
  Node& node = node_at(tick);
  const std::uint8_t clock = node.event.thread;
  unsigned seen = bit(clock);
  sequence_.clear();
  int at = tick + 1;
  for (; at < depth_ && node_at(at).barrier == node.barrier; ++at) {
    const Node& other = node_at(at);
    if (tick >= other.clock[clock]) {
      sequence_.push_back({other.event, at, other.clock});
    } else if ((seen & bit(other.event.thread)) == 0) {
      if (!rests_without_tick(tick, other)) return;
      seen |= bit(other.event.thread);
    }
  }
  const bool passed = at < depth_;  // time; those without a step since were at rest, some with a deadline
  if (sequence_.empty() || (!passed && (!ended || seen == bit(clock)))) return;
  WakeupTree::Item silence{node.event, depth_, {}};
  silence.event.value = kSilence;
  silence.clock.fill(std::numeric_limits<std::uint16_t>::max());  // after all of them
  sequence_.push_back(silence);
  offer(node, sequence_);
}

void Dpor::offer_silences(Ending ending) {
  if (reduction_ == Reduction::none) return;
  const bool ended = ending == Ending::complete || ending == Ending::stuck;
  for (int at = full_depth_; at < depth_; ++at) {
    const Event& event = node_at(at).event;
    if (event.op.kind == OpKind::tick && !is_silence(event)) offer_silence(at, ended);
  }
}

void Dpor::look_at_blocked(const Situation& situation) {
  if (reduction_ == Reduction::none || depth_ < replayed_) return;
  const unsigned waiting =
      situation.unfinished & ~situation.enabled & ~symmetry_.held_back(situation.pending, steps_of_thread_);
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    if ((waiting & bit(thread)) == 0) continue;
    Event would_be;
    would_be.thread = static_cast<std::uint8_t>(thread);
    would_be.op = situation.pending[thread];
    const std::size_t first = races_.size();
    const StepClock clock = find_races(would_be, {});
    for (std::size_t i = first; i < races_.size(); ++i) {
      if (races_[i].earlier >= full_depth_) reverse(races_[i], would_be, clock);
    }
    races_.resize(first);
  }
}

void Dpor::time_passes(const Situation& situation) {
  look_at_blocked(situation);
  clock_of_thread_.fill(everything());
  barrier_ = depth_;
}

Dpor::StepClock Dpor::everything() const {
  StepClock all{};
  for (const StepClock& clock : clock_of_thread_) join(all, clock);
  return all;
}

void Dpor::stuck(const Situation& situation) {
  look_at_blocked(situation);
}

// Of each step, how many steps of each thread come before it: all that is in a graph without old values.
std::uint64_t Dpor::graph_by_data() const {
  std::array<std::uint64_t, kMaxThreads> of_thread{};
  std::array<std::uint16_t, kMaxThreads> steps{};
  std::array<StepClock, kMaxThreads> last{};
  std::vector<StepClock> clocks;
  for (int at = 0; at < depth_; ++at) {
    const Event& event = node_at(at).event;
    StepClock& clock = last[event.thread];
    for (int before = 0; before < at; ++before) {
      const Event& other = node_at(before).event;
      if (other.thread != event.thread && ordered(other, event, flaw_)) {
        join(clock, clocks[static_cast<std::size_t>(before)]);
      }
    }
    clock[event.thread] = ++steps[event.thread];
    clocks.push_back(clock);
    std::uint64_t& thread = of_thread[event.thread];
    thread = mix(thread, static_cast<std::uint64_t>(event.op.object) << 32 |
                             static_cast<std::uint64_t>(event.op.kind) << 24 | (event.failed ? 1U << 17 : 0U));
    for (const std::uint16_t count : clock) thread = mix(thread, count);
  }
  std::uint64_t hash = 0;
  for (const std::uint64_t part : of_thread) hash = mix(hash, part);
  return hash;
}

std::uint64_t Dpor::graph() const {
  if (by_data_ && reduction_ != Reduction::none) return graph_by_data();
  Names names;
  std::iota(names.begin(), names.end(), std::uint8_t{0});
  return graph_by(names);
}

std::uint64_t Dpor::graph_but_for_names_of(int threads) const {
  Names names;
  std::iota(names.begin(), names.end(), std::uint8_t{0});
  std::uint64_t least = graph_by(names);
  const auto end = names.begin() + threads;
  while (std::next_permutation(names.begin(), end)) least = std::min(least, graph_by(names));
  return least;
}

std::uint64_t Dpor::graph_by(const Names& names) const {
  std::array<std::uint64_t, kMaxThreads> of_thread{};
  std::array<std::uint64_t, kMaxObjects> of_object{};
  std::array<std::uint32_t, kMaxThreads> steps{};
  for (int at = 0; at < depth_; ++at) {
    const Event& event = node_at(at).event;
    const std::uint8_t name = names[event.thread];
    std::uint64_t& thread = of_thread[name];
    thread = mix(thread, static_cast<std::uint64_t>(event.op.object) << 32 |
                             static_cast<std::uint64_t>(event.op.kind) << 24 | (event.failed ? 1U << 17 : 0U));
    if (reads_a_store(event.op.kind)) thread = mix(thread, renamed(event.value, names));
    std::uint64_t& object = of_object[event.op.conflict_class];
    if (event.op.timed && event.op.second_class != kNoObject) {
      thread = mix(thread, of_object[event.op.second_class]);  // the clock: after all ticks so far
    } else if (event.op.second_class != kNoObject) {
      std::uint64_t& second = of_object[event.op.second_class];
      second = mix(second, store_id(name, static_cast<int>(steps[name])));
    }
    if (!reads_only(event)) {
      object = mix(object, store_id(name, static_cast<int>(steps[name])));
    } else if (!is_load(event)) {
      thread = mix(thread, object);  // read the newest value, or joined: after all writes so far
    }
    ++steps[name];
  }
  std::uint64_t hash = 0;
  for (const std::uint64_t part : of_thread) hash = mix(hash, part);
  for (const std::uint64_t part : of_object) hash = mix(hash, part);
  return hash;
}

}  // namespace wakeproof::models
