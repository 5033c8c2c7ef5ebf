// Futures of plain threads for tasks on an event loop; on real threads.
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "loop_future.hpp"
#include "test_tasks.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using Loop = EventLoop<P>;
using namespace std::chrono_literals;
using testing::fail;
using testing::give;

namespace {

// A loop on a thread of its own, stopped and joined at the end.
class LoopThread {
 public:
  LoopThread() : thread_([this] { loop.run(); }) {}
  ~LoopThread() { stop(); }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  void stop() {
    if (!thread_.joinable()) return;
    loop.call_soon_threadsafe([this] { loop.stop(); });
    thread_.join();
  }

  Loop loop;

 private:
  std::thread thread_;
};

// Sleeps far longer than any test runs; `asleep` is said on the loop's thread, which goes to sleep at once.
Task<int> long_sleep(Loop& loop, std::atomic<bool>& asleep) {
  asleep = true;
  co_await loop.sleep(1h);
  co_return 1;
}

void await_true(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a future gives a thread the value or the exception of a coroutine on the loop", "[B5]") {
  LoopThread on;
  std::thread::id ran_on;
  const auto where = [](std::thread::id& id) -> Task<std::string> {
    id = std::this_thread::get_id();
    co_return std::string(100, 'x');
  };
  const auto future = run_coroutine_threadsafe(where(ran_on), on.loop);
  CHECK(future.get() == std::string(100, 'x'));
  CHECK(future.get().size() == 100);
  CHECK(future.done());
  CHECK(ran_on != std::this_thread::get_id());
  const auto failed = run_coroutine_threadsafe(fail(), on.loop);
  failed.wait();
  CHECK_THROWS_AS(failed.get(), std::runtime_error);
  CHECK_THROWS_AS(failed.get(), std::runtime_error);
}

TEST_CASE("many threads, each with its futures", "[B5]") {
  LoopThread on;
  const auto twice = [](Loop& loop, int value) -> Task<int> {
    co_await loop.sleep(std::chrono::microseconds(value % 50));
    if (value % 10 == 3) throw std::runtime_error(std::to_string(value));
    co_return 2 * value;
  };
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t * 1000; i < t * 1000 + 100; ++i) {
        const auto future = run_coroutine_threadsafe(twice(on.loop, i), on.loop);
        try {
          right += future.get() == 2 * i;
        } catch (const std::runtime_error& error) {
          right += i % 10 == 3 && error.what() == std::to_string(i);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 400);
}

TEST_CASE("wait_for runs out, then cancel: the future throws cancelled", "[B5]") {
  LoopThread on;
  std::atomic<bool> asleep{false};
  const auto future = run_coroutine_threadsafe(long_sleep(on.loop, asleep), on.loop);
  CHECK(!future.wait_for(2ms));
  CHECK(!future.wait_until(P::clock::now()));
  CHECK(!future.done());
  await_true(asleep);
  CHECK(future.cancel());
  CHECK_THROWS_AS(future.get(), cancelled);
  CHECK(future.wait_for(0ms));
  CHECK(!future.cancel());
}

TEST_CASE("cancelling a future that has its value changes nothing", "[B5]") {
  LoopThread on;
  const auto future = run_coroutine_threadsafe(give(4), on.loop);
  future.wait();
  CHECK(!future.cancel());
  CHECK(future.get() == 4);
}

TEST_CASE("a task that swallows a thread's cancellation gives its value", "[B5]") {
  LoopThread on;
  std::atomic<bool> asleep{false};
  const auto stubborn = [](Loop& loop, std::atomic<bool>& sleeps) -> Task<int> {
    try {
      co_await long_sleep(loop, sleeps);
    } catch (const cancelled&) {
    }
    co_return 9;
  };
  const auto future = run_coroutine_threadsafe(stubborn(on.loop, asleep), on.loop);
  await_true(asleep);
  CHECK(future.cancel());
  CHECK(future.get() == 9);
}

TEST_CASE("a thread's cancellation against the task's end: one outcome, and the waiter wakes", "[B5]") {
  LoopThread on;
  int values = 0;
  int cancellations = 0;
  const auto two_turns = [](Loop& loop) -> Task<int> {
    co_await loop.sleep(0ns);
    co_return 1;
  };
  for (int round = 0; round < 300; ++round) {
    const auto future = run_coroutine_threadsafe(two_turns(on.loop), on.loop);
    std::thread canceller([&] { future.cancel(); });
    const auto outcome = [&]() -> int {
      try {
        return future.get();
      } catch (const cancelled&) {
        return 0;
      }
    };
    const int first = outcome();
    canceller.join();
    CHECK(outcome() == first);
    (first == 1 ? values : cancellations) += 1;
  }
  CHECK(values + cancellations == 300);
}

TEST_CASE("a closed loop takes no coroutine", "[B5]") {
  Loop loop;
  loop.close();
  CHECK_THROWS_AS(run_coroutine_threadsafe(give(1), loop), loop_closed);
}

TEST_CASE("a loop that is closed, or goes, tells who waits for a task, begun or not", "[B5]") {
  for (const bool closes : {true, false}) {
    for (const bool begun : {true, false}) {
      auto loop = std::make_unique<Loop>();
      std::atomic<bool> asleep{false};
      const auto future = run_coroutine_threadsafe(long_sleep(*loop, asleep), *loop);
      std::atomic<int> told{0};
      std::thread waiter([&] {
        try {
          future.get();
        } catch (const loop_closed&) {
          ++told;
        }
      });
      if (begun) {
        loop->call_soon_threadsafe([&] { loop->call_soon([&] { loop->call_soon([&] { loop->stop(); }); }); });
        loop->run();
      }
      if (closes) CHECK(loop->close() == (begun ? 0 : 1));
      if (!closes) loop.reset();
      waiter.join();
      loop.reset();
      CHECK(asleep == begun);
      CHECK(told == 1);
      CHECK(!future.cancel());  // needs no loop any more
    }
  }
}

TEST_CASE("waiting for a future on its loop's own thread is refused", "[B5]") {
  Loop loop;
  std::optional<LoopFuture<P, int>> future;
  loop.call_soon([&] {
    future.emplace(run_coroutine_threadsafe(give(1), loop));
    CHECK_THROWS_AS(future->get(), std::logic_error);
    loop.call_at(P::clock::now() + 1ms, [&] {
      CHECK(future->get() == 1);  // has ended: no wait
      loop.stop();
    });
  });
  loop.run();
}

}  // namespace wakeproof
