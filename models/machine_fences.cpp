// Machine: fences.
//
// A pair of fences of which one at least is heavy orders what two seq_cst fences would order; a light
// one is nothing to another light one, nor to a seq_cst fence. Not Relacy's system-wide fence, which
// also orders threads that have no fence of their own.
#include <algorithm>

#include "machine.hpp"
#include "relacy.hpp"

namespace wakeproof::models {

namespace {

void seq_cst_fence() {
  rl::ctx().disable_preemption();
  rl::ctx().atomic_thread_fence_seq_cst();
  rl::ctx().enable_preemption();
}

// The running thread's clock, as Relacy has it.
void copy_clock(Clock& to, int threads) {
  std::copy_n(rl::ctx().threadx_->acq_rel_order_, threads, to.seen);
}

void replace_clock(const Clock& by, int threads) {
  std::copy_n(by.seen, threads, rl::ctx().threadx_->acq_rel_order_);
}

}  // namespace

// acquire and release fences are no steps: they change nothing that another thread can see.
void Machine::fence(Order order, const Where& where) {
  order = effective(order, OrderUse::fence);
  switch (order.value) {
    case std::memory_order_relaxed: return;
    case std::memory_order_consume:
    case std::memory_order_acquire: rl::ctx().atomic_thread_fence_acquire(); return;
    case std::memory_order_release: rl::ctx().atomic_thread_fence_release(); break;
    case std::memory_order_acq_rel: rl::ctx().atomic_thread_fence_acq_rel(); break;
    default:
      if (!take_turn(kFenceObject, OpKind::fence, order, where)) return;
      seq_cst_fence();
      break;
  }
  copy_clock(threads_[current_].at_release_fence, threads_total_);
}

// What the running thread would have seen after an acquire fence.
Clock Machine::clock_with_acquire_fence() {
  Clock before;
  Clock with_fence;
  copy_clock(before, threads_total_);
  rl::ctx().atomic_thread_fence_acquire();
  copy_clock(with_fence, threads_total_);
  replace_clock(before, threads_total_);
  return with_fence;
}

// By itself it orders nothing. It takes up what the heavy fences before it left, for the operations
// after it, and hands on by later stores just that; and it leaves for later heavy fences what two
// seq_cst fences would carry, what an acquire fence here would have seen included.
void Machine::light_fence(const Where& where) {
  if (!take_turn(kFenceObject, OpKind::light_fence, std::memory_order_relaxed, where) || alone_) return;
  Thread& self = threads_[current_];
  acquire(after_heavy_fences_);
  Clock mine;
  copy_clock(mine, threads_total_);
  for (int i = 0; i < threads_total_; ++i) {
    self.at_release_fence.seen[i] = std::max(self.at_release_fence.seen[i], after_heavy_fences_.seen[i]);
  }
  replace_clock(self.at_release_fence, threads_total_);
  rl::ctx().atomic_thread_fence_release();
  replace_clock(mine, threads_total_);
  self.at_light_fence = clock_with_acquire_fence();
}

// For each thread, as if a seq_cst fence had been at its last light fence; and a seq_cst fence itself.
void Machine::heavy_fence(const Where& where) {
  if (!take_turn(kFenceObject, OpKind::heavy_fence, std::memory_order_seq_cst, where) || alone_) return;
  for (ThreadId thread = 0; thread < threads_total_; ++thread) acquire(threads_[thread].at_light_fence);
  seq_cst_fence();
  copy_clock(threads_[current_].at_release_fence, threads_total_);
  release_into(after_heavy_fences_);
}

}  // namespace wakeproof::models
