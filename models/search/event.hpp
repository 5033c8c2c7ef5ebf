// Event: a step as the reduction sees it: who did what, with which result.
//
// The relation between events is the one of execution graphs. Two executions are equivalent when
// their threads did the same, their loads read from the same stores, and the writes to each object
// came in the same order. What follows from it:
//
//   load, store    a load may read an old store, so for its graph it does not matter whether a newer
//                  one was there already. They are ordered only when it reads from that store.
//                  Not so when both are seq_cst: then the load must see the store.
//   failed CAS     reads the newest value: ordered with every write, not with reads.
//   sections       of one mutex, where locks are in order by their data: see section.hpp.
//   all the rest   ordered when on the same object and at least one of them writes.
#pragma once

#include <array>
#include <cstdint>

#include "flaw.hpp"
#include "models/operation.hpp"
#include "section.hpp"

namespace wakeproof::models {

// A store, for the loads that read from it: the n-th step of a thread. The same in every execution
// of a graph.
using StoreId = std::uint16_t;
inline constexpr StoreId kInitialStore = 0xffff;
inline constexpr int kMostStepsOfAThread = 0x1fff;
constexpr StoreId store_id(ThreadId thread, int step_of_thread) {
  return static_cast<StoreId>(thread << 13 | step_of_thread);
}

constexpr ThreadId thread_of(StoreId store) {
  return store >> 13;
}

struct Event {
  std::uint8_t thread = 0;
  bool failed = false;
  // What was chosen within the step: the store that a load reads, or one of several results.
  std::uint16_t value = 0;
  // Of a write to an atomic.
  StoreId store = kInitialStore;
  Operation op;
  Section section;  // not a simple one where locks are in order with all
};

// A choice that is left open: any value that is new.
inline constexpr std::uint16_t kAnyValue = 0xfffe;

constexpr bool is_load(const Event& event) {
  return event.op.kind == OpKind::load;
}

// May get its value from an old store. An await waits besides, and is ordered like a write.
constexpr bool reads_a_store(OpKind kind) {
  return kind == OpKind::load || kind == OpKind::await;
}

// What the step is ordered with is known only when it is done. A tick may turn out to be silence.
constexpr bool result_tells_order(OpKind kind) {
  return reads_a_store(kind) || kind == OpKind::compare_exchange || kind == OpKind::tick;
}

constexpr bool stores(OpKind kind) {
  return kind == OpKind::store || kind == OpKind::exchange || kind == OpKind::fetch_modify ||
         kind == OpKind::compare_exchange;
}

constexpr bool reads_only(const Event& event, Flaw flaw = Flaw::none) {
  if (event.op.kind == OpKind::compare_exchange) return event.failed && flaw != Flaw::failed_cas_is_a_store;
  return only_reads(event.op.kind);
}

// A load that may read an older store than this one, or be passed by it.
constexpr bool may_miss(const Event& load, const Event& store, Flaw flaw = Flaw::none) {
  return is_load(load) && stores(store.op.kind) && !reads_only(store, flaw) &&
         !(load.op.order == std::memory_order_seq_cst && store.op.order == std::memory_order_seq_cst);
}

// Whether the order of two events of different threads belongs to the execution graph.
constexpr bool ordered(const Event& a, const Event& b, Flaw flaw = Flaw::none) {
  if (!dependent(a.op, b.op)) return false;
  if (flaw == Flaw::missing_dependence && a.op.kind == b.op.kind) return false;
  if (reads_only(a, flaw) && reads_only(b, flaw)) return false;
  if (immaterial(a.section, b.section)) return false;
  if (may_miss(a, b, flaw)) return a.value == b.store && b.store != kInitialStore;
  if (may_miss(b, a, flaw)) return b.value == a.store && a.store != kInitialStore;
  return true;
}

}  // namespace wakeproof::models
