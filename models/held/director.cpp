#include "director.hpp"

#include <algorithm>
#include <stdexcept>

namespace wakeproof::models {

namespace {

Director* the_current = nullptr;
thread_local ThreadId me = kNobody;

// Operations of destructors.
constexpr bool must_not_throw(OpKind kind) {
  return kind == OpKind::unlock || kind == OpKind::close || kind == OpKind::notify_one || kind == OpKind::notify_all ||
         kind == OpKind::release;
}

std::string in_words(OpKind kind, const std::string& object) {
  return std::string(name_of(kind)) + " " + object;
}

}  // namespace

Director::Director(Plan plan) : plan_(std::move(plan)) {
  if (the_current != nullptr) throw std::logic_error("one schedule is held at a time");
  the_current = this;
  threads_.resize(static_cast<std::size_t>(plan_.threads + plan_.spare_threads));
  create("fence");
  for (int i = 0; i < plan_.spare_threads; ++i) {
    create({"thread", plan_.threads + i});
    create({"thread", plan_.threads + i});
  }
}

Director::~Director() {
  the_current = nullptr;
}

Director& Director::current() {
  if (the_current == nullptr) throw std::logic_error("no schedule is held");
  return *the_current;
}

ObjectId Director::create(Label label) {
  const std::lock_guard lock(lock_);
  objects_.push_back(label.index < 0 ? label.name : std::string(label.name) + "[" + std::to_string(label.index) + "]");
  return static_cast<ObjectId>(objects_.size() - 1);
}

void Director::add_mutex(const char* name, HeldMutex* mutex) {
  const std::lock_guard lock(lock_);
  mutexes_.emplace_back(name, mutex);
}

void Director::remove_mutex(HeldMutex* mutex) {
  const std::lock_guard lock(lock_);
  std::erase_if(mutexes_, [&](const auto& one) { return one.second == mutex; });
}

HeldMutex* Director::mutex_named(const std::string& name) {
  const std::lock_guard lock(lock_);
  HeldMutex* found = nullptr;
  for (const auto& [other, mutex] : mutexes_) {
    if (other == name) found = mutex;
  }
  return found;
}

// --- turns -----------------------------------------------------------------------------------------------

const HeldStep* Director::take_turn(OpKind kind, ObjectId object) {
  if (me == kNobody) return nullptr;
  std::unique_lock lock(lock_);
  Thread& self = threads_[static_cast<std::size_t>(me)];
  if (broken_off_) return leave(kind);
  self = {State::arrived, kind, object};
  ++moves_;
  if (turn_of_ == me) turn_of_ = kNobody;
  go_on();
  changed_.notify_all();
  changed_.wait(lock, [&] { return broken_off_ || may_go(me); });
  if (broken_off_) return leave(kind);
  self.state = State::runs;
  ++moves_;
  if (free_) return nullptr;
  const HeldStep& step = plan_.steps[next_];
  const bool fits = (step.operation.empty() || step.operation == name_of(kind)) &&
                    (step.object < 0 || step.object == static_cast<int>(object));
  if (!fits) {
    differ("the schedule says '" + step.what + "', the thread does '" + in_words(kind, objects_[object]) + "'");
    return leave(kind);
  }
  ++next_;
  turn_of_ = me;
  if (step.time_passed && step.failed) note_overslept();
  lock.unlock();
  if (plan_.before_step) plan_.before_step(step.number);
  return &step;
}

bool Director::may_go(ThreadId thread) const {
  if (!open_ || account_wanted_) return false;
  if (free_) return !plan_.one_runs_on || plan_.steps.empty() || plan_.steps.back().thread == thread;
  return turn_of_ == kNobody && next_ < plan_.steps.size() && plan_.steps[next_].thread == thread;
}

// On the model nobody could go on but for the time: only the timeout ends this wait.
void Director::note_overslept() {
  const Account items = plan_.account();
  if (items.puts <= items.takes || seen_.overslept) return;
  const Thread& self = threads_[static_cast<std::size_t>(me)];
  seen_.overslept = Sleeper{me, self.kind, objects_[self.object]};
  seen_.at_overslept = items;
}

// The step under way is over: is there another one, and somebody to take it?
void Director::go_on() {
  if (!open_ || free_ || turn_of_ != kNobody) return;
  seen_.steps = static_cast<int>(next_);
  if (next_ == plan_.steps.size()) {
    free_ = account_wanted_ = true;
    return;
  }
  const HeldStep& step = plan_.steps[next_];
  const auto thread = static_cast<std::size_t>(step.thread);
  if (thread >= threads_.size() || threads_[thread].state == State::ended)
    differ("the schedule says '" + step.what + "', and that thread has ended");
}

void Director::differ(const std::string& what) {
  if (seen_.differs.empty()) {
    seen_.differs = what;
    seen_.differs_at = next_ < plan_.steps.size() ? plan_.steps[next_].number : static_cast<int>(next_);
  }
  broken_off_ = true;
  changed_.notify_all();
}

const HeldStep* Director::leave(OpKind kind) {
  if (!must_not_throw(kind)) throw Ended{};
  return nullptr;
}

void Director::cannot(const char* what) {
  const std::lock_guard lock(lock_);
  differ(what);
  throw Ended{};
}

void Director::passed_wait() {
  if (me == kNobody) return;
  const std::lock_guard lock(lock_);
  if (free_) ++seen_.waits_passed;
}

void Director::set_state(State state) {
  if (me == kNobody) return;
  const std::lock_guard lock(lock_);
  threads_[static_cast<std::size_t>(me)].state = state;
  ++moves_;
  changed_.notify_all();
}

// --- threads ---------------------------------------------------------------------------------------------

ThreadId Director::spare_thread() {
  const std::lock_guard lock(lock_);
  if (spare_threads_ == plan_.spare_threads) {
    differ("the script starts more threads than its scenario says");
    throw Ended{};
  }
  return plan_.threads + spare_threads_++;
}

void Director::begin(ThreadId thread) {
  me = thread;
  set_state(State::runs);
}

void Director::note_exception(const char* what) {
  const std::lock_guard lock(lock_);
  differ(std::string("a thread ends with an exception: ") + what);
}

void Director::end() {
  const std::lock_guard lock(lock_);
  threads_[static_cast<std::size_t>(me)] = {State::ended, OpKind::none, kNoObject};
  ++moves_;
  if (turn_of_ == me) turn_of_ = kNobody;
  go_on();
  me = kNobody;
  changed_.notify_all();
}

// --- the harness -----------------------------------------------------------------------------------------

void Director::await_arrival(ThreadId thread) {
  std::unique_lock lock(lock_);
  const Thread& one = threads_[static_cast<std::size_t>(thread)];
  changed_.wait(lock, [&] { return one.state == State::arrived || one.state == State::ended; });
}

void Director::open() {
  const std::lock_guard lock(lock_);
  open_ = true;
  go_on();
  changed_.notify_all();
}

bool Director::all_ended() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& one) { return one.state == State::ended || one.state == State::absent; });
}

// Whoever has not ended stands at a wait without an end, or for a turn that does not come.
bool Director::nothing_moves() const {
  return std::none_of(threads_.begin(), threads_.end(), [&](const Thread& one) {
    const auto thread = static_cast<ThreadId>(&one - threads_.data());
    return one.state == State::runs || one.state == State::blocked_for_a_time ||
           (one.state == State::arrived && may_go(thread));
  });
}

// Not by the clock alone: under a debugger, or on a machine that is busy, time passes and nobody gets
// to run. So nothing must have moved each time that one looks.
void Director::watch(std::chrono::nanoseconds timeout) {
  constexpr int kLooks = 20;
  constexpr int kFreeAtMost = 10 * kLooks;
  constexpr std::chrono::seconds kRunsOn{10};
  int still = 0;
  int free = 0;
  std::uint64_t moves = 0;
  std::unique_lock lock(lock_);
  const auto begin = Clock::now();
  for (;;) {
    const bool over =
        changed_.wait_for(lock, timeout / kLooks, [&] { return all_ended() || broken_off_ || account_wanted_; });
    if (std::exchange(account_wanted_, false)) {
      seen_.at_free = plan_.account();
      changed_.notify_all();
      continue;
    }
    if (over) break;
    still = nothing_moves() && moves == moves_ ? still + 1 : 0;
    moves = moves_;
    if (free_) ++free;
    const auto since = Clock::now() - begin;
    if ((still >= kLooks || (free >= kLooks && plan_.one_runs_on)) && since >= timeout) break;
    if (free >= kFreeAtMost && since >= kRunsOn) break;
  }
  note_end(still >= kLooks);
}

// `still`: nothing has moved for long. A thread that is at a wait just now may be anywhere.
void Director::note_end(bool still) {
  seen_.all_ended = all_ended() && !broken_off_;
  if (seen_.all_ended || broken_off_) return;
  if (!free_) return differ("'" + plan_.steps[next_ > 0 ? next_ - 1 : 0].what + "' does not come to its end");
  if (!still) return;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& one = threads_[i];
    if (one.state == State::blocked)
      seen_.sleepers.push_back({static_cast<ThreadId>(i), one.kind, objects_[one.object]});
  }
  seen_.at_end = plan_.account();
}

void Director::break_off() {
  const std::lock_guard lock(lock_);
  broken_off_ = true;
  changed_.notify_all();
}

}  // namespace wakeproof::models
