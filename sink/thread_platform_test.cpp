// ThreadPlatform's own promises, where the standard library does not make them for us.
#include "thread_platform.hpp"

#include "ci/catch2.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using std::chrono::milliseconds;

TEST_CASE("an event stays set until it is cleared; a timed wait gives up in time") {
  P::event event;
  CHECK_FALSE(event.wait_until(P::clock::now() + milliseconds(5)));
  event.set();
  event.set();
  event.wait();
  CHECK(event.wait_until(std::nullopt));
  event.clear();
  CHECK_FALSE(event.is_set());
  const auto begin = P::clock::now();
  CHECK_FALSE(event.wait_until(begin + milliseconds(20)));
  CHECK(P::clock::now() - begin >= milliseconds(20));
}

TEST_CASE("a pipe says full, is emptied at once, and refuses use after close") {
  P::wake_pipe pipe;
  CHECK(pipe.pending() == 0);
  std::size_t written = 0;
  while (pipe.write_byte() == PipeWrite::written) ++written;
  CHECK(written > 1);
  CHECK(pipe.pending() == 1);
  CHECK(pipe.read_byte());
  CHECK(pipe.read_all() == written - 1);
  CHECK(pipe.read_all() == 0);
  CHECK_FALSE(pipe.read_byte());
  pipe.close();
  CHECK_THROWS_AS(pipe.write_byte(), std::logic_error);
  CHECK_THROWS_AS(pipe.read_all(), std::logic_error);
}

TEST_CASE("a selector is level-triggered and gives up in time, never before") {
  P::wake_pipe pipe;
  P::selector selector;
  selector.add(pipe);
  const auto begin = P::clock::now();
  CHECK_FALSE(selector.wait_until(begin + milliseconds(20)));
  CHECK(P::clock::now() - begin >= milliseconds(20));
  CHECK_FALSE(selector.wait_until(P::clock::time_point{}));
  pipe.write_byte();
  CHECK(selector.wait_until(std::nullopt));
  CHECK(selector.wait_until(std::nullopt));
  pipe.read_all();
  CHECK_FALSE(selector.wait_until(P::clock::now()));
}

TEST_CASE("a condition variable: a hand-over, a deadline, and the mutex held again") {
  P::mutex mutex;
  P::condition_variable changed;
  P::plain<int> value;
  P::thread other({}, [&] {
    P::unique_lock held(mutex);
    value.set(1);
    changed.notify_one();
    while (value.get() != 2) changed.wait(held);
    value.set(3);
    changed.notify_all();
  });
  {
    P::unique_lock held(mutex);
    while (value.get() != 1) changed.wait(held);
    value.set(2);
    changed.notify_all();
    while (value.get() != 3) changed.wait_until(held, std::nullopt);
    CHECK(held.owns_lock());
    const auto begin = P::clock::now();
    while (changed.wait_until(held, begin + milliseconds(20))) {
    }
    CHECK(P::clock::now() - begin >= milliseconds(20));
    CHECK(held.owns_lock());
    CHECK_FALSE(changed.wait_until(held, P::clock::time_point{}));
  }
  other.join();
}

TEST_CASE("an atomic's wait returns once the value is another one") {
  P::atomic<int> turn{0};
  P::plain<int> rounds;
  constexpr int kRounds = 1000;
  P::thread other({}, [&] {
    for (int i = 0; i < kRounds; ++i) {
      turn.wait(0, std::memory_order_acquire);
      rounds.set(rounds.get() + 1);
      turn.store(0, std::memory_order_release);
      turn.notify_one();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    turn.store(1, std::memory_order_release);
    turn.notify_all();
    turn.wait(1, std::memory_order_acquire);
  }
  other.join();
  CHECK(rounds.get() == kRounds);
}

TEST_CASE("a semaphore counts permits, in time, and leaves no waiter asleep over a permit") {
  P::semaphore permits{2U};
  CHECK(permits.try_acquire());
  permits.acquire();
  CHECK_FALSE(permits.try_acquire());
  const auto begin = P::clock::now();
  CHECK_FALSE(permits.try_acquire_until(begin + milliseconds(20)));
  CHECK(P::clock::now() - begin >= milliseconds(20));
  permits.release(1);
  CHECK(permits.try_acquire_until(begin));  // a permit is there: the deadline does not matter
  constexpr int kRounds = 2000;
  const auto take = [&] {
    for (int i = 0; i < kRounds; ++i) permits.acquire();
  };
  P::thread first({}, take);
  P::thread second({}, take);
  for (int i = 0; i < kRounds; ++i) {
    permits.release(1);
    permits.release(1);
  }
  first.join();
  second.join();
  CHECK_FALSE(permits.try_acquire());
}

TEST_CASE("a light and a heavy fence: of two that store and look, one at least sees the other") {
  constexpr int kRounds = 2000;
  P::atomic<int> light_side{0};
  P::atomic<int> heavy_side{0};
  P::atomic<int> light_done{0};
  P::atomic<int> heavy_done{0};
  constexpr auto kRelaxed = std::memory_order_relaxed;
  int light_saw = 0;
  int both_missed = 0;
  P::thread other({}, [&] {
    for (int i = 1; i <= kRounds; ++i) {
      light_side.store(i, kRelaxed);
      P::light_fence();
      light_saw = heavy_side.load(kRelaxed);
      light_done.store(i, std::memory_order_release);
      while (heavy_done.load(std::memory_order_acquire) < i) P::pause();
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    heavy_side.store(i, kRelaxed);
    P::heavy_fence();
    const int heavy_saw = light_side.load(kRelaxed);
    while (light_done.load(std::memory_order_acquire) < i) P::pause();
    both_missed += light_saw < i && heavy_saw < i;
    heavy_done.store(i, std::memory_order_release);
  }
  other.join();
  CHECK(both_missed == 0);
}

TEST_CASE("one pointer a thread for each type") {
  CHECK(P::local<int>() == nullptr);
  int value = 0;
  P::local<int>() = &value;
  P::thread other({}, [] { CHECK(P::local<int>() == nullptr); });
  other.join();
  CHECK(P::local<int>() == &value);
  CHECK(P::local<char>() == nullptr);
  P::local<int>() = nullptr;
}

}  // namespace wakeproof
