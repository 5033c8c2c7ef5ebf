// OutputSink on real threads: the acceptance list of its requirements (A1-A10), for both wake policies.
#include "output_sink.hpp"

#include <thread>

#include "ci/catch2.hpp"
#include "event_wake.hpp"
#include "loop_wake.hpp"
#include "thread_platform.hpp"

namespace wakeproof {
namespace {

using P = ThreadPlatform;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Items = std::vector<int>;
constexpr std::size_t kAll = 1'000'000;

// A sink whose consumer is the calling thread.
struct Blocking {
  OutputSink<P, int, EventWake<P>> sink;
  Items get(std::size_t max_items = kAll, std::optional<milliseconds> timeout = {}) {
    return sink.get_batch(max_items, timeout);
  }
};

// A sink whose consumer is a coroutine on a loop of the calling thread.
struct OnLoop {
  EventLoop<P> loop;
  OutputSink<P, int, LoopWake<P>> sink;
  OnLoop() { sink.bind_loop(loop); }
  Items get(std::size_t max_items = kAll, std::optional<milliseconds> timeout = {}) {
    return loop.run_until_complete(sink.get_batch(max_items, timeout));
  }
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

TEMPLATE_TEST_CASE("items come in the order they were put", "[A1]", Blocking, OnLoop) {
  TestType consumer;
  for (int i = 0; i < 5; ++i) consumer.sink.put(i);
  CHECK(consumer.get() == Items{0, 1, 2, 3, 4});
}

TEMPLATE_TEST_CASE("1000 puts with no consumption schedule one wake", "[A2][P2]", Blocking, OnLoop) {
  TestType consumer;
  for (int i = 0; i < 1000; ++i) consumer.sink.put(i);
  CHECK(consumer.sink.wakeups_scheduled() == 1);
  CHECK(consumer.get().size() == 1000);
}

TEMPLATE_TEST_CASE("a batch is bounded and what is left needs no wake", "[A3]", Blocking, OnLoop) {
  TestType consumer;
  for (int i = 0; i < 5; ++i) consumer.sink.put(i);
  CHECK(consumer.get(2) == Items{0, 1});
  const auto begin = Clock::now();
  CHECK(consumer.get(2, milliseconds(5000)) == Items{2, 3});
  CHECK(consumer.get(2, milliseconds(5000)) == Items{4});
  CHECK(seconds_since(begin) < 2);
  CHECK_THROWS_AS(consumer.get(0), std::invalid_argument);
}

TEMPLATE_TEST_CASE("nothing to take: an empty batch, and only after the timeout", "[A3][A9]", Blocking, OnLoop) {
  TestType consumer;
  const auto begin = Clock::now();
  CHECK(consumer.get(kAll, milliseconds(30)).empty());
  CHECK(seconds_since(begin) >= 0.03);
  CHECK(seconds_since(begin) < 5);
}

TEMPLATE_TEST_CASE("a left-over ring costs a turn and does not extend the wait", "[A9][P7]", Blocking, OnLoop) {
  TestType consumer;
  consumer.sink.put(1);
  CHECK(consumer.get() == Items{1});  // taken at once: its ring is still to be consumed
  const auto begin = Clock::now();
  CHECK(consumer.get(kAll, milliseconds(30)).empty());
  CHECK(seconds_since(begin) >= 0.03);
  CHECK(seconds_since(begin) < 5);
}

TEMPLATE_TEST_CASE("four producers, 5000 items each: complete and in order", "[A1][P4a][P5b]", Blocking, OnLoop) {
  constexpr int kProducers = 4;
  constexpr int kItems = 5000;
  TestType consumer;
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&sink = consumer.sink, p] {
      for (int i = 0; i < kItems; ++i) sink.put(p * kItems + i);
    });
  }
  std::vector<int> next(kProducers, 0);
  bool in_order = true;
  for (std::size_t taken = 0; taken < std::size_t{kProducers} * kItems;) {
    const Items batch = consumer.get(64);
    taken += batch.size();
    for (const int item : batch) in_order &= item % kItems == next[static_cast<std::size_t>(item / kItems)]++;
  }
  for (std::thread& producer : producers) producer.join();
  CHECK(in_order);
  CHECK(next == std::vector<int>(kProducers, kItems));
  CHECK(consumer.sink.wakeups_scheduled() <= kProducers * kItems);
}

TEMPLATE_TEST_CASE("300 rounds of ping-pong lose no wake", "[wake][P1][P3][P6]", Blocking, OnLoop) {
  TestType consumer;
  Blocking echo;
  std::thread other([&] {
    for (int round = 0; round < 300; ++round) {
      for (const int item : echo.get(1)) consumer.sink.put(item);
    }
  });
  int lost = 0;
  for (int round = 0; round < 300; ++round) {
    echo.sink.put(round);
    lost += consumer.get(1, milliseconds(20'000)) != Items{round};
  }
  other.join();
  CHECK(lost == 0);
}

TEMPLATE_TEST_CASE("a put between the empty drain and the arming is taken at once", "[A4][A5][A6][P1][P5a]", Blocking,
                   OnLoop) {
  // The seed's example 2: 'a' is taken without arming, 'b' falls into the window.
  TestType consumer;
  consumer.sink.put(1);
  CHECK(consumer.get() == Items{1});
  CHECK(consumer.sink.observe().flag_raised);  // t0: the last round did not arm
  int hooks = 0;
  consumer.sink.after_empty_drain([&] {
    if (hooks++ > 0) return;
    CHECK(consumer.sink.observe().queued == 0);         // t1
    std::thread([&] { consumer.sink.put(2); }).join();  // t2; would never end if a lock were held
    CHECK(consumer.sink.wakeups_scheduled() == 1);
  });
  const auto begin = Clock::now();
  CHECK(consumer.get(kAll, milliseconds(20'000)) == Items{2});  // t4: the second drain
  CHECK(seconds_since(begin) < 10);
  CHECK(hooks == 1);
  CHECK(consumer.sink.wakeups_scheduled() == 1);
  CHECK_FALSE(consumer.sink.observe().flag_raised);
  consumer.sink.put(3);
  CHECK(consumer.sink.wakeups_scheduled() == 2);
}

TEMPLATE_TEST_CASE("example 1, row by row", "[A2][A10]", Blocking, OnLoop) {
  TestType consumer;
  const auto wakes = [&] { return consumer.sink.wakeups_scheduled(); };
  for (const int item : {'a', 'b', 'c'}) consumer.sink.put(item);
  CHECK(wakes() == 1);
  CHECK(consumer.get(2) == Items{'a', 'b'});
  CHECK(wakes() == 1);
  CHECK(consumer.get(2) == Items{'c'});
  CHECK(wakes() == 1);
  consumer.sink.put('d');
  CHECK(wakes() == 1);
  CHECK(consumer.get() == Items{'d'});
  CHECK(wakes() == 1);
  CHECK(consumer.get(kAll, milliseconds(50)).empty());
  CHECK(wakes() == 1);
  consumer.sink.put('e');
  CHECK(wakes() == 2);
  CHECK(consumer.get() == Items{'e'});
  CHECK(wakes() == 2);
}

TEMPLATE_TEST_CASE("example 3: a waiting consumer, five puts from another thread", "[A2]", Blocking, OnLoop) {
  TestType consumer;
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    for (int i = 0; i < 5; ++i) consumer.sink.put(i);
  });
  Items all;
  while (all.size() < 5) {
    const Items batch = consumer.get(kAll, milliseconds(20'000));
    REQUIRE_FALSE(batch.empty());
    all.insert(all.end(), batch.begin(), batch.end());
  }
  other.join();
  CHECK(all == Items{0, 1, 2, 3, 4});
  // The consumer may be fast enough to take some, and to arm again, before the last put.
  CHECK(consumer.sink.wakeups_scheduled() >= 1);
  CHECK(consumer.sink.wakeups_scheduled() <= 5);
}

TEST_CASE("example 3 exactly: five puts before the loop looks again are one batch and one wake", "[A2]") {
  OnLoop consumer;
  // As in the seed, the puts come while the loop's thread is in a callback, so it sees them together.
  consumer.loop.call_soon([&] {
    std::thread([&] {
      for (int i = 0; i < 5; ++i) consumer.sink.put(i);
    }).join();
  });
  CHECK(consumer.get() == Items{0, 1, 2, 3, 4});
  CHECK(consumer.sink.wakeups_scheduled() == 1);
}

TEST_CASE("puts before bind_loop only enqueue, and the first batch finds them", "[A7]") {
  EventLoop<P> loop;
  OutputSink<P, int, LoopWake<P>> sink;
  sink.put(1);
  sink.put(2);
  CHECK(sink.wakeups_scheduled() == 0);
  CHECK_THROWS_AS(sink.bind_loop(), std::logic_error);  // no loop runs this thread
  const auto bind_and_get = [&]() -> Task<Items> {
    sink.bind_loop();
    co_return co_await sink.get_batch(kAll);
  };
  CHECK(loop.run_until_complete(bind_and_get()) == Items{1, 2});
  sink.put(3);
  CHECK(sink.wakeups_scheduled() == 1);
}

TEST_CASE("a closed loop: put swallows it, and the flag does not stay raised", "[A8]") {
  OnLoop consumer;
  CHECK(consumer.loop.close() == 0);
  consumer.sink.put(1);
  CHECK_FALSE(consumer.sink.observe().flag_raised);
  consumer.sink.put(2);
  CHECK_FALSE(consumer.sink.observe().flag_raised);
  CHECK(consumer.sink.observe().queued == 2);
  // Bound to another loop, it goes on where it was.
  EventLoop<P> second;
  consumer.sink.bind_loop(second);
  CHECK(second.run_until_complete(consumer.sink.get_batch(kAll)) == Items{1, 2});
}

TEMPLATE_TEST_CASE("close: what was put is taken, then the end; a later put is refused", "[close]", Blocking, OnLoop) {
  TestType consumer;
  for (int i = 0; i < 5; ++i) CHECK(consumer.sink.put(i));
  consumer.sink.close();
  CHECK_FALSE(consumer.sink.put(5));
  CHECK_FALSE(consumer.sink.ended());
  CHECK(consumer.get(3) == Items{0, 1, 2});
  CHECK_FALSE(consumer.sink.ended());
  CHECK(consumer.get(3) == Items{3, 4});
  CHECK(consumer.sink.ended());
  CHECK(consumer.get().empty());                       // no timeout, and yet it returns
  CHECK(consumer.get(1, milliseconds(5000)).empty());  // and again
  consumer.sink.close();
  CHECK(consumer.get().empty());
}

TEMPLATE_TEST_CASE("close wakes a waiting consumer", "[close]", Blocking, OnLoop) {
  TestType consumer;
  CHECK(consumer.get(kAll, milliseconds(1)).empty());
  CHECK_FALSE(consumer.sink.ended());  // that was the timeout
  std::thread closer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    consumer.sink.close();
  });
  CHECK(consumer.get().empty());
  CHECK(consumer.sink.ended());
  closer.join();
}

TEMPLATE_TEST_CASE("close races with puts: each is refused, or delivered", "[close]", Blocking, OnLoop) {
  for (int round = 0; round < 200; ++round) {
    constexpr int kProducers = 3;
    TestType consumer;
    std::vector<int> accepted(kProducers, 0);
    std::vector<std::thread> threads;
    for (int p = 0; p < kProducers; ++p) {
      threads.emplace_back([&, p] {
        int& count = accepted[static_cast<std::size_t>(p)];
        while (count < 1000 && consumer.sink.put(p * 1000 + count)) ++count;
      });
    }
    threads.emplace_back([&] {
      if (round % 2 == 1) std::this_thread::sleep_for(std::chrono::microseconds(round));
      consumer.sink.close();
    });
    std::vector<int> arrived(kProducers, 0);
    bool in_order = true;
    for (Items batch = consumer.get(16); !batch.empty(); batch = consumer.get(16)) {
      for (const int item : batch) in_order &= item % 1000 == arrived[static_cast<std::size_t>(item / 1000)]++;
    }
    for (std::thread& thread : threads) thread.join();
    REQUIRE(in_order);
    REQUIRE(arrived == accepted);
    REQUIRE(consumer.sink.ended());
  }
}

}  // namespace wakeproof
