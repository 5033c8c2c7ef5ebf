// HandOff: one way for any thread to give items to the thread of an event loop, and to say what that cost.
//
//   start(apply)   loop thread, once, before the loop runs   calls apply(item) there for each item put
//   put(item)      any thread, after start()                 never waits for the loop; order is kept per thread
//   wakes()        loop thread                               so often the loop was woken, or looked for itself
//
//   batched       an OutputSink: the loop is woken once for many items
//   per-update    one call_soon_threadsafe an item
//   polled-1ms, polled-10ms   a locked queue; a timer looks every so often whether there is anything
//
// [lifetime]  The hand-off goes after every put(), and its loop does not run again after it.
//
// For the programs and the benchmark that compare them. Real threads: what is compared is time.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sink/event_loop.hpp"
#include "sink/loop_wake.hpp"
#include "sink/output_sink.hpp"
#include "sink/thread_platform.hpp"

namespace wakeproof {

template <class Item>
class HandOff {
 public:
  using Loop = EventLoop<ThreadPlatform>;
  using Apply = std::function<void(const Item&)>;

  HandOff() = default;
  HandOff(const HandOff&) = delete;
  HandOff& operator=(const HandOff&) = delete;
  virtual ~HandOff() = default;

  virtual void start(Apply apply) = 0;
  virtual void put(const Item& item) = 0;
  virtual std::size_t wakes() = 0;
};

template <class Item>
class BatchedHandOff final : public HandOff<Item> {
 public:
  using typename HandOff<Item>::Loop, typename HandOff<Item>::Apply;

  explicit BatchedHandOff(Loop& loop) { sink_.bind_loop(loop); }

  void start(Apply apply) override {
    taking_.emplace(take(std::move(apply)));
    taking_->start();
  }
  void put(const Item& item) override { sink_.put(item); }
  std::size_t wakes() override { return sink_.wakeups_scheduled(); }

 private:
  // So many that a batch ends between two turns of the loop, which has other work as well.
  static constexpr std::size_t kMostItems = 1024;

  Task<bool> take(Apply apply) {
    for (;;) {
      const std::vector<Item> batch = co_await sink_.get_batch(kMostItems);
      for (const Item& item : batch) apply(item);
    }
    co_return true;
  }

  OutputSink<ThreadPlatform, Item, LoopWake<ThreadPlatform>> sink_;
  std::optional<Task<bool>> taking_;  // after what it waits in: its coroutine is destroyed there
};

template <class Item>
class PerUpdateHandOff final : public HandOff<Item> {
 public:
  using typename HandOff<Item>::Loop, typename HandOff<Item>::Apply;

  explicit PerUpdateHandOff(Loop& loop) : loop_(loop) {}

  void start(Apply apply) override { apply_ = std::move(apply); }
  void put(const Item& item) override {
    posts_.fetch_add(1, std::memory_order_relaxed);  // only a number: the loop's lock orders the item
    loop_.call_soon_threadsafe([this, item] { apply_(item); });
  }
  std::size_t wakes() override { return posts_.load(std::memory_order_relaxed); }

 private:
  Loop& loop_;
  Apply apply_;
  ThreadPlatform::atomic<std::size_t> posts_{0};
};

template <class Item>
class PolledHandOff final : public HandOff<Item> {
 public:
  using typename HandOff<Item>::Loop, typename HandOff<Item>::Apply;

  PolledHandOff(Loop& loop, std::chrono::milliseconds interval) : loop_(loop), interval_(interval) {}

  void start(Apply apply) override {
    apply_ = std::move(apply);
    look_later();
  }
  void put(const Item& item) override { queue_.append(item); }
  std::size_t wakes() override { return looks_; }

 private:
  void look_later() {
    loop_.call_later(interval_, [this] { look(); });
  }
  void look() {
    ++looks_;
    std::vector<Item> batch;
    queue_.drain(batch, std::numeric_limits<std::size_t>::max());
    for (const Item& item : batch) apply_(item);
    look_later();
  }

  Loop& loop_;
  std::chrono::milliseconds interval_;
  LockedQueue<ThreadPlatform, Item> queue_;
  Apply apply_;
  std::size_t looks_ = 0;
};

inline constexpr std::string_view kHandOffs[] = {"batched", "per-update", "polled-1ms", "polled-10ms"};

// By one of the names above.
template <class Item>
std::unique_ptr<HandOff<Item>> make_hand_off(std::string_view name, EventLoop<ThreadPlatform>& loop) {
  using std::chrono::milliseconds;
  if (name == "batched") return std::make_unique<BatchedHandOff<Item>>(loop);
  if (name == "per-update") return std::make_unique<PerUpdateHandOff<Item>>(loop);
  if (name == "polled-1ms") return std::make_unique<PolledHandOff<Item>>(loop, milliseconds(1));
  if (name == "polled-10ms") return std::make_unique<PolledHandOff<Item>>(loop, milliseconds(10));
  throw std::invalid_argument("no hand-off is named so");
}

}  // namespace wakeproof
