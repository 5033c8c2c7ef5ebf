// Cancelling tasks on an event loop, and shield; on real descriptors and clocks.
#include <string>

#include "async_event.hpp"
#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "shield.hpp"
#include "test_tasks.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using Loop = EventLoop<P>;
using Event = AsyncEvent<P>;
using namespace std::chrono_literals;
using testing::give;
using testing::turn;
using testing::wait_on;

TEST_CASE("cancelled while it waits for an event or sleeps: thrown there, and nothing resumes it later", "[B5]") {
  Loop loop;
  Event event(loop);
  const auto waits = [](auto wait, int& throws) -> Task<int> {
    try {
      co_await wait();
    } catch (const cancelled&) {
      ++throws;
      throw;
    }
    co_return 1;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    int throws = 0;
    auto forever = on.create_task(waits([&] { return event.wait_until(std::nullopt); }, throws));
    auto until = on.create_task(waits([&] { return event.wait_until(P::clock::now() + 1ms); }, throws));
    auto sleeps = on.create_task(waits([&] { return on.sleep(1ms); }, throws));
    co_await turn(on);
    CHECK(forever.cancel());
    CHECK(until.cancel());
    CHECK(sleeps.cancel());
    CHECK(!forever.done());  // on the next turn
    event.set();             // finds nobody
    co_await on.sleep(3ms);  // nor do the timers
    CHECK(throws == 3);
    for (auto* task : {&forever, &until, &sleeps}) {
      CHECK(task->done());
      CHECK_THROWS_AS(task->result(), cancelled);
      CHECK(!task->cancel());
    }
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("cancelled before it began: it never does", "[B5]") {
  Loop loop;
  bool ran = false;
  const auto body = [](bool& begun) -> Task<int> {
    begun = true;
    co_return 1;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    auto task = on.create_task(body(ran));
    CHECK(task.cancel());
    CHECK_THROWS_AS(co_await task, cancelled);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
  CHECK(!ran);
}

TEST_CASE("cancelled after what it waits for has come, but before it ran: cancelled all the same", "[B5]") {
  Loop loop;
  Event event(loop);
  bool went_on = false;
  const auto then = [&](Task<bool> wait) -> Task<bool> {
    co_await std::move(wait);
    went_on = true;
    co_return true;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    auto by_event = on.create_task(then(wait_on(event)));
    co_await turn(on);
    event.set();
    CHECK(by_event.cancel());
    CHECK_THROWS_AS(co_await by_event, cancelled);
    CHECK(!went_on);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("cancelled when the task that it waits for has ended, but before it ran: cancelled all the same", "[B5]") {
  Loop loop;
  Event event(loop);
  bool went_on = false;
  std::optional<LoopTask<P, bool>> waiter;
  const auto ends = [&](Event& until) -> Task<bool> {
    co_await until.wait_until(std::nullopt);
    // Runs when this has ended and woken its waiter, and that has not run yet.
    loop.call_soon([&] { CHECK(waiter->cancel()); });
    co_return true;
  };
  const auto waits = [&](LoopTask<P, bool> task) -> Task<bool> {
    co_await task;
    went_on = true;
    co_return true;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    waiter.emplace(on.create_task(waits(on.create_task(ends(event)))));
    co_await turn(on);
    event.set();
    CHECK_THROWS_AS(co_await *waiter, cancelled);
    CHECK(!went_on);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("a task that cancels itself is stopped at its next wait, or is cancelled at its end", "[B5]") {
  Loop loop;
  using Handle = LoopTask<P, int>;
  const auto body = [](Loop& on, std::optional<Handle>& self, bool waits) -> Task<int> {
    self->cancel();
    if (waits) {
      co_await on.sleep(0ns);
      FAIL("went on after its cancellation");
    }
    co_return 1;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    for (const bool waits : {true, false}) {
      std::optional<Handle> self;
      self.emplace(on.create_task(body(on, self, waits)));
      CHECK_THROWS_AS(co_await *self, cancelled);
    }
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("a cancellation may be cleaned up after with further waits, and may be swallowed", "[B5]") {
  Loop loop;
  Event never(loop);
  const auto cleans = [](Loop& on, Event& event, int& cleaned) -> Task<int> {
    bool stopped = false;
    try {
      co_await event.wait_until(std::nullopt);
    } catch (const cancelled&) {
      stopped = true;  // no co_await in a handler
    }
    co_await on.sleep(1ms);
    ++cleaned;
    if (stopped) throw cancelled();
    co_return 1;
  };
  const auto swallows = [](Loop& on, Event& event) -> Task<int> {
    try {
      co_await event.wait_until(std::nullopt);
    } catch (const cancelled&) {
    }
    co_await on.sleep(0ns);  // the request is spent
    co_return 5;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    int cleaned = 0;
    auto first = on.create_task(cleans(on, never, cleaned));
    auto second = on.create_task(swallows(on, never));
    co_await turn(on);
    CHECK(first.cancel());
    CHECK(second.cancel());
    CHECK(second.cancel());  // twice before it is met is once
    CHECK(co_await second == 5);
    CHECK_THROWS_AS(co_await first, cancelled);
    CHECK(cleaned == 1);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("cancelling reaches the innermost coroutine, and the task that is waited for", "[B5]") {
  Loop loop;
  Event never(loop);
  std::string met;
  const auto inner = [&](Event& event) -> Task<int> {
    try {
      co_await event.wait_until(std::nullopt);
    } catch (const cancelled&) {
      met += "inner ";
      throw;
    }
    co_return 1;
  };
  const auto middle = [&](Event& event) -> Task<int> {
    try {
      co_return co_await inner(event);
    } catch (const cancelled&) {
      met += "middle ";
      throw;
    }
  };
  const auto outer = [&](LoopTask<P, int> task) -> Task<int> {
    try {
      co_return co_await task;
    } catch (const cancelled&) {
      met += "outer";
      throw;
    }
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    auto awaited = on.create_task(middle(never));
    auto awaiting = on.create_task(outer(awaited));
    co_await turn(on);
    CHECK(awaiting.cancel());
    CHECK_THROWS_AS(co_await awaiting, cancelled);
    CHECK(awaited.done());
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
  CHECK(met == "inner middle outer");
}

TEST_CASE("a request that comes before the wait for a task is passed on to it too", "[B5]") {
  Loop loop;
  Event never(loop);
  using Handle = LoopTask<P, bool>;
  const auto outer = [](Handle task, std::optional<Handle>& self) -> Task<bool> {
    self->cancel();
    co_return co_await task;
  };
  const auto main = [&](Loop& on) -> Task<bool> {
    auto awaited = on.create_task(wait_on(never));
    co_await turn(on);
    std::optional<Handle> self;
    self.emplace(on.create_task(outer(awaited, self)));
    CHECK_THROWS_AS(co_await *self, cancelled);
    CHECK(awaited.done());
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("a waited-for task that swallows the cancellation gives the waiter its value", "[B5]") {
  Loop loop;
  Event never(loop);
  const auto swallows = [](Event& event) -> Task<int> {
    try {
      co_await event.wait_until(std::nullopt);
    } catch (const cancelled&) {
    }
    co_return 5;
  };
  const auto outer = [](LoopTask<P, int> task) -> Task<int> { co_return co_await task; };
  const auto main = [&](Loop& on) -> Task<int> {
    auto awaiting = on.create_task(outer(on.create_task(swallows(never))));
    co_await turn(on);
    CHECK(awaiting.cancel());
    co_return co_await awaiting;
  };
  CHECK(loop.run_until_complete(main(loop)) == 5);
}

TEST_CASE("a task that waits for itself is told so", "[B5]") {
  Loop loop;
  using Handle = LoopTask<P, int>;
  const auto body = [](std::optional<Handle>& self) -> Task<int> { co_return co_await *self; };
  const auto main = [&](Loop& on) -> Task<bool> {
    std::optional<Handle> self;
    self.emplace(on.create_task(body(self)));
    CHECK_THROWS_AS(co_await *self, std::logic_error);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
}

TEST_CASE("cancelling who waits in a shield leaves the task alone; without one it does not", "[B5b]") {
  Loop loop;
  for (const bool shielded : {true, false}) {
    Event clean(loop);
    const auto clean_up = [](Event& event, bool& cleaned) -> Task<int> {
      co_await event.wait_until(std::nullopt);
      cleaned = true;
      co_return 3;
    };
    const auto waits = [](LoopTask<P, int> task, bool shields) -> Task<int> {
      if (shields) co_return co_await shield(task);
      co_return co_await task;
    };
    const auto main = [&](Loop& on) -> Task<bool> {
      bool cleaned = false;
      auto task = on.create_task(clean_up(clean, cleaned));
      auto waiter = on.create_task(waits(task, shielded));
      co_await turn(on);
      CHECK(waiter.cancel());
      CHECK_THROWS_AS(co_await waiter, cancelled);
      CHECK(task.done() == !shielded);
      clean.set();
      if (shielded) {
        CHECK(co_await shield(task) == 3);
      } else {
        CHECK_THROWS_AS(co_await task, cancelled);
      }
      CHECK(cleaned == shielded);
      co_return true;
    };
    CHECK(loop.run_until_complete(main(loop)));
  }
}

TEST_CASE("on shutdown a shielded clean-up runs to its end, and its task can be waited for", "[B5b]") {
  Loop loop;
  int cleaned = 0;
  const auto clean_up = [](Loop& on, int& done) -> Task<int> {
    co_await on.sleep(1ms);
    co_return ++done;
  };
  const auto service = [&](Loop& on) -> Task<int> { co_return co_await shield(on, clean_up(on, cleaned)); };
  const auto main = [&](Loop& on) -> Task<bool> {
    auto task = on.create_task(service(on));
    co_await turn(on);
    CHECK(task.cancel());
    CHECK_THROWS_AS(co_await task, cancelled);
    CHECK(cleaned == 0);
    co_await on.sleep(20ms);
    co_return true;
  };
  CHECK(loop.run_until_complete(main(loop)));
  CHECK(cleaned == 1);
}

}  // namespace wakeproof
