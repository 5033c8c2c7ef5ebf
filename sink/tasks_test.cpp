// Tasks on an event loop: how they run, end and are destroyed; on real descriptors and clocks.
#include <memory>
#include <stdexcept>

#include "async_event.hpp"
#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "test_tasks.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using Loop = EventLoop<P>;
using Event = AsyncEvent<P>;
using namespace std::chrono_literals;
using testing::fail;
using testing::give;
using testing::turn;
using testing::wait_on;

TEST_CASE("a task runs by itself, and gives its value or its exception to all who wait", "[B5]") {
  Loop loop;
  const auto main = [](Loop& on) -> Task<int> {
    auto good = on.create_task(give(20));
    auto bad = on.create_task(fail());
    CHECK(!good.done());  // begins on the next turn
    CHECK_THROWS_AS(good.result(), std::logic_error);
    const int first = co_await good;
    const int again = co_await good;
    CHECK_THROWS_AS(co_await bad, std::runtime_error);
    CHECK_THROWS_AS(bad.result(), std::runtime_error);
    CHECK(good.done());
    CHECK(!good.cancel());
    CHECK(good.result() == 20);
    co_return first + again;
  };
  CHECK(loop.run_until_complete(main(loop)) == 40);
}

TEST_CASE("a task goes on without its handle", "[B5]") {
  Loop loop;
  bool ran = false;
  const auto note = [](Loop& on, bool& done) -> Task<bool> {
    co_await on.sleep(1ms);
    done = true;
    on.stop();
    co_return true;
  };
  loop.create_task(note(loop, ran));
  loop.run();
  CHECK(ran);
}

TEST_CASE("a value that can only be moved is given once", "[B5]") {
  Loop loop;
  const auto make = []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
  const auto main = [&make](Loop& on) -> Task<int> {
    auto task = on.create_task(make());
    const std::unique_ptr<int> value = co_await task;
    co_return *value;
  };
  CHECK(loop.run_until_complete(main(loop)) == 7);
}

TEST_CASE("a coroutine is destroyed where it waits, and nothing resumes it", "[B5]") {
  Loop loop;
  auto event = std::make_unique<Event>(loop);
  const auto waits = [](Event& on, Deadline<P> deadline) -> Task<bool> { co_return co_await on.wait_until(deadline); };
  {
    Task<bool> waiting = waits(*event, P::clock::now());
    Task<bool> woken = waits(*event, std::nullopt);
    waiting.start();
    woken.start();
    event->set();  // both are to go on next turn
    event->clear();
    Task<bool> left = waits(*event, P::clock::now());
    left.start();
  }
  event->set();
  Task<bool> orphan = waits(*event, std::nullopt);
  event->clear();
  orphan.start();
  event.reset();
  loop.call_at(P::clock::now() + 2ms, [&] { loop.stop(); });
  loop.run();
  CHECK(!orphan.done());
}

TEST_CASE("a timer that is due when its wait is destroyed finds nobody", "[B5]") {
  Loop loop;
  Event event(loop);
  const auto waits = [](Event& on) -> Task<bool> { co_return co_await on.wait_until(P::clock::now()); };
  std::optional<Task<bool>> task = waits(event);
  task->start();
  loop.call_soon([&] { task.reset(); });  // the timer's callback is queued behind it
  loop.call_at(P::clock::now() + 1ms, [&] { loop.stop(); });
  loop.run();
  CHECK(!task);
}

TEST_CASE("a coroutine that sleeps, or waits for a task, is destroyed there too", "[B5]") {
  Loop loop;
  const auto waits = [](LoopTask<P, bool> task) -> Task<bool> { co_return co_await task; };
  auto task = loop.create_task(turn(loop));
  {
    Task<bool> waiting = waits(task);
    Task<bool> sleeping = turn(loop);
    waiting.start();
    sleeping.start();
  }
  loop.call_at(P::clock::now() + 2ms, [&] { loop.stop(); });
  loop.run();
  CHECK(task.result());
}

TEST_CASE("a set and a timeout in one turn resume a wait once", "[B5]") {
  Loop loop;
  Event event(loop);
  int resumed = 0;
  bool rung = false;
  const auto waits = [](Loop& on, Event& until, int& times, bool& by_set) -> Task<bool> {
    by_set = co_await until.wait_until(P::clock::now() + 1ms);
    ++times;
    co_await on.sleep(5ms);  // a second resumption would come here
    ++times;
    on.stop();
    co_return true;
  };
  Task<bool> task = waits(loop, event, resumed, rung);
  const auto begin = P::clock::now();
  task.start();
  while (P::clock::now() < begin + 2ms) {  // both are due when the loop begins to turn
  }
  loop.call_soon([&] { event.set(); });
  loop.call_soon([&] { CHECK(resumed == 0); });
  loop.run();
  CHECK(P::clock::now() >= begin + 6ms);
  CHECK(resumed == 2);
  CHECK(rung);
}

TEST_CASE("closing a loop ends its tasks where they wait", "[B5]") {
  int ended = 0;
  struct AtEnd {
    int& count;
    ~AtEnd() { ++count; }
  };
  const auto waits = [](Event& event, int& count) -> Task<int> {
    const AtEnd mark{count};
    co_await event.wait_until(std::nullopt);
    co_return 1;
  };
  for (const bool closes : {true, false}) {
    ended = 0;
    auto loop = std::make_unique<Loop>();
    auto event = std::make_unique<Event>(*loop);
    auto one = loop->create_task(waits(*event, ended));
    auto other = loop->create_task(waits(*event, ended));
    loop->call_soon([&] { loop->stop(); });
    loop->run();
    auto unbegun = loop->create_task(give(1));
    if (closes) {
      loop->close();
      CHECK(ended == 2);
      CHECK(unbegun.done());
      CHECK_THROWS_AS(loop->create_task(give(1)), loop_closed);
    }
    event.reset();
    loop.reset();
    CHECK(ended == 2);
    CHECK_THROWS_AS(one.result(), loop_closed);
    CHECK_THROWS_AS(other.result(), loop_closed);
    CHECK_THROWS_AS(unbegun.result(), loop_closed);
  }
}

TEST_CASE("closing a loop: what ends with a task may wake another one", "[B5]") {
  struct SetsAtEnd {
    Event& event;
    ~SetsAtEnd() { event.set(); }
  };
  Loop loop;
  Event never(loop), ended(loop);
  const auto holds = [&]() -> Task<bool> {
    const SetsAtEnd sets{ended};
    co_return co_await never.wait_until(std::nullopt);
  };
  auto holder = loop.create_task(holds());
  auto waiter = loop.create_task(wait_on(ended));
  loop.call_soon([&] { loop.call_soon([&] { loop.stop(); }); });
  loop.run();
  CHECK(loop.close() == 0);
  CHECK_THROWS_AS(holder.result(), loop_closed);
  CHECK_THROWS_AS(waiter.result(), loop_closed);
  CHECK_THROWS_AS(loop.call_soon([] {}), loop_closed);
}

}  // namespace wakeproof
