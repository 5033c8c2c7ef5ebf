// TrackedHeap: the memory that a script allocates, so that a leak or a double free is a verdict.
//
// Nothing is handed out twice within an execution: what is freed waits in quarantine until the
// execution ends. So a stale pointer still points at what was there, and an address is not reused
// (an ABA that needs reuse is not shown). Its own tables come from malloc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wakeproof::models {

class TrackedHeap {
 public:
  TrackedHeap();
  ~TrackedHeap();
  TrackedHeap(const TrackedHeap&) = delete;
  TrackedHeap& operator=(const TrackedHeap&) = delete;

  void* allocate(std::size_t size_bytes);

  enum class Release { not_ours, released, twice };
  Release release(void* block);

  std::size_t live() const { return live_; }

  // Gives everything back to malloc.
  void end_execution();

 private:
  struct Slot {
    void* block;
    bool freed;
  };
  Slot* find(void* block);
  void insert(void* block);
  void grow();

  Slot* slots_;  // open addressing, empty where block is null
  std::size_t capacity_;
  void** blocks_;  // in order of allocation, freed or not
  std::size_t count_ = 0;
  std::size_t live_ = 0;
  bool grew_ = false;  // in this execution
};

}  // namespace wakeproof::models
