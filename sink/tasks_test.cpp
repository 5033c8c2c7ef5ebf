// Tasks on an event loop, shield, and futures for plain threads; on real threads.
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "async_event.hpp"
#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "loop_future.hpp"
#include "shield.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using Loop = EventLoop<P>;
using Event = AsyncEvent<P>;
using namespace std::chrono_literals;

namespace {

Task<int> give(int value) {
  co_return value;
}

Task<int> fail() {
  throw std::runtime_error("no");
  co_return 0;
}

Task<bool> wait_on(Event& event) {
  co_return co_await event.wait_until(std::nullopt);
}

// One turn of the loop: what was ready is run.
Task<bool> turn(Loop& loop) {
  co_return co_await loop.sleep(0ns);
}

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

// --- on the loop's thread ------------------------------------------------------------------------------

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

// --- from other threads --------------------------------------------------------------------------------

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
