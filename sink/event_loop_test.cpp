// EventLoop on real threads and a real self-pipe.
#include "event_loop.hpp"

#include <atomic>
#include <thread>

#include "ci/catch2.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using Loop = EventLoop<P>;
using std::chrono::milliseconds;

TEST_CASE("a post wakes a sleeping loop and runs on its thread", "[B2][P4b][P4c]") {
  Loop loop;
  std::thread::id ran_on;
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));  // the loop sleeps by now
    loop.call_soon_threadsafe([&] {
      ran_on = std::this_thread::get_id();
      loop.stop();
    });
  });
  loop.run();
  other.join();
  CHECK(ran_on == std::this_thread::get_id());
}

TEST_CASE("the self-pipe is there from construction on: a post before the first run ends its first sleep", "[B1]") {
  Loop loop;
  loop.call_soon_threadsafe([&] { loop.stop(); });
  loop.run();
  CHECK(loop.peek_posted() == 0);
}

TEST_CASE("a herd of threads: everything posted runs, in order per thread", "[B3]") {
  constexpr int kThreads = 8;
  constexpr int kPosts = 5000;
  Loop loop;
  std::vector<int> next(kThreads, 0);
  bool in_order = true;
  int ran = 0;
  std::vector<std::thread> herd;
  for (int t = 0; t < kThreads; ++t) {
    herd.emplace_back([&, t] {
      for (int i = 0; i < kPosts; ++i) {
        loop.call_soon_threadsafe([&, t, i] {
          in_order &= next[static_cast<std::size_t>(t)]++ == i;
          if (++ran == kThreads * kPosts) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (std::thread& thread : herd) thread.join();
  CHECK(ran == kThreads * kPosts);
  CHECK(in_order);
}

TEST_CASE("a full pipe is no failure: its byte wakes the loop for everything", "[B3]") {
  constexpr int kPosts = 100'000;  // more than the 65,536 bytes of a pipe
  Loop loop;
  int ran = 0;
  for (int i = 0; i < kPosts; ++i) {
    loop.call_soon_threadsafe([&] {
      if (++ran == kPosts) loop.stop();
    });
  }
  loop.run();
  CHECK(ran == kPosts);
}

TEST_CASE("after close a post throws, and what never ran is counted", "[B6]") {
  Loop loop;
  loop.call_soon_threadsafe([] {});
  loop.call_soon_threadsafe([] {});
  loop.call_soon([] {});
  CHECK(loop.close() == 3);
  CHECK(loop.close() == 0);
  CHECK_THROWS_AS(loop.call_soon_threadsafe([] {}), loop_closed);
}

TEST_CASE("close against posting threads: every post ran, threw or was counted", "[B6]") {
  for (int round = 0; round < 20; ++round) {
    Loop loop;
    std::atomic<int> accepted{0};
    std::atomic<int> refused{0};
    int ran = 0;
    std::vector<std::thread> posters;
    for (int t = 0; t < 4; ++t) {
      posters.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          try {
            loop.call_soon_threadsafe([&] { ++ran; });
            ++accepted;
          } catch (const loop_closed&) {
            ++refused;
          }
        }
      });
    }
    loop.call_at(P::clock::now() + milliseconds(1), [&] { loop.stop(); });
    loop.run();
    const auto dropped = static_cast<int>(loop.close());
    for (std::thread& poster : posters) poster.join();
    CHECK(ran + dropped == accepted);
    CHECK(accepted + refused == 2000);
  }
}

TEST_CASE("timers fire in the order of their times, and not when cancelled") {
  Loop loop;
  std::vector<int> fired;
  const auto now = P::clock::now();
  loop.call_at(now + milliseconds(20), [&] {
    fired.push_back(2);
    loop.stop();
  });
  loop.call_at(now + milliseconds(5), [&] { fired.push_back(1); });
  const auto cancelled = loop.call_at(now + milliseconds(10), [&] { fired.push_back(9); });
  loop.cancel(cancelled);
  loop.run();
  CHECK(fired == std::vector<int>{1, 2});
  CHECK(P::clock::now() >= now + milliseconds(20));
}

TEST_CASE("a timer that is due may still be cancelled, by the one that fires before it") {
  Loop loop;
  int fired = 0;
  const auto past = P::clock::now() - milliseconds(1);
  std::vector<Loop::Timer> timers;
  bool cancelled = false;
  timers.push_back(loop.call_at(past, [&] { cancelled = loop.cancel(timers[1]); }));
  timers.push_back(loop.call_at(past, [&] { ++fired; }));
  timers.push_back(loop.call_at(past, [&] {
    CHECK_FALSE(loop.cancel(timers[0]));  // has run
    CHECK_FALSE(loop.cancel(timers[1]));  // was cancelled before
    CHECK_FALSE(loop.cancel(timers[2]));  // is running
    loop.stop();
  }));
  loop.run();
  CHECK(cancelled);
  CHECK(fired == 0);
}

TEST_CASE("a timer that is due when the loop stops fires when it runs again; close counts none") {
  Loop loop;
  int fired = 0;
  const auto past = P::clock::now() - milliseconds(1);
  loop.call_at(past, [&] { loop.stop(); });
  loop.call_at(past, [&] {
    ++fired;
    loop.stop();
  });
  loop.run();
  CHECK(fired == 0);
  loop.run();
  CHECK(fired == 1);
  loop.call_at(past, [&] { loop.stop(); });
  loop.call_at(past, [&] { ++fired; });
  loop.run();
  CHECK(loop.close() == 0);
  CHECK(fired == 1);
}

TEST_CASE("a callback that queues another does not keep the loop from its pipe") {
  Loop loop;
  bool stopped = false;
  std::function<void()> again = [&] {
    if (!stopped) loop.call_soon(again);
  };
  loop.call_soon(again);
  std::thread other([&] {
    loop.call_soon_threadsafe([&] {
      stopped = true;
      loop.stop();
    });
  });
  loop.run();
  other.join();
  CHECK(stopped);
}

TEST_CASE("a nested run is refused; running() is the loop of the thread") {
  Loop loop;
  CHECK(Loop::running() == nullptr);
  loop.call_soon([&] {
    CHECK(Loop::running() == &loop);
    CHECK_THROWS_AS(loop.run(), std::logic_error);
    loop.stop();
  });
  loop.run();
  CHECK(Loop::running() == nullptr);
}

TEST_CASE("a callback that throws before a task began takes the task with it, and the loop runs on") {
  EventLoop<ThreadPlatform> loop;
  bool began = false;
  const auto note = [&]() -> Task<int> {
    began = true;
    co_return 1;
  };
  loop.call_soon([] { throw std::runtime_error("first"); });
  CHECK_THROWS_WITH(loop.run_until_complete(note()), "first");
  loop.call_soon([&] { loop.stop(); });
  loop.run();
  CHECK(!began);
}

TEST_CASE("run_until_complete hands out the value or the exception") {
  Loop loop;
  const auto value = []() -> Task<int> { co_return 42; };
  CHECK(loop.run_until_complete(value()) == 42);
  const auto failure = []() -> Task<int> {
    throw std::runtime_error("no");
    co_return 0;
  };
  CHECK_THROWS_AS(loop.run_until_complete(failure()), std::runtime_error);
  loop.call_soon([&] { loop.stop(); });
  const auto never = [](Loop& on) -> Task<int> {
    struct Forever {
      bool await_ready() { return false; }
      void await_suspend(std::coroutine_handle<>) {}
      void await_resume() {}
    };
    static_cast<void>(on);
    co_await Forever{};
    co_return 0;
  };
  CHECK_THROWS_AS(loop.run_until_complete(never(loop)), std::logic_error);
}

}  // namespace wakeproof
