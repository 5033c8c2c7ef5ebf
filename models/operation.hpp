// Operation: what a thread is about to do, as far as a search and a trace need to know it.
//
// The model platform announces one before every visible step; search/ and trace/ share this
// word and see nothing else of an execution.
#pragma once

#include <atomic>
#include <cstdint>

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
  start,  // of another thread
  begin,  // a started thread's first step
  exit,   // its last
  join,
};

struct Operation {
  OpKind kind = OpKind::none;
  std::memory_order order = std::memory_order_relaxed;
  ObjectId object = kNoObject;
  // Operations on different objects of one class depend on each other: a selector and its pipes.
  ObjectId conflict_class = kNoObject;
  bool timed = false;

  friend bool operator==(const Operation&, const Operation&) = default;
};

// Leaves its object as it was, whatever the order of two such operations.
constexpr bool only_reads(OpKind kind) {
  return kind == OpKind::load || kind == OpKind::join;
}

// May have to wait for another thread. Each class of objects has one kind of these at most.
constexpr bool may_block(OpKind kind) {
  return kind == OpKind::lock || kind == OpKind::wait || kind == OpKind::select || kind == OpKind::begin ||
         kind == OpKind::join;
}

// The dependence relation before anything is known of the results: the order of two dependent
// operations may matter, the order of two independent ones does not.
constexpr bool dependent(const Operation& a, const Operation& b) {
  if (a.conflict_class != b.conflict_class || a.kind == OpKind::none || b.kind == OpKind::none) return false;
  return !(only_reads(a.kind) && only_reads(b.kind));
}

// A step that was taken: the operation and what came of it.
struct TakenStep {
  ThreadId thread = kNobody;
  Operation op;
  // Whether an operation that waits for this object could have gone on just before the step.
  bool ready_before = false;
  bool overdue = false;  // a wait whose deadline had passed: it could have gone on anyhow
  int read_from = -1;    // of a load: the step whose store it read; -1: the initial value
  bool failed = false;   // a compare_exchange or try_lock that did not happen, a wait that timed out
};

const char* name_of(OpKind kind);
const char* name_of(std::memory_order order);

}  // namespace wakeproof::models
