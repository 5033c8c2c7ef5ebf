#include "tracked_heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <utility>

namespace wakeproof::models {

namespace {
constexpr std::size_t kChunk = 64 * 1024;
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 2;
}  // namespace

TrackedHeap::TrackedHeap() : first_(make_chunk(kChunk)), current_(first_) {}

TrackedHeap::~TrackedHeap() {
  while (first_ != nullptr) std::free(std::exchange(first_, first_->next));
}

void* TrackedHeap::allocate(std::size_t size_bytes) {
  if (size_bytes > kMost) throw std::bad_alloc();
  const std::size_t units = (size_bytes + sizeof(Header) - 1) / sizeof(Header) + 1;
  const std::size_t needed = units * sizeof(Header);
  if (current_->room() < needed) turn_to_chunk_with(needed);
  auto* header = reinterpret_cast<Header*>(current_->free);
  current_->free += needed;
  *header = {header + 1, false};
  ++live_;
  return header->block;
}

TrackedHeap::Release TrackedHeap::release(void* block) {
  const std::less<const void*> before;
  for (Chunk* chunk = first_;; chunk = chunk->next) {
    if (!before(block, chunk->begin() + sizeof(Header)) && before(block, chunk->free + 1)) break;
    if (chunk == current_) return Release::not_ours;
  }
  Header* header = static_cast<Header*>(block) - 1;
  if (header->block != block) return Release::not_ours;
  if (std::exchange(header->freed, true)) return Release::twice;
  --live_;
  return Release::released;
}

void TrackedHeap::end_execution() {
  for (Chunk* chunk = first_;; chunk = chunk->next) {
    chunk->free = chunk->begin();
    if (chunk == current_) break;
  }
  current_ = first_;
  live_ = 0;
}

TrackedHeap::Chunk* TrackedHeap::make_chunk(std::size_t size_bytes) {
  auto* chunk = static_cast<Chunk*>(std::malloc(sizeof(Chunk) + size_bytes));
  if (chunk == nullptr) throw std::bad_alloc();
  chunk->next = nullptr;
  chunk->free = chunk->begin();
  chunk->end = chunk->free + size_bytes;
  return chunk;
}

// The next one that is large enough for the block, made if there is none. Those in between stay empty.
void TrackedHeap::turn_to_chunk_with(std::size_t size_bytes) {
  while (current_->room() < size_bytes) {
    if (current_->next == nullptr) current_->next = make_chunk(std::max(kChunk, size_bytes));
    current_ = current_->next;
  }
}

}  // namespace wakeproof::models
