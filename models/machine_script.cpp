// Machine: the life of an execution, from the script's construction to the judge, and what the
// model platform needs of the running thread beside operations.
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>

#include "machine.hpp"
#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

void Machine::begin_run(const Run& run) {
  run_ = run;
  mutation_used_.assign(run.program->mutations.size(), false);
  parked_ = false;
  threads_total_ = run.program->all_threads();
}

void Machine::end_run() {
  script_.reset();
  run_ = {};
}

std::vector<std::string> Machine::unused_mutations() const {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < mutation_used_.size(); ++i) {
    if (!mutation_used_[i]) unused.push_back(describe(run_.program->mutations[i]));
  }
  return unused;
}

ThreadId Machine::begin_execution() {
  if (run_.strategy != nullptr) run_.strategy->begin_execution();
  outcome_ = {};
  abandoned_ = false;
  step_open_ = false;
  steps_ = 0;
  spin_watch_.begin_execution();
  now_ = VirtualTime{0};
  clock_ = kNoObject;
  silent_ = false;
  ticked_.clear();
  objects_made_ = 0;
  after_heavy_fences_ = {};
  unfinished_ = unannounced_ = (1U << threads_total_) - 1;
  for (ThreadId i = 0; i < threads_total_; ++i) {
    Thread& thread = threads_[i];
    pending_[i] = {};
    thread.deadline.reset();
    thread.parked = false;
    thread.left_quietly = 0;
    thread.at_light_fence = thread.at_release_fence = {};
    thread.body = nullptr;
    thread.protocol.clear();
    thread.locals_made = 0;
    thread.passed = nullptr;
    thread.changed = false;
  }
  host_depth_ = 0;
  on_fibers_ = true;
  decided_ = kNobody;
  current_ = 0;
  return current_;
}

void Machine::construct() {
  if (stock()) current_ = rl::ctx().threadx_->index_;
  alone_ = true;
  create(ObjectKind::fence, "fence", nullptr, nullptr);
  const ThreadId spare_end = run_.program->threads + run_.program->spare_threads;
  if (spare_end < threads_total_) {
    clock_ = threads_[spare_end].start_object = create(ObjectKind::clock, "clock", nullptr, nullptr);
  }
  for (ThreadId i = run_.program->threads; i < spare_end; ++i) {
    threads_[i].start_object = create(ObjectKind::thread_start, {"thread", i}, nullptr, nullptr);
    threads_[i].exit_object = create(ObjectKind::thread_exit, {"thread", i}, nullptr, nullptr);
  }
  try {
    script_ = run_.program->make();
  } catch (const std::exception& error) {
    leave(Ending::cut, Verdict::assertion_failed, std::string("the script's constructor throws: ") + error.what());
  } catch (const Abandoned&) {
  }
  alone_ = false;
  const HostCode host(*this);
  if (run_.observer != nullptr) run_.observer->execution_begins(*this);
}

void Machine::run_thread(ThreadId thread) {
  current_ = thread;
  host_depth_ = 0;
  if (abandoned_) return;
  const Where here = Where::current();
  try {
    if (thread < run_.program->threads) {
      script_->thread(thread);
      return;
    }
    if (clock_ != kNoObject && thread == threads_total_ - 1) return run_clock();
    Thread& self = threads_[thread];
    take_turn(self.start_object, OpKind::begin, std::memory_order_acquire, here);
    acquire(objects_[self.start_object].clock);
    self.body();
    take_turn(self.exit_object, OpKind::exit, std::memory_order_release, here);
    Object& exit = objects_[self.exit_object];
    exit.level = 1;
    release_into(exit.clock);
    unpark_ready();
  } catch (const Abandoned&) {
  } catch (const std::exception& error) {
    leave(Ending::cut, Verdict::assertion_failed, thread_name(thread) + " ends with an exception: " + error.what());
  }
}

bool Machine::thread_finished() {
  unfinished_ &= ~(1U << current_);
  unannounced_ &= ~(1U << current_);
  pending_[current_] = {};
  return unfinished_ == 0;
}

void Machine::finish() {
  {
    const HostCode host(*this);
    hand_in_step();
  }
  alone_ = true;
  if (outcome_.ending != Ending::complete) return;
  const Finding finding = script_->judge();  // in the script's memory
  const HostCode host(*this);
  if (finding && !outcome_.finding) outcome_.finding = {finding.verdict, std::string(finding.detail)};
}

void Machine::destruct() {
  alone_ = true;
  for (Thread& thread : threads_) thread.body = nullptr;  // what it holds may be in the script's memory
  script_.reset();
  const std::size_t left = heap_.live();
  {
    const HostCode host(*this);
    if (left > 0 && outcome_.ending == Ending::complete && !outcome_.finding) {
      outcome_.finding = {Verdict::leak, std::to_string(left) + " allocations of the script are never freed"};
    }
    for (int id = 0; id < objects_made_; ++id) {
      Object& object = objects_[id];
      if (object.cell != nullptr) rl::ctx().atomic_dtor(object.cell->relacy);
      if (object.race_check != nullptr) rl::ctx().var_dtor(object.race_check);
      object.cell = nullptr;
      object.race_check = nullptr;
    }
  }
  alone_ = false;
}

bool Machine::end_execution() {
  on_fibers_ = false;
  outcome_.steps = steps_;
  heap_.end_execution();
  const bool wanted = run_.outcome(outcome_);  // first: the strategy still stands at this execution
  const bool more = run_.strategy == nullptr || run_.strategy->end_execution(outcome_.ending);
  return more && wanted;
}

// Relacy left its fibers in the middle of the script, so no destructor can run; the memory goes.
void Machine::end_failed_stock_run() {
  if (!on_fibers_) return;
  on_fibers_ = false;
  outcome_.steps = steps_;
  static_cast<void>(script_.release());
  for (Thread& thread : threads_) std::construct_at(&thread.body);
  heap_.end_execution();
  run_.outcome(outcome_);
}

// --- memory --------------------------------------------------------------------------------------------

void* Machine::allocate(std::size_t size_bytes) {
  if (on_fibers_ && host_depth_ == 0) return heap_.allocate(size_bytes);
  void* block = std::malloc(size_bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void Machine::release(void* block) {
  if (block == nullptr) return;
  switch (heap_.release(block)) {
    case TrackedHeap::Release::not_ours: std::free(block); return;
    case TrackedHeap::Release::released: return;
    case TrackedHeap::Release::twice: break;
  }
  // delete does not throw: the next operation leaves the execution
  leave(Ending::cut, Verdict::use_after_free, "memory is freed twice");
}

// --- objects -------------------------------------------------------------------------------------------

namespace {

// Code on the standard's names gives its objects none: the number tells `mutex[0]` from another.
Label name_for_unnamed(ObjectKind kind, ObjectId id) {
  switch (kind) {
    case ObjectKind::atomic: return {"atomic", id};
    case ObjectKind::plain: return {"var", id};
    case ObjectKind::mutex: return {"mutex", id};
    case ObjectKind::condition: return {"condition", id};
    case ObjectKind::semaphore: return {"semaphore", id};
    default: return {};
  }
}

}  // namespace

ObjectId Machine::create(ObjectKind kind, Label label, const void* address, Describe describe) {
  if (objects_made_ == kMaxObjects) {
    fail(Verdict::inconclusive, "the script makes more than " + std::to_string(kMaxObjects) + " modelled objects");
  }
  if (!alone_ && run_.strategy != nullptr) run_.strategy->object_made_or_ended();
  const auto id = static_cast<ObjectId>(objects_made_++);
  Object& object = objects_[id];
  std::construct_at(&object);  // in place: to assign a new one would write it twice
  object.kind = kind;
  object.alive = true;
  object.label = *label.name == '\0' ? name_for_unnamed(kind, id) : label;
  object.address = address;
  object.describe = describe;
  object.conflict_class = id;
  if (kind == ObjectKind::plain) {
    object.race_check = rl::ctx().var_ctor();
    object.race_check->init(*rl::ctx().threadx_);
  }
  return id;
}

// The object's number stays taken, so that a late use through a stale pointer is seen as one.
void Machine::destroy(ObjectId id) {
  if (id == kNoObject || id >= objects_made_) return;
  Object& object = objects_[id];
  object.alive = false;
  object.address = nullptr;
  if (!alone_ && !abandoned_ && run_.strategy != nullptr) run_.strategy->object_made_or_ended();
}

// --- protocol steps ---------------------------------------------------------------------------------------

class Machine::StepScope {
 public:
  StepScope(Machine& machine, const char* name) : machine_(machine), thread_(machine.current_) {
    const HostCode host(machine_);
    machine_.threads_[thread_].protocol.push_back(name);
  }
  ~StepScope() { machine_.threads_[thread_].protocol.pop_back(); }
  StepScope(const StepScope&) = delete;
  StepScope& operator=(const StepScope&) = delete;

 private:
  Machine& machine_;
  ThreadId thread_;
};

bool Machine::run_protocol(const ProtocolStep* steps, int count) {
  if (run_.survey != nullptr) {
    const HostCode host(*this);
    Survey::Sequence names;
    for (int i = 0; i < count; ++i) names.emplace_back(steps[i].name);
    run_.survey->note(names);
  }
  const Arrangement arranged = arrange(run_.program->mutations, steps, count);
  ObjectId held[Arrangement::kMostSteps];
  std::fill(std::begin(held), std::end(held), kNoObject);
  for (std::size_t m = 0; m < mutation_used_.size(); ++m) {
    const Mutation& mutation = run_.program->mutations[m];
    if (mutation.kind != Mutation::Kind::hold) {
      if ((arranged.applied >> m & 1) != 0) mutation_used_[m] = true;
      continue;
    }
    const auto over = std::find(std::begin(arranged.holds), std::end(arranged.holds), &mutation);
    if (over == std::end(arranged.holds)) continue;
    ObjectId& mutex = held[over - std::begin(arranged.holds)];
    for (int id = 0; id < objects_made_; ++id) {
      const Object& object = objects_[id];
      if (object.kind == ObjectKind::mutex && object.alive && mutation.other == object.label.name)
        mutex = static_cast<ObjectId>(id);
    }
    if (mutex != kNoObject) mutation_used_[m] = true;
  }
  for (int i = 0; i < arranged.length; ++i) {
    const ProtocolStep& step = steps[arranged.order[i]];
    const StepScope scope(*this, step.name);
    const ObjectId mutex = held[arranged.order[i]];
    if (mutex != kNoObject) lock(mutex, Where::current());
    const bool ends = step.perform(step.step);
    if (mutex != kNoObject) unlock(mutex, Where::current());
    if (ends) return true;
  }
  return false;
}

Order Machine::surveyed_and_mutated(Order order, OrderUse use) {
  if (run_.survey != nullptr && *order.purpose != '\0') {
    const HostCode host(*this);
    run_.survey->note({order.purpose, order.value, use});
  }
  for (std::size_t m = 0; m < mutation_used_.size(); ++m) {
    const Mutation& mutation = run_.program->mutations[m];
    if (mutation.kind != Mutation::Kind::weaken || mutation.what != order.purpose) continue;
    mutation_used_[m] = true;
    return {order.purpose, mutation.order};
  }
  return order;
}

void*& Machine::local(const void* key) {
  Thread& self = threads_[current_];
  for (int i = 0; i < self.locals_made; ++i) {
    if (self.locals[static_cast<std::size_t>(i)].first == key) return self.locals[static_cast<std::size_t>(i)].second;
  }
  if (self.locals_made == static_cast<int>(self.locals.size())) {
    fail(Verdict::inconclusive, "the script uses more thread-local pointers than the model keeps");
  }
  auto& made = self.locals[static_cast<std::size_t>(self.locals_made++)];
  made = {key, nullptr};
  return made.second;
}

std::string describe(const Mutation& mutation) {
  switch (mutation.kind) {
    case Mutation::Kind::skip: return "skip " + mutation.what;
    case Mutation::Kind::swap: return "swap " + mutation.what + " and " + mutation.other;
    case Mutation::Kind::move_before: return "move " + mutation.what + " before " + mutation.other;
    case Mutation::Kind::hold: return "hold " + mutation.other + " over " + mutation.what;
    case Mutation::Kind::weaken: return "weaken " + mutation.what + " to " + name_of(mutation.order);
  }
  return {};
}

}  // namespace wakeproof::models
