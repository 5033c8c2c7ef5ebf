// Machine: atomics and plain data, on Relacy's store histories and clocks.
//
// Relacy's rules, all stronger than the standard's, are listed in models/litmus/README.md: stores
// go to the end of the modification order, a failed compare_exchange never reads an old value.
#include "machine.hpp"
#include "machine_host.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

static_assert(kHistory == rl::atomic_history_size, "an AtomicCell mirrors Relacy's history index by index");

namespace {

using Data = rl::atomic_data*;

unsigned relacy_load(Data data, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  switch (order) {
    case std::memory_order_relaxed: return thread.atomic_load_relaxed(data);
    case std::memory_order_consume:
    case std::memory_order_acquire: return thread.atomic_load_acquire(data);
    default: return thread.atomic_load_seq_cst(data);
  }
}

unsigned relacy_store(Data data, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  switch (order) {
    case std::memory_order_relaxed: return thread.atomic_store_relaxed(data);
    case std::memory_order_release: return thread.atomic_store_release(data);
    default: return thread.atomic_store_seq_cst(data);
  }
}

unsigned relacy_modify(Data data, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  bool aba = false;
  switch (order) {
    case std::memory_order_relaxed: return thread.atomic_rmw_relaxed(data, aba);
    case std::memory_order_consume:
    case std::memory_order_acquire: return thread.atomic_rmw_acquire(data, aba);
    case std::memory_order_release: return thread.atomic_rmw_release(data, aba);
    case std::memory_order_acq_rel: return thread.atomic_rmw_acq_rel(data, aba);
    default: return thread.atomic_rmw_seq_cst(data, aba);
  }
}

// What a failed compare_exchange reads: the newest value.
void relacy_read_newest(Data data, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  switch (order) {
    case std::memory_order_relaxed:
    case std::memory_order_release: thread.atomic_load_relaxed_rmw(data); return;
    case std::memory_order_consume:
    case std::memory_order_acquire:
    case std::memory_order_acq_rel: thread.atomic_load_acquire_rmw(data); return;
    default: thread.atomic_load_seq_cst_rmw(data); return;
  }
}

}  // namespace

void Machine::create_atomic(ObjectId id, Word initial, DescribeWord describe) {
  AtomicCell& cell = cells_[id];
  Object& object = objects_[id];
  object.cell = &cell;
  cell.describe = describe;
  cell.relacy = rl::ctx().atomic_ctor(nullptr);
  cell.newest = relacy_store(cell.relacy, std::memory_order_relaxed);
  cell.values[cell.newest] = initial;
  cell.writers[cell.newest] = -1;
  cell.stored_by[cell.newest] = kNobody;  // known to everybody
  cell.stores = 1;
}

Word Machine::load(ObjectId id, Order order, const Where& where) {
  order = effective(order, OrderUse::load);
  if (!take_turn(id, OpKind::load, order, where)) return 0;
  AtomicCell& cell = *objects_[id].cell;
  const unsigned index = relacy_load(cell.relacy, order.value);
  record_read(cell, index);
  return cell.values[index];
}

// An atomic's wait, once: true when it read another value than `old`. Otherwise the thread is now
// one of those that a notification can wake.
bool Machine::await_once(ObjectId id, Word old, Order order, const Where& where) {
  if (!take_turn(id, OpKind::await, order, where)) return true;
  Object& object = objects_[id];
  const AtomicCell& cell = *object.cell;
  const unsigned index = relacy_load(cell.relacy, order.value);
  record_read(cell, index);
  if (cell.values[index] != old || alone_) return true;
  taken_.failed = true;
  Thread& self = threads_[current_];
  self.awaits = cell.stores - 1 - (cell.newest + kHistory - index) % kHistory;
  if (self.awaits < std::max(self.wait_floor, object.notified_store)) {
    // A notification is for this wait, so it reads again; reading the newer value at once, which is
    // another choice of this very step, shows all that can come of it.
    leave(Ending::redundant, Verdict::proved, {});
    throw Abandoned{};
  }
  object.waiting |= static_cast<std::uint8_t>(1U << current_);
  return false;
}

void Machine::store(ObjectId id, Word desired, Order order, const Where& where) {
  order = effective(order, OrderUse::store);
  if (!take_turn(id, OpKind::store, order, where)) return;
  Object& object = objects_[id];
  record_store(object, relacy_store(object.cell->relacy, order.value), desired);
  unpark_ready();
}

Word Machine::modify(ObjectId id, OpKind kind, Modify change, Word operand, Order order, const Where& where) {
  order = effective(order, OrderUse::modify);
  if (!take_turn(id, kind, order, where)) return 0;
  Object& object = objects_[id];
  AtomicCell& cell = *object.cell;
  const Word before = cell.values[cell.newest];
  record_read(cell, cell.newest);
  record_store(object, relacy_modify(cell.relacy, order.value), change(before, operand));
  unpark_ready();
  return before;
}

bool Machine::compare_exchange(ObjectId id, Word& expected, Word desired, Order success, Order failure, bool weak,
                               const Where& where) {
  success = effective(success, OrderUse::modify);
  failure = effective(failure, OrderUse::load);
  if (!take_turn(id, OpKind::compare_exchange, success, where)) return false;
  Object& object = objects_[id];
  AtomicCell& cell = *object.cell;
  const Word before = cell.values[cell.newest];
  record_read(cell, cell.newest);
  bool exchanges = before == expected;
  if (exchanges && weak && fails_for_no_reason(object)) exchanges = false;
  if (exchanges) {
    record_store(object, relacy_modify(cell.relacy, success.value), desired);
    unpark_ready();
  } else {
    taken_.failed = true;
    relacy_read_newest(cell.relacy, failure.value);
    expected = before;
  }
  return exchanges;
}

Word Machine::peek_atomic(ObjectId id) const {
  const AtomicCell& cell = *objects_[id].cell;
  return cell.values[cell.newest];
}

void Machine::record_read(const AtomicCell& cell, unsigned index) {
  detail_.value = cell.values[index];
  taken_.read_from = detail_.read_from = cell.writers[index];
  detail_.missed = index == cell.newest ? StepDetail::kNoStep : cell.writers[cell.newest];
}

void Machine::record_store(Object& object, unsigned index, Word value) {
  AtomicCell& cell = *object.cell;
  if (cell.values[cell.newest] != value) changed();
  cell.newest = index;
  cell.values[index] = value;
  cell.writers[index] = steps_ - 1;
  cell.stored_by[index] = current_;
  cell.stamps[index] = rl::ctx().threadx_->own_acq_rel_order_;
  if (++cell.stores > kHistory) {
    const auto id = static_cast<ObjectId>(&object - objects_);
    fail(Verdict::inconclusive, name(id) + " is stored to more than " + std::to_string(kHistory) +
                                    " times in one execution; the model keeps no more");
  }
}

void Machine::plain_read(ObjectId id, const Where& where) {
  if (alone_ || abandoned_) return;
  use(id, where);
  if (run_.strategy != nullptr) run_.strategy->touches_plain(current_, id, false);
  if (objects_[id].race_check->load(*rl::ctx().threadx_)) {
    if (run_.observer == nullptr) return;
    const HostCode host(*this);
    return run_.observer->plain_read(*this, id);
  }
  fail(Verdict::data_race, thread_name(current_) + " reads " + name(id) + " in " + where.function_name() +
                               ", unordered with a write by another thread");
}

void Machine::plain_write(ObjectId id, bool changes, const Where& where) {
  if (alone_ || abandoned_) return;
  use(id, where);
  if (changes) changed();
  if (run_.strategy != nullptr) run_.strategy->touches_plain(current_, id, true);
  if (objects_[id].race_check->store(*rl::ctx().threadx_)) return;
  fail(Verdict::data_race, thread_name(current_) + " writes " + name(id) + " in " + where.function_name() +
                               ", unordered with an access by another thread");
}

}  // namespace wakeproof::models
