// Ring: items from one thread to another, on the standard's names, which are its first parameter.
//
//   push(item)  the one producer  waits while the ring is full
//   pop()       the one consumer  waits while it is empty
//
// head_ and tail_ count what was popped and pushed; each is written by one side.
//
// [published]  The slot is the consumer's once it has read tail_ beyond it: release to acquire. A relaxed
//              store hands over a slot whose item may not be there yet: std_names/ring_published_relaxed.
// [room]       The other way round for head_, so that a push overwrites nothing that is still read:
//              std_names/ring_room_relaxed.
#pragma once

#include <atomic>
#include <cstddef>

namespace wakeproof::std_names {

template <class Names, class T, std::size_t kSlots, std::memory_order kPublish = std::memory_order_release,
          std::memory_order kRoom = std::memory_order_release>
class Ring {
 public:
  void push(const T& item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);  // its own
    std::size_t head = head_.load(std::memory_order_acquire);
    while (tail - head == kSlots) {
      head_.wait(head, std::memory_order_relaxed);
      head = head_.load(std::memory_order_acquire);
    }
    slots_[tail % kSlots] = item;
    tail_.store(tail + 1, kPublish);
    tail_.notify_one();
  }

  T pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);  // its own
    while (tail_.load(std::memory_order_acquire) == head) tail_.wait(head, std::memory_order_relaxed);
    const T item = slots_[head % kSlots];
    head_.store(head + 1, kRoom);
    head_.notify_one();
    return item;
  }

 private:
  typename Names::template atomic<std::size_t> head_{0};
  typename Names::template atomic<std::size_t> tail_{0};
  T slots_[kSlots]{};
};

}  // namespace wakeproof::std_names
