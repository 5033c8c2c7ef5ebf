// Operation: what a thread is about to do, as far as a search and a trace need to know it.
//
// The model platform announces one before every visible step; search/ and trace/ share this
// word and see nothing else of an execution.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace wakeproof::models {

using ThreadId = int;
inline constexpr ThreadId kNobody = -1;
inline constexpr int kMaxThreads = 8;

using ObjectId = std::uint16_t;
inline constexpr ObjectId kNoObject = 0xffff;
inline constexpr ObjectId kFenceObject = 0;  // all seq_cst fences are one object
inline constexpr int kMaxObjects = 256;

enum class OpKind : std::uint8_t {
  none,  // the thread has finished
  load,
  store,
  exchange,
  fetch_modify,
  compare_exchange,
  fence,
  light_fence,
  heavy_fence,
  await,  // an atomic's wait: reads, and blocks when the value is the old one
  lock,
  try_lock,
  unlock,
  set,
  clear,
  wait,
  write_byte,
  read_all,
  select,
  close,
  begin_wait,  // on a condition variable; gives its mutex back in the same step
  end_wait,    // on a condition variable or an atomic
  notify_one,
  notify_all,
  acquire,  // of a semaphore, like the next two
  try_acquire,
  release,
  start,  // of another thread
  begin,  // a started thread's first step
  exit,   // its last
  join,
  tick,  // of the free clock
  now,   // a look at it
};

struct Operation {
  OpKind kind = OpKind::none;
  bool timed = false;
  ObjectId object = kNoObject;
  // Operations on different objects of one class depend on each other: a selector and its pipes.
  ObjectId conflict_class = kNoObject;
  // Of the second object of a step that touches two: the mutex that a begin_wait gives back, the free
  // clock that a timed wait looks at.
  ObjectId second_class = kNoObject;
  std::memory_order order = std::memory_order_relaxed;

  // In three words: every step of an execution is compared with what it was in the one before.
  friend bool operator==(const Operation& a, const Operation& b) {
    using Words = std::array<std::uint32_t, 3>;
    return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
  }
};
static_assert(std::has_unique_object_representations_v<Operation>,
              "an Operation has no padding, so that its bytes say all");

// Leaves its object as it was, whatever the order of two such operations. A light fence is one too:
// it takes up what the heavy ones before it left, and two light ones are nothing to each other.
constexpr bool only_reads(OpKind kind) {
  return kind == OpKind::load || kind == OpKind::join || kind == OpKind::light_fence || kind == OpKind::now;
}

// May have to wait for another thread. Each class of objects has one kind of these at most.
constexpr bool may_block(OpKind kind) {
  return kind == OpKind::lock || kind == OpKind::wait || kind == OpKind::select || kind == OpKind::begin ||
         kind == OpKind::join || kind == OpKind::end_wait || kind == OpKind::acquire;
}

constexpr bool touches(const Operation& operation, ObjectId conflict_class) {
  return conflict_class != kNoObject &&
         (operation.conflict_class == conflict_class || operation.second_class == conflict_class);
}

// Looks at an object of the class and may change it too. A timed wait only looks at the clock.
constexpr bool may_change(const Operation& operation, ObjectId conflict_class) {
  return !only_reads(operation.kind) && !(operation.timed && operation.second_class == conflict_class);
}

// The dependence relation before anything is known of the results: the order of two dependent
// operations may matter, the order of two independent ones does not.
constexpr bool dependent(const Operation& a, const Operation& b) {
  if (a.kind == OpKind::none || b.kind == OpKind::none) return false;
  const auto over = [&](ObjectId shared) {
    return touches(b, shared) && (may_change(a, shared) || may_change(b, shared));
  };
  return over(a.conflict_class) || over(a.second_class);
}

// A step that was taken: the operation and what came of it.
struct TakenStep {
  ThreadId thread = kNobody;
  Operation op;
  // Bit i: an operation of thread i that waits for this object could have gone on just before the
  // step. Of a second object nobody could: it is a mutex that is held.
  std::uint8_t ready_before = 0;
  bool overdue = false;       // a wait whose deadline had passed: it could have gone on anyhow
  int due_since = -1;         // then the step, a tick, that it passed with; -1: before, or otherwise
  int read_from = -1;         // of a load: the step whose store it read; -1: the initial value
  bool unlocks_next = false;  // a lock: its thread stands before the unlock
  bool failed = false;        // what was tried and did not happen, a wait that timed out
};

const char* name_of(OpKind kind);
const char* name_of(std::memory_order order);

}  // namespace wakeproof::models
