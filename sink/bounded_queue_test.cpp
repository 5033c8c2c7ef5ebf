// BoundedQueue on real threads: blocking, timed and try versions, full and empty, closed, for both wakes.
#include "bounded_queue.hpp"

#include <thread>
#include <vector>

#include "ci/catch2.hpp"
#include "event_wake.hpp"
#include "loop_wake.hpp"
#include "thread_platform.hpp"

namespace wakeproof {
namespace {

using P = ThreadPlatform;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Taken = std::optional<int>;

// A queue whose consumer is the calling thread.
struct Blocking {
  BoundedQueue<P, int, EventWake<P>> queue;
  explicit Blocking(std::size_t capacity) : queue(capacity) {}
  Taken take(std::optional<milliseconds> timeout = {}) { return queue.take(timeout); }
};

// A queue whose consumer is a coroutine on a loop of the calling thread.
struct OnLoop {
  EventLoop<P> loop;
  BoundedQueue<P, int, LoopWake<P>> queue;
  explicit OnLoop(std::size_t capacity) : queue(capacity) { queue.bind_loop(loop); }
  Taken take(std::optional<milliseconds> timeout = {}) { return loop.run_until_complete(queue.take(timeout)); }
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

TEMPLATE_TEST_CASE("bounded queue: try versions say full and empty", "[bounded]", Blocking, OnLoop) {
  TestType consumer(2);
  CHECK(consumer.queue.try_take() == std::nullopt);
  CHECK(consumer.queue.try_put(1) == PutResult::delivered);
  CHECK(consumer.queue.try_put(2) == PutResult::delivered);
  CHECK(consumer.queue.try_put(3) == PutResult::full);
  CHECK(consumer.queue.try_take() == 1);
  CHECK(consumer.queue.try_put(3) == PutResult::delivered);
  CHECK(consumer.take() == 2);
  CHECK(consumer.take() == 3);
  CHECK_THROWS_AS(TestType(0), std::invalid_argument);
}

TEMPLATE_TEST_CASE("bounded queue: timed versions wait as long as they say", "[bounded]", Blocking, OnLoop) {
  TestType consumer(1);
  auto begin = Clock::now();
  CHECK(consumer.take(milliseconds(30)) == std::nullopt);
  CHECK(seconds_since(begin) >= 0.03);
  CHECK_FALSE(consumer.queue.ended());
  CHECK(consumer.queue.put(1, milliseconds(30)) == PutResult::delivered);
  begin = Clock::now();
  CHECK(consumer.queue.put(2, milliseconds(30)) == PutResult::full);
  CHECK(seconds_since(begin) >= 0.03);
  CHECK(consumer.take(milliseconds(5000)) == 1);
  CHECK(seconds_since(begin) < 4);
}

TEMPLATE_TEST_CASE("bounded queue: a put waits for room, and a take makes it", "[bounded]", Blocking, OnLoop) {
  TestType consumer(1);
  REQUIRE(consumer.queue.try_put(1) == PutResult::delivered);
  PutResult result = PutResult::full;
  std::thread producer([&] { result = consumer.queue.put(2, milliseconds(20'000)); });
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(consumer.queue.try_put(3) == PutResult::full);
  CHECK(consumer.take() == 1);
  CHECK(consumer.take(milliseconds(20'000)) == 2);
  producer.join();
  CHECK(result == PutResult::delivered);
}

TEMPLATE_TEST_CASE("bounded queue: four producers, complete and in order, never more than fit", "[bounded]", Blocking,
                   OnLoop) {
  constexpr int kProducers = 4;
  constexpr int kItems = 2000;
  for (const std::size_t capacity : {1, 3, 64}) {
    TestType consumer(capacity);
    std::vector<std::thread> producers;
    for (int p = 0; p < kProducers; ++p) {
      producers.emplace_back([&queue = consumer.queue, p] {
        for (int i = 0; i < kItems; ++i) {
          const int item = p * kItems + i;
          if (i % 3 == 0) {
            while (queue.try_put(item) == PutResult::full) std::this_thread::yield();
          } else if (i % 3 == 1) {
            while (queue.put(item, milliseconds(1)) == PutResult::full) {
            }
          } else {
            queue.put(item);
          }
        }
      });
    }
    std::vector<int> next(kProducers, 0);
    bool in_order = true;
    for (int taken = 0; taken < kProducers * kItems; ++taken) {
      const Taken item = consumer.take(milliseconds(20'000));
      REQUIRE(item);
      in_order &= *item % kItems == next[static_cast<std::size_t>(*item / kItems)]++;
    }
    for (std::thread& producer : producers) producer.join();
    CHECK(in_order);
    CHECK(consumer.queue.try_take() == std::nullopt);
  }
}

TEMPLATE_TEST_CASE("bounded queue: close refuses puts that wait, and leaves what is there", "[bounded]", Blocking,
                   OnLoop) {
  TestType consumer(1);
  REQUIRE(consumer.queue.try_put(1) == PutResult::delivered);
  std::vector<PutResult> results(3, PutResult::full);
  std::vector<std::thread> producers;
  for (PutResult& result : results) producers.emplace_back([&] { result = consumer.queue.put(2); });
  std::this_thread::sleep_for(milliseconds(20));
  consumer.queue.close();
  for (std::thread& producer : producers) producer.join();
  CHECK(results == std::vector(3, PutResult::closed));
  CHECK(consumer.queue.try_put(3) == PutResult::closed);
  CHECK_FALSE(consumer.queue.ended());
  CHECK(consumer.take() == 1);
  CHECK(consumer.take() == std::nullopt);
  CHECK(consumer.queue.ended());
}

TEMPLATE_TEST_CASE("bounded queue: close wakes a consumer that waits", "[bounded]", Blocking, OnLoop) {
  TestType consumer(1);
  std::thread closer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    consumer.queue.close();
  });
  CHECK(consumer.take() == std::nullopt);
  CHECK(consumer.queue.ended());
  closer.join();
}

}  // namespace wakeproof
