// The seam's cost: each pair of functions must compile to the same instructions. See seam_cost.sh.
#include "sink/thread_platform.hpp"

using wakeproof::Label;
using wakeproof::Order;
using wakeproof::step;
using P = wakeproof::ThreadPlatform;

namespace {
constexpr Order kPublish{"publish", std::memory_order_release};
constexpr Order kTake{"take", std::memory_order_acquire};
constexpr Order kLook{"look", std::memory_order_seq_cst};
}  // namespace

static_assert(sizeof(P::atomic<int>) == sizeof(std::atomic<int>));
static_assert(sizeof(P::mutex) == sizeof(std::mutex));
static_assert(sizeof(P::plain<long>) == sizeof(long));

extern "C" {

void seam_put(P::atomic<int>* slot, P::atomic<int>* flag, int item, void (*ring)()) {
  P::run(step("append", [&] { slot->store(item, kPublish); }),
         step("claim_wake", [&] { return flag->exchange(1, kLook) != 0; }), step("ring", [&] { ring(); }));
}
void hand_put(std::atomic<int>* slot, std::atomic<int>* flag, int item, void (*ring)()) {
  slot->store(item, std::memory_order_release);
  if (flag->exchange(1, std::memory_order_seq_cst) == 0) ring();
}

int seam_drain(P::atomic<int>* slot, P::plain<int>* taken) {
  const int item = slot->load(kTake);
  if (item != 0) taken->set(taken->get() + 1);
  return item;
}
int hand_drain(std::atomic<int>* slot, int* taken) {
  const int item = slot->load(std::memory_order_acquire);
  if (item != 0) *taken = *taken + 1;
  return item;
}

bool seam_link(P::atomic<void*>* head, void* node, void* expected) {
  return head->compare_exchange_strong(expected, node, kPublish, std::memory_order_relaxed);
}
bool hand_link(std::atomic<void*>* head, void* node, void* expected) {
  return head->compare_exchange_strong(expected, node, std::memory_order_release, std::memory_order_relaxed);
}

void seam_append(P::mutex* lock, P::plain<int>* tail) {
  P::lock_guard guard(*lock);
  ++tail->write();
}
void hand_append(std::mutex* lock, int* tail) {
  std::lock_guard guard(*lock);
  ++*tail;
}
}
