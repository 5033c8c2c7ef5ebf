// Object: one modelled thing of the running execution: an atomic, a mutex, an event, ...
#pragma once

#include <string>

#include "operation.hpp"
#include "sink/platform.hpp"

namespace rl {
struct atomic_data;
struct var_data;
}  // namespace rl

namespace wakeproof::models {

using Word = std::uint64_t;

// What one thread had seen, by thread, as Relacy counts it.
struct Clock {
  std::size_t seen[kMaxThreads] = {};
};

enum class ObjectKind : std::uint8_t {
  fence,
  atomic,
  plain,
  mutex,
  event,
  pipe,
  selector,
  condition,
  semaphore,
  thread_start,
  thread_exit,
  clock
};

// Appends what a person calls the current value of the object at this address.
using Describe = void (*)(const void* object, std::string& out);
// The same for a value of an atomic, which may be an old one.
using DescribeWord = void (*)(Word value, std::string& out);

inline constexpr int kHistory = 32;  // stores to one atomic in one execution

// The values of an atomic's stores, in modification order modulo kHistory, beside Relacy's clocks.
struct AtomicCell {
  rl::atomic_data* relacy;
  DescribeWord describe;
  Word values[kHistory];
  int writers[kHistory];  // the step that stored it; -1: the initial value
  // As Relacy counts it: a thread whose clock has come to `stamps` of `stored_by` knows of the store.
  ThreadId stored_by[kHistory];
  std::size_t stamps[kHistory];
  unsigned stores;  // so far, the initial one included
  unsigned newest;  // index of the last store
};

struct Object {
  ObjectKind kind = ObjectKind::fence;
  bool alive = false;
  Label label;
  const void* address = nullptr;
  Describe describe = nullptr;
  ObjectId conflict_class = kNoObject;

  ThreadId owner = kNobody;  // of a mutex
  unsigned level = 0;        // event set, bytes in a pipe or a selector's pipes, permits, thread started or exited
  unsigned failed_spuriously = 0;  // bit i: thread i has had its spurious failure or wake here
  std::uint8_t waiting = 0;        // bit i: thread i waits here for a notification, or has got it and not gone on
  std::uint8_t notified = 0;       // those that have got one
  std::uint8_t spurious = 0;       // those that go on without one
  unsigned notified_store = 0;     // an atomic's wait blocks on no older store: see Machine::notify
  Clock clock;                     // what a lock, wait or read here acquires
  AtomicCell* cell = nullptr;
  rl::var_data* race_check = nullptr;

  // Bit i: an operation of thread i that waits for this object could go on.
  std::uint8_t ready() const {
    constexpr std::uint8_t kEverybody = 0xff;
    switch (kind) {
      case ObjectKind::mutex: return owner == kNobody ? kEverybody : 0;
      case ObjectKind::atomic:
      case ObjectKind::condition: return notified | spurious;
      default: return level > 0 ? kEverybody : 0;
    }
  }
  bool ready_for(ThreadId thread) const { return (ready() >> thread & 1) != 0; }
};

}  // namespace wakeproof::models
