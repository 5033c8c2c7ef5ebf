// EventLoop against the system: fork, signals, a full pipe, no descriptors left, and close() against its posters.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "test_descriptors.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using std::chrono::milliseconds;
using CountedWaits = testing::CountedWaits<testing::Default>;
using testing::open_descriptors;
using testing::opened_since;
using testing::SocketPair;

#define ON_EVERY_SELECTOR(name, tags) TEMPLATE_TEST_CASE(name, tags, testing::Polled, testing::Default)

namespace {

// A loop that is not woken fails its test instead of hanging it.
void give_up_late(auto& loop) {
  loop.call_later(std::chrono::seconds(20), [] { FAIL("nothing woke the loop"); });
}

int exit_status_of(pid_t child) {
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::atomic<int> signals_seen{0};

// SIGUSR1 is counted, and interrupts system calls: no SA_RESTART.
class CountedSignal {
 public:
  CountedSignal() {
    signals_seen = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { ++signals_seen; };
    ::sigaction(SIGUSR1, &action, &before_);
  }
  ~CountedSignal() { ::sigaction(SIGUSR1, &before_, nullptr); }
  CountedSignal(const CountedSignal&) = delete;
  CountedSignal& operator=(const CountedSignal&) = delete;

 private:
  struct sigaction before_{};
};

// Leaves the process `spare` descriptors.
class Exhausted {
 public:
  explicit Exhausted(int spare) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(*open_descriptors().rbegin()) + 16;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int descriptor; (descriptor = ::dup(0)) >= 0;) taken_.push_back(descriptor);
    for (; spare > 0; --spare) release_one();
  }
  ~Exhausted() {
    while (!taken_.empty()) release_one();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  Exhausted(const Exhausted&) = delete;
  Exhausted& operator=(const Exhausted&) = delete;

 private:
  void release_one() {
    ::close(taken_.back());
    taken_.pop_back();
  }

  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace

ON_EVERY_SELECTOR("a child of fork that destroys its copy leaves the parent's loop alone", "[fork]") {
  std::optional<EventLoop<TestType>> loop(std::in_place);
  SocketPair pair;
  std::string received;
  loop->add_reader(pair.ours, [&] {
    received = pair.receive();
    loop->stop();
  });
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    loop->close();
    loop.reset();
    ::_exit(0);
  }
  REQUIRE(exit_status_of(child) == 0);
  give_up_late(*loop);
  std::thread other([&] { loop->call_soon_threadsafe([&] { pair.send("x"); }); });
  loop->run();
  other.join();
  CHECK(received == "x");
}

ON_EVERY_SELECTOR("no descriptor of a loop survives exec", "[fork]") {
  const std::set<int> before = open_descriptors();
  const EventLoop<TestType> loop;
  const std::set<int> ours = opened_since(before);
  REQUIRE(ours.size() >= 2);
  std::string script = "true";
  for (const int descriptor : ours) script += " && ! test -e /proc/self/fd/" + std::to_string(descriptor);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  INFO(script);
  CHECK(exit_status_of(child) == 0);
}

ON_EVERY_SELECTOR("signals do not end the sleep of a loop that waits for ever", "[signals]") {
  const CountedSignal counted;
  EventLoop<TestType> loop;
  std::thread other([&, sleeper = ::pthread_self()] {
    for (int i = 0; i < 20; ++i) {
      ::pthread_kill(sleeper, SIGUSR1);
      std::this_thread::sleep_for(milliseconds(1));
    }
    loop.call_soon_threadsafe([&] { loop.stop(); });
  });
  loop.run();
  other.join();
  CHECK(signals_seen > 0);
}

// The one that waits for its whole time again after each signal would sleep for as long as they come.
ON_EVERY_SELECTOR("signals neither shorten nor lengthen the wait for a timer", "[signals]") {
  const CountedSignal counted;
  EventLoop<TestType> loop;
  std::atomic<bool> fired{false};
  std::atomic<bool> gave_up{false};
  std::thread other([&, sleeper = ::pthread_self()] {
    for (int i = 0; i < 3000 && !fired; ++i) {
      ::pthread_kill(sleeper, SIGUSR1);
      std::this_thread::sleep_for(milliseconds(1));
    }
    gave_up = !fired;
  });
  while (signals_seen == 0) std::this_thread::yield();  // they come from now on
  const auto when = ThreadPlatform::clock::now() + milliseconds(50);
  loop.call_at(when, [&] {
    CHECK(ThreadPlatform::clock::now() >= when);
    fired = true;
    loop.stop();
  });
  loop.run();
  other.join();
  CHECK(!gave_up);
}

TEST_CASE("a herd that fills the pipe: one wake empties it, and everything queued runs after it", "[B3]") {
  constexpr int kThreads = 8;
  constexpr int kPosts = 12'500;  // together more than the 65,536 bytes of a pipe
  EventLoop<CountedWaits> loop;
  int& waits = CountedWaits::selector::waits = 0;
  int ran = 0;
  int waits_by_the_last = 0;
  std::vector<std::thread> herd;
  for (int t = 0; t < kThreads; ++t) {
    herd.emplace_back([&] {
      for (int i = 0; i < kPosts; ++i) {
        loop.call_soon_threadsafe([&] {
          if (++ran < kThreads * kPosts) return;
          waits_by_the_last = waits;
          loop.call_later(milliseconds(20), [&] { loop.stop(); });
        });
      }
    });
  }
  for (std::thread& thread : herd) thread.join();
  loop.run();
  CHECK(ran == kThreads * kPosts);
  CHECK(waits_by_the_last == 1);
  CHECK(waits == 2);  // the second is for the timer: a byte left behind would end it at once
}

ON_EVERY_SELECTOR("a loop for which there are no descriptors says so and leaks none", "[exhausted]") {
  const std::set<int> before = open_descriptors();
  bool made = false;
  int spare = 0;
  for (; spare < 8 && !made; ++spare) {
    std::exception_ptr error;  // looked at later: to check its type UBSan's runtime needs descriptors itself
    {
      const Exhausted exhausted(spare);
      try {
        const EventLoop<TestType> loop;
        made = true;
      } catch (...) {
        error = std::current_exception();
      }
    }
    int error_number = 0;
    std::string what;
    try {
      if (error) std::rethrow_exception(error);
    } catch (const std::system_error& told) {
      error_number = told.code().value();
      what = told.what();
    }
    INFO("with " << spare << " descriptors: " << what);
    CHECK(error_number == (made ? 0 : EMFILE));
    CHECK((made || what.find("wake_pipe") == 0 || what.find("selector") == 0));
    CHECK(open_descriptors() == before);
  }
  CHECK(made);
  CHECK(spare >= 3);  // with none and with one it failed
}

TEST_CASE("100,000 posts of eight threads around close: each ran once, is reported dropped, or threw", "[B6]") {
  constexpr int kThreads = 8;
  constexpr int kPosts = 12'500;
  EventLoop<ThreadPlatform> loop;
  std::vector<int> ran(kThreads * kPosts, 0);
  int runs = 0;
  std::atomic<int> accepted{0};
  std::atomic<bool> closing{false};
  std::vector<std::thread> posters;
  for (int t = 0; t < kThreads; ++t) {
    posters.emplace_back([&, t] {
      for (int i = 0; i < kPosts; ++i) {
        if (i == kPosts / 2) closing.wait(false);  // this half comes while the loop is closed
        try {
          loop.call_soon_threadsafe([&, post = static_cast<std::size_t>(t * kPosts + i)] {
            ++ran[post];
            if (++runs == kThreads * kPosts / 4) loop.stop();
          });
          ++accepted;
        } catch (const loop_closed&) {
          continue;
        }
      }
    });
  }
  loop.run();
  closing = true;
  closing.notify_all();
  const auto dropped = static_cast<int>(loop.close());
  for (std::thread& poster : posters) poster.join();
  CHECK(runs + dropped == accepted);
  CHECK(std::count(ran.begin(), ran.end(), 1) == runs);
  CHECK(std::count(ran.begin(), ran.end(), 0) == kThreads * kPosts - runs);
}

// Both ends of a socket pair can be written to: whichever comes to the closed pipe's number would show it.
TEST_CASE("no byte of a post goes to a descriptor that has the number of a closed pipe", "[B6]") {
  constexpr int kThreads = 8;
  for (int round = 0; round < 15; ++round) {
    const std::set<int> before = open_descriptors();
    EventLoop<testing::Polled> loop;  // its pipe is all it opens
    const std::set<int> closed = opened_since(before);
    REQUIRE(closed.size() == 2);
    std::atomic<int> posting{0};
    std::atomic<int> other_errors{0};
    std::vector<std::thread> posters;
    for (int t = 0; t < kThreads; ++t) {
      posters.emplace_back([&] {
        try {
          for (bool first = true;; first = false) {
            loop.call_soon_threadsafe([] {});
            if (first) ++posting;
          }
        } catch (const loop_closed&) {
        } catch (...) {
          ++other_errors;
        }
      });
    }
    while (posting < kThreads) std::this_thread::yield();
    loop.close();
    const std::array<SocketPair, 2> reopened;
    for (std::thread& poster : posters) poster.join();
    CHECK(other_errors == 0);
    for (const int number : closed) CHECK(opened_since(before).count(number) == 1);
    for (const SocketPair& pair : reopened) CHECK(!pair.anything_arrived());
  }
}

ON_EVERY_SELECTOR("close is refused to a callback of the running loop, and drops nothing", "[B6]") {
  EventLoop<TestType> loop;
  loop.call_soon([&] {
    CHECK_THROWS_AS(loop.close(), std::logic_error);
    loop.stop();
  });
  loop.run();
  loop.call_soon_threadsafe([] {});
  CHECK(loop.close() == 1);
}

}  // namespace wakeproof
