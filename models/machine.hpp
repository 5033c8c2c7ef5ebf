// Machine: runs one execution after another of a script on Relacy's fibers, one step at a time.
//
// Every operation of the model platform comes here. It announces itself (take_turn), a strategy
// decides whose turn it is, and the operation is carried out when its thread is chosen, on
// Relacy's clocks and store histories. There is one Machine in a process, as there is one Relacy
// context.
//
// Two ways to schedule:
//   own      the strategy decides. No thread ever parks: an operation that would have to wait is
//            not scheduled until it can go on.
//   stock    one of Relacy's own schedulers decides, and threads park; a baseline to compare with.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

#include "mutation.hpp"
#include "object.hpp"
#include "operation.hpp"
#include "protocol.hpp"
#include "script.hpp"
#include "spin_watch.hpp"
#include "strategy.hpp"
#include "survey.hpp"
#include "tracked_heap.hpp"

namespace wakeproof::models {

using Where = std::source_location;
using VirtualTime = std::chrono::nanoseconds;  // since the execution began
using Deadline = std::optional<VirtualTime>;   // empty: waits for ever

inline constexpr VirtualTime kTick = std::chrono::milliseconds(1);  // of the free clock

// What is run: the script, made anew for every execution, and the threads it declares.
struct Program {
  int threads = 0;                        // that the script names
  std::vector<std::string> thread_names;  // of those
  int spare_threads = 0;                  // that it may start through Platform::thread
  int ticks = 0;                          // of the free clock, which is one more thread, the last; see Bounds
  std::function<std::unique_ptr<Script>()> make;
  Mutations mutations;

  int all_threads() const { return threads + spare_threads + (ticks > 0 ? 1 : 0); }
};

// How an execution came out.
struct Outcome {
  Ending ending = Ending::complete;
  Finding finding;  // proved: nothing was found
  int steps = 0;
};

// Thrown into a thread to leave an execution early. Not an std::exception, so that a script's
// handlers let it through.
struct Abandoned {};

// For a recording: what a step did beside its operation. See trace/.
struct StepDetail {
  Where where = Where::current();
  Order order = std::memory_order_relaxed;
  int read_from = kNoStep;  // the step whose store was read
  int missed = kNoStep;     // the newest store, when an older one was read
  Word value = 0;           // that was read from an atomic, or the number of bytes from a pipe
  Clock seen;               // by the step's thread, just before it
  static constexpr int kNoStep = -2;
};

class Machine;

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void execution_begins(const Machine&) = 0;
  virtual void step_begins(const Machine&, ThreadId) = 0;
  // The step is done, and what its thread did after it up to its next operation.
  virtual void step_done(const Machine&, const TakenStep&, const StepDetail&) = 0;
  // The running thread reads plain data, after its step and before its next one.
  virtual void plain_read(const Machine&, ObjectId) {}
  virtual void time_passed(const Machine&) = 0;
  // Some thread can never go on: what each waits for is still to be seen.
  virtual void nobody_goes_on(const Machine&) = 0;
};

class Machine {
 public:
  static Machine& instance() { return only_; }

  // --- for searches ------------------------------------------------------------------------

  struct Run {
    const Program* program = nullptr;
    Strategy* strategy = nullptr;                 // null: stock
    std::function<bool(const Outcome&)> outcome;  // called after each execution; false: enough
    Observer* observer = nullptr;
    Survey* survey = nullptr;  // notes the named steps and orders that are run
    int max_steps = 8'000;
  };
  void begin_run(const Run& run);
  void end_run();
  bool parked() const { return parked_; }
  // Mutations of the program that never applied: they name nothing that the script runs.
  std::vector<std::string> unused_mutations() const;

  // --- for observers, at any time ----------------------------------------------------------

  int threads() const { return threads_total_; }
  std::string thread_name(ThreadId thread) const;
  std::string name(ObjectId id) const;
  int objects() const { return objects_made_; }
  const Object& object(int id) const { return objects_[id]; }
  const Operation& pending(ThreadId thread) const { return pending_[thread]; }
  const Where& pending_where(ThreadId thread) const { return threads_[thread].where; }
  bool finished(ThreadId thread) const { return (unfinished_ >> thread & 1) == 0; }
  bool blocked(ThreadId thread) const { return !finished(thread) && !enabled(thread); }
  const std::vector<const char*>& protocol_steps(ThreadId thread) const { return threads_[thread].protocol; }
  int steps() const { return steps_; }
  VirtualTime now() const { return now_; }  // without a step
  Account account() const { return script_ ? script_->account() : Account{}; }
  Observation observe() const { return script_ ? script_->observe() : Observation{}; }
  bool has_finding() const { return outcome_.finding || (script_ && script_->has_finding()); }
  // The number of the put that a thread is in, or -1.
  int put_under_way(ThreadId thread) const {
    return script_ && thread < run_.program->threads ? script_->put_under_way(thread) : -1;
  }

  // --- for the model platform: operations of the running thread -----------------------------

  ObjectId create(ObjectKind kind, Label label, const void* address, Describe describe);
  void destroy(ObjectId id);

  void create_semaphore(ObjectId id, unsigned permits) { objects_[id].level = permits; }
  void create_atomic(ObjectId id, Word initial, DescribeWord describe);
  Word load(ObjectId id, Order order, const Where& where);
  void store(ObjectId id, Word desired, Order order, const Where& where);
  using Modify = Word (*)(Word current, Word operand);
  Word modify(ObjectId id, OpKind kind, Modify change, Word operand, Order order, const Where& where);
  bool compare_exchange(ObjectId id, Word& expected, Word desired, Order success, Order failure, bool weak,
                        const Where& where);
  Word peek_atomic(ObjectId id) const;
  void await_change(ObjectId id, Word old, Order order, const Where& where);
  void notify(ObjectId id, bool all, const Where& where);
  void fence(Order order, const Where& where);
  void light_fence(const Where& where);
  void heavy_fence(const Where& where);

  void plain_read(ObjectId id, const Where& where);
  void plain_write(ObjectId id, bool changes, const Where& where);

  void lock(ObjectId id, const Where& where);
  bool try_lock(ObjectId id, const Where& where);
  void unlock(ObjectId id, const Where& where);

  void set(ObjectId id, const Where& where);
  void clear(ObjectId id, const Where& where);
  bool wait(ObjectId id, const Deadline& deadline, const Where& where);

  // False: the deadline passed.
  bool condition_wait(ObjectId condition, ObjectId mutex, const Deadline& deadline, const Where& where);

  void release_permits(ObjectId semaphore, unsigned count, const Where& where);
  bool acquire_permit(ObjectId semaphore, const Deadline& deadline, const Where& where);
  bool try_acquire_permit(ObjectId semaphore, const Where& where);

  bool write_byte(ObjectId pipe, const Where& where);  // false: full
  std::size_t read_all(ObjectId pipe, const Where& where);
  bool read_byte(ObjectId pipe, const Where& where);  // false: empty
  void close(ObjectId pipe, const Where& where);
  void add_to_selector(ObjectId selector, ObjectId pipe);
  bool select(ObjectId selector, const Deadline& deadline, const Where& where);

  ThreadId start_thread(Label label, std::function<void()> body, const Where& where);
  void join_thread(ThreadId thread, const Where& where);

  // A step where the clock is free, for then it matters when one looks.
  VirtualTime look_at_clock(const Where& where);

  // The algorithm's own wait, `wait`, returned at once.
  void wait_passed(const void* wait);
  void*& local(const void* key);

  bool run_protocol(const ProtocolStep* steps, int count);

  // --- for Context: what Relacy asks ---------------------------------------------------------

  void construct();
  void run_thread(ThreadId thread);
  void finish();  // every thread has finished
  void destruct();
  ThreadId begin_execution();
  bool end_execution();  // true: another one
  ThreadId next_thread();
  bool thread_finished();  // true: that was the last
  unsigned choose_value(unsigned count);
  bool read_older();
  void* allocate(std::size_t size_bytes);
  void release(void* block);
  // Relacy's own schedulers found that everything stands still, or Relacy itself found a fault.
  void stock_failure(bool deadlock, const char* what);
  void end_failed_stock_run();
  bool stock() const { return run_.strategy == nullptr; }

 private:
  struct Thread {
    Where where;
    Deadline deadline;
    bool parked = false;
    int left_quietly = 0;  // operations that did nothing because the execution is being left
    Clock at_light_fence;
    Clock at_release_fence;   // a copy of what Relacy keeps to itself
    unsigned wait_floor = 0;  // in an atomic's wait: a notification was for this store or an older one
    unsigned awaits = 0;      // in an atomic's wait: the store that it blocks on
    ObjectId start_object = kNoObject;
    ObjectId exit_object = kNoObject;
    std::function<void()> body;  // of a spare thread
    std::vector<const char*> protocol;
    std::array<std::pair<const void*, void*>, 8> locals;
    int locals_made = 0;

    // Since the last wait that this thread passed: what busy_spin is told by.
    const void* passed = nullptr;
    std::size_t passed_at = 0;  // step number
    bool changed = false;
  };

  class HostCode;   // memory allocated inside is not the script's
  class StepScope;  // a named protocol step under way

  Machine() = default;
  static Machine only_;

  // Announces the operation and returns when it is this thread's turn. False: the execution is
  // being left and the operation, which must not throw, is to do nothing.
  bool take_turn(ObjectId id, OpKind kind, Order order, const Where& where, const Deadline& deadline = {},
                 ObjectId second = kNoObject);
  bool leave_step(OpKind kind);
  void stock_take_turn();
  void unpark_ready();
  void changed() { threads_[current_].changed = true; }

  ThreadId decide();
  void hand_in_step();
  unsigned enabled_mask() const;
  bool enabled(ThreadId thread) const {
    const Operation& operation = pending_[thread];
    return !may_block(operation.kind) || objects_[operation.object].ready_for(thread) || overdue(thread);
  }
  bool overdue(ThreadId thread) const { return threads_[thread].deadline && *threads_[thread].deadline <= now_; }
  Deadline nearest_deadline() const;
  bool let_time_pass();
  void run_clock();
  int due_since(ThreadId thread) const;
  void took_too_long();
  void strategy_stops();
  void nobody_can_go_on(const Situation& situation);
  Finding tell_stuck() const;
  void check_busy_spin(const void* wait);
  void leave(Ending ending, Verdict verdict, const std::string& detail);
  [[noreturn]] void fail(Verdict verdict, const std::string& detail);
  void use(ObjectId id, const Where& where) {
    if (!objects_[id].alive) [[unlikely]]
      used_after_its_end(id, where);
  }
  [[noreturn]] void used_after_its_end(ObjectId id, const Where& where);

  Order effective(Order order, OrderUse use) {
    return run_.survey == nullptr && mutation_used_.empty() ? order : surveyed_and_mutated(order, use);
  }
  Order surveyed_and_mutated(Order order, OrderUse use);
  void switch_away();
  void record_read(const AtomicCell& cell, unsigned index);
  void record_store(Object& object, unsigned index, Word value);
  bool await_once(ObjectId id, Word old, Order order, const Where& where);
  unsigned newest_known_store(const AtomicCell& cell) const;
  void stop_waiting(Object& object);
  bool take_permit(Object& semaphore, bool wanted);
  bool fails_for_no_reason(Object& object);
  Clock clock_with_acquire_fence();

  std::size_t* relacy_clock();
  void acquire(Clock& clock);
  void release_into(Clock& clock);

  Run run_;
  std::vector<bool> mutation_used_;

  // The execution under way.
  bool alone_ = false;  // constructor, judge, destructor: one thread, no turns
  bool on_fibers_ = false;
  int host_depth_ = 0;
  bool abandoned_ = false;
  bool parked_ = false;
  Outcome outcome_;
  std::unique_ptr<Script> script_;
  VirtualTime now_{0};
  ObjectId clock_ = kNoObject;  // the free one; none: the idle clock is no object
  bool silent_ = false;         // the free clock has left it to time to pass until the nearest deadline
  std::vector<std::pair<int, VirtualTime>> ticked_;  // in which steps, and to what; since time last passed
  int steps_ = 0;
  ThreadId current_ = 0;
  ThreadId decided_ = 0;
  int threads_total_ = 0;
  unsigned unfinished_ = 0;         // bit i: thread i, like the next one
  unsigned unannounced_ = 0;        // has not come to its first operation
  Operation pending_[kMaxThreads];  // side by side, as a strategy looks at them
  Thread threads_[kMaxThreads];
  Clock after_heavy_fences_;
  Object objects_[kMaxObjects];
  int objects_made_ = 0;
  AtomicCell cells_[kMaxObjects];
  TakenStep taken_;
  SpinWatch spin_watch_;
  StepDetail detail_;
  bool step_open_ = false;
  unsigned passed_by_ = 0;  // stores that the load under way has decided not to read
  TrackedHeap heap_;
};

inline Machine& machine() {
  return Machine::instance();
}

}  // namespace wakeproof::models
