#include "tracked_heap.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace wakeproof::models {

namespace {
std::size_t hash_of(const void* block) {
  return (reinterpret_cast<std::uintptr_t>(block) >> 4) * 0x9e3779b97f4a7c15ULL >> 20;
}

void* checked(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
}  // namespace

TrackedHeap::TrackedHeap()
    : slots_(static_cast<Slot*>(checked(std::calloc(1024, sizeof(Slot))))),
      capacity_(1024),
      blocks_(static_cast<void**>(checked(std::malloc(512 * sizeof(void*))))) {}

TrackedHeap::~TrackedHeap() {
  end_execution();
  std::free(slots_);
  std::free(blocks_);
}

void* TrackedHeap::allocate(std::size_t size_bytes) {
  if (2 * (count_ + 1) > capacity_) grow();
  void* block = checked(std::malloc(size_bytes));
  insert(block);
  blocks_[count_++] = block;
  ++live_;
  return block;
}

TrackedHeap::Release TrackedHeap::release(void* block) {
  if (count_ == 0) return Release::not_ours;
  Slot* slot = find(block);
  if (slot->block == nullptr) return Release::not_ours;
  if (slot->freed) return Release::twice;
  slot->freed = true;
  --live_;
  return Release::released;
}

void TrackedHeap::end_execution() {
  // Newest first, a block's place in the table is found without those that came after it.
  for (std::size_t i = count_; i-- > 0;) {
    if (!grew_) *find(blocks_[i]) = {nullptr, false};
    std::free(blocks_[i]);
  }
  if (grew_) std::memset(slots_, 0, capacity_ * sizeof(Slot));
  grew_ = false;
  count_ = 0;
  live_ = 0;
}

TrackedHeap::Slot* TrackedHeap::find(void* block) {
  std::size_t i = hash_of(block) & (capacity_ - 1);
  while (slots_[i].block != nullptr && slots_[i].block != block) i = (i + 1) & (capacity_ - 1);
  return &slots_[i];
}

void TrackedHeap::insert(void* block) {
  *find(block) = {block, false};
}

void TrackedHeap::grow() {
  grew_ = true;  // and lost the order of insertion
  Slot* old = slots_;
  const std::size_t old_capacity = capacity_;
  capacity_ *= 2;
  slots_ = static_cast<Slot*>(checked(std::calloc(capacity_, sizeof(Slot))));
  for (std::size_t i = 0; i < old_capacity; ++i) {
    if (old[i].block != nullptr) *find(old[i].block) = old[i];
  }
  std::free(old);
  blocks_ = static_cast<void**>(checked(std::realloc(blocks_, capacity_ / 2 * sizeof(void*))));
}

}  // namespace wakeproof::models
