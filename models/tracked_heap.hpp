// TrackedHeap: the memory that a script allocates, so that a leak or a double free is a verdict.
//
// Nothing is handed out twice within an execution: what is freed waits in quarantine until the
// execution ends. So a stale pointer still points at what was there, and an address is not reused
// (an ABA that needs reuse is not shown). So also allocating is one addition, and giving everything
// back costs nothing: an execution takes its blocks one after the other from chunks that are kept.
#pragma once

#include <cstddef>

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

  // Every block is void, and its memory there for the next execution.
  void end_execution();

 private:
  // Before each block. `block` tells a block from any other address in a chunk.
  struct alignas(std::max_align_t) Header {
    void* block;
    bool freed;
  };
  // From malloc, followed by its memory.
  struct alignas(std::max_align_t) Chunk {
    Chunk* next;
    char* free;  // the memory behind the newest block
    char* end;

    char* begin() { return reinterpret_cast<char*>(this + 1); }
    std::size_t room() const { return static_cast<std::size_t>(end - free); }
  };
  static Chunk* make_chunk(std::size_t size_bytes);
  void turn_to_chunk_with(std::size_t size_bytes);

  Chunk* first_;
  Chunk* current_;  // those behind it are unused
  std::size_t live_ = 0;
};

}  // namespace wakeproof::models
