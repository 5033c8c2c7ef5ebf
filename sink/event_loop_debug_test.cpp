// EventLoop in debug mode: calls from the wrong thread, slow callbacks, tasks that nobody awaited.
#include <string>
#include <thread>
#include <vector>

#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "test_descriptors.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using std::chrono::milliseconds;
using testing::contains;
using testing::SocketPair;

namespace {

// Time passes when a callback says so.
struct OwnTime : ThreadPlatform {
  struct clock : ThreadPlatform::clock {
    static time_point now() { return passed; }
    static void pass(duration by) { passed += by; }
    static inline time_point passed = ThreadPlatform::clock::now();
  };
};

struct Reported {
  std::vector<SlowCallback> slow;
  std::vector<std::string> never_awaited;

  LoopDebug debug(std::chrono::nanoseconds threshold = milliseconds(100)) {
    return {
        .slow = threshold,
        .on_slow_callback = [this](const SlowCallback& found) { slow.push_back(found); },
        .on_never_awaited = [this](const std::source_location& at) { never_awaited.push_back(at.function_name()); }};
  }
};

Task<int> awaited() {
  co_return 1;
}
Task<int> forgotten() {
  co_return 2;
}
Task<int> forgets_one() {
  {
    const Task<int> nobody_awaits = forgotten();
  }
  co_return co_await awaited();
}

}  // namespace

TEST_CASE("debug: what is the loop thread's throws in another one, and says what to call instead", "[B4]") {
  EventLoop<ThreadPlatform> loop{LoopDebug{}};
  SocketPair pair;
  const auto timer = loop.call_later(std::chrono::hours(1), [] {});
  bool by_the_right_way = false;
  loop.call_soon([&] {  // the loop runs
    std::thread foreign([&] {
      CHECK_THROWS_WITH(loop.call_soon([] {}), contains("call_soon: ") && contains("call_soon_threadsafe"));
      CHECK_THROWS_AS(loop.call_later(milliseconds(1), [] {}), std::logic_error);
      CHECK_THROWS_AS(loop.cancel(timer), std::logic_error);
      CHECK_THROWS_WITH(loop.add_reader(pair.ours, [] {}), contains("add_reader: "));
      CHECK_THROWS_WITH(loop.add_writer(pair.ours, [] {}), contains("add_writer: "));
      CHECK_THROWS_WITH(loop.remove_reader(pair.ours), contains("remove_reader: "));
      CHECK_THROWS_WITH(loop.remove_writer(pair.ours), contains("remove_writer: "));
      CHECK_THROWS_WITH(loop.stop(), contains("stop: "));
      CHECK_THROWS_WITH(loop.close(), contains("close: "));
      loop.call_soon_threadsafe([&] {
        by_the_right_way = true;
        loop.stop();
      });
    });
    foreign.join();
  });
  loop.run();
  CHECK(by_the_right_way);
}

TEST_CASE("debug: the thread of another loop is a foreign one too", "[B4]") {
  EventLoop<ThreadPlatform> loop{LoopDebug{}};
  loop.call_soon([&] {
    std::thread foreign([&] {
      EventLoop<ThreadPlatform> another;
      another.call_soon([&] {
        CHECK_THROWS_AS(loop.call_soon([] {}), std::logic_error);
        another.stop();
      });
      another.run();
    });
    foreign.join();
    loop.stop();
  });
  loop.run();
}

TEST_CASE("debug: a loop that does not run belongs to whoever has it", "[B4]") {
  EventLoop<ThreadPlatform> loop{LoopDebug{}};
  int ran = 0;
  const auto queue_from_elsewhere = [&] {
    std::thread elsewhere([&] {
      loop.call_soon([&] {
        ++ran;
        loop.stop();
      });
    });
    elsewhere.join();
  };
  queue_from_elsewhere();
  loop.run();
  queue_from_elsewhere();
  loop.run();
  CHECK(ran == 2);
}

TEST_CASE("debug: each slow call is reported once, with its time and where it was queued") {
  Reported reported;
  EventLoop<OwnTime> loop{reported.debug()};
  const unsigned line = __LINE__;
  loop.call_soon([] { OwnTime::clock::pass(milliseconds(101)); });
  loop.call_soon([] { OwnTime::clock::pass(milliseconds(100)); });  // no longer than the threshold
  loop.call_soon_threadsafe([] { OwnTime::clock::pass(milliseconds(300)); });
  loop.call_at({}, [&] {
    OwnTime::clock::pass(milliseconds(400));
    loop.stop();
  });
  loop.run();
  REQUIRE(reported.slow.size() == 3);
  // What was posted and what is due come to the end of the queue, in this order.
  CHECK(reported.slow[0].took == milliseconds(101));
  CHECK(reported.slow[0].queued_at.line() == line + 1);
  CHECK(std::string(reported.slow[0].queued_at.file_name()).find("event_loop_debug_test.cpp") != std::string::npos);
  CHECK(reported.slow[1].took == milliseconds(300));
  CHECK(reported.slow[1].queued_at.line() == line + 3);
  CHECK(reported.slow[2].took == milliseconds(400));
  CHECK(reported.slow[2].queued_at.line() == line + 4);
}

TEST_CASE("debug: a slow reader is reported for each of its calls, a quick one not at all") {
  Reported reported;
  EventLoop<OwnTime> loop{reported.debug(milliseconds(10))};
  SocketPair slow;
  SocketPair quick;
  slow.send("abc");
  quick.send("abc");
  loop.add_reader(slow.ours, [&] {
    OwnTime::clock::pass(milliseconds(11));
    slow.receive(1);
  });
  loop.add_reader(quick.ours, [&] {
    if (quick.receive(1) == "c") loop.call_soon([&] { loop.stop(); });
  });
  loop.run();
  CHECK(reported.slow.size() == 3);
}

TEST_CASE("debug: a slow callback that throws is reported too, and its exception comes out of run()") {
  Reported reported;
  EventLoop<OwnTime> loop{reported.debug()};
  loop.call_soon([] {
    OwnTime::clock::pass(milliseconds(500));
    throw std::runtime_error("slow and wrong");
  });
  CHECK_THROWS_WITH(loop.run(), contains("slow and wrong"));
  REQUIRE(reported.slow.size() == 1);
  CHECK(reported.slow[0].took == milliseconds(500));
}

TEST_CASE("debug: a task that was made and never awaited is reported, once, by name") {
  Reported reported;
  EventLoop<ThreadPlatform> loop{reported.debug()};
  CHECK(loop.run_until_complete(forgets_one()) == 1);
  REQUIRE(reported.never_awaited.size() == 1);
  CHECK_THAT(reported.never_awaited[0], contains("forgotten"));
}

TEST_CASE("debug: a task that was started and destroyed before its end is not called forgotten") {
  Reported reported;
  EventLoop<ThreadPlatform> loop{reported.debug()};
  const auto suspends = []() -> Task<int> {
    co_await std::suspend_always{};
    co_return 0;
  };
  loop.call_soon([&] {
    suspends().start();
    loop.stop();
  });
  loop.run();
  CHECK(reported.never_awaited.empty());
}

TEST_CASE("only a loop in debug mode listens, and only while it runs") {
  Reported reported;
  EventLoop<ThreadPlatform> quiet;
  CHECK(quiet.run_until_complete(forgets_one()) == 1);
  EventLoop<ThreadPlatform> loop{reported.debug()};
  {
    const Task<int> before_it_runs = forgotten();
  }
  CHECK(loop.run_until_complete(awaited()) == 1);
  {
    const Task<int> afterwards = forgotten();
  }
  CHECK(reported.never_awaited.empty());
}

}  // namespace wakeproof
