// The machine keeps the promises of sink/platform.hpp, and finds what a script does wrong.
#include "machine.hpp"

#include <array>

#include "ci/catch2.hpp"
#include "search/outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;

int& see(int thread, int which = 0) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

template <class State>
Outcomes explore(int threads, const typename SmallScript<State>::Body& body, int spare_threads = 0,
                 int max_steps = 1000) {
  return outcomes_of<State>(threads, body, Dpor::Reduction::optimal, spare_threads, max_steps);
}

struct Things {
  P::plain<int> data{0, "data"};
  P::mutex lock{"lock"};
  P::event event{"event"};
  P::wake_pipe pipe{"pipe"};
  P::selector selector{"selector"};
  Things() { selector.add(pipe); }
};

// T0 writes data and hands over, T1 takes over and reads it.
template <class Give, class Take>
std::string hand_over(Give give, Take take) {
  return explore<Things>(2,
                         [&](Things& s, int t) {
                           if (t == 0) {
                             s.data.set(1);
                             give(s);
                           } else {
                             take(s);
                             see(t) = s.data.get();
                           }
                         })
      .names();
}

}  // namespace

TEST_CASE("a race on plain data is found; a mutex, an event and a pipe order it") {
  CHECK(hand_over([](Things&) {}, [](Things&) {}) == ", data_race\n");
  CHECK(hand_over([](Things& s) { s.event.set(); }, [](Things& s) { s.event.wait(); }) == ",1\n");
  CHECK(hand_over([](Things& s) { s.pipe.write_byte(); },
                  [](Things& s) {
                    s.selector.wait_until(std::nullopt);
                    s.pipe.read_all();
                  }) == ",1\n");
  const auto in_lock = [](Things& s, int t) {
    s.lock.lock();
    if (t == 0) s.data.set(1);
    if (t == 1) see(t) = s.data.get();
    s.lock.unlock();
  };
  CHECK(explore<Things>(2, in_lock).names() == ",0\n,1\n");
}

TEST_CASE("a ready selector promises nothing about memory, reading the byte does") {
  CHECK(hand_over([](Things& s) { s.pipe.write_byte(); }, [](Things& s) { s.selector.wait_until(std::nullopt); }) ==
        ", data_race\n");
}

TEST_CASE("a wait sees everything before every set it consumes, and nothing before a cleared one") {
  // T0's set comes first (the selector tells, and promises nothing about memory); T1's does not replace it.
  const Outcomes twice = explore<Things>(3, [](Things& s, int t) {
    if (t == 0) {
      s.data.set(1);
      s.event.set();
      s.pipe.write_byte();
      return;
    }
    s.selector.wait_until(std::nullopt);
    if (t == 1) return s.event.set();
    s.event.wait();
    see(t) = s.data.get();
  });
  CHECK(twice.names() == ",,1\n");
  // T0's set is cleared, T1's is consumed: T0's write is not ordered before T2's read.
  const Outcomes cleared = explore<Things>(3, [](Things& s, int t) {
    if (t == 0) {
      s.data.set(1);
      s.event.set();
    } else if (t == 1) {
      s.event.clear();
      s.event.set();
    } else {
      s.event.wait();
      see(t) = s.data.get();
    }
  });
  CHECK(cleared.has(",, data_race"));
}

TEST_CASE("a byte of the pipe is taken at a time, which orders nothing") {
  CHECK(explore<Things>(2, [](Things& s, int t) {
          if (t != 0) return;
          s.pipe.write_byte();
          s.pipe.write_byte();
          for (int i = 0; i < 3; ++i) see(t, i) = s.pipe.read_byte();
        }).names() == "110,\n");
  CHECK(hand_over([](Things& s) { s.pipe.write_byte(); },
                  [](Things& s) {
                    s.selector.wait_until(std::nullopt);
                    s.pipe.read_byte();
                  }) == ", data_race\n");
}

TEST_CASE("the pipe holds two bytes, then says full; closed, it must not be used") {
  CHECK(explore<Things>(2, [](Things& s, int t) {
          if (t != 0) return;
          for (int i = 0; i < 3; ++i) see(t, i) = s.pipe.write_byte() == PipeWrite::written;
          see(t, 3) = static_cast<int>(s.pipe.read_all());
        }).names() == "1102,\n");
  const Outcomes closed = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) s.pipe.close();
    if (t == 1) s.pipe.write_byte();
  });
  CHECK(closed.names() == ",\n, use_after_free\n");
}

TEST_CASE("time passes only when nothing else can happen, to the nearest deadline") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    const auto begin = P::clock::now();
    if (t == 0) {
      see(t) = s.event.wait_until(begin + std::chrono::milliseconds(5));
    } else {
      see(t) = s.selector.wait_until(begin + std::chrono::milliseconds(2));
      s.event.set();
    }
    see(t, 1) = static_cast<int>((P::clock::now() - begin) / std::chrono::milliseconds(1));
  });
  CHECK(outcomes.names() == "12,02\n");
}

TEST_CASE("a thread is started, seen, joined and seen; one that is not needed is no deadlock") {
  const auto body = [](Things& s, int t) {
    if (t != 0) return;
    s.data.set(1);
    P::thread other("other", [&s] { s.data.set(s.data.get() + 1); });
    other.join();
    see(t) = s.data.get();
  };
  CHECK(explore<Things>(2, body, 2).names() == "2,\n");
  CHECK(explore<Things>(2, body, 0).has(", inconclusive"));  // more threads than the scenario declares
}

TEST_CASE("what a started thread runs ends with the execution, however large it is") {
  const auto body = [](Things& s, int t) {
    std::array<int, 32> much{};  // more than std::function keeps in itself
    much.back() = 2;
    if (t != 0) return s.data.set(0);
    P::thread other("other", [&s, much] {
      s.event.set();
      see(0) = much.back();
    });
    s.event.wait();
    other.join();
  };
  CHECK(explore<Things>(2, body, 1).names() == "2,\n");
}

TEST_CASE("stuck: a mutex wanted is a deadlock") {
  struct Two {
    P::mutex a{"a"};
    P::mutex b{"b"};
  };
  const Outcomes outcomes = explore<Two>(2, [](Two& s, int t) {
    P::lock_guard first(t == 0 ? s.a : s.b);
    P::lock_guard second(t == 0 ? s.b : s.a);
  });
  CHECK(outcomes.names() == ",\n, deadlock\n");
}

TEST_CASE("memory: a leak, a double free, an object used after its end") {
  struct Nothing {};
  CHECK(explore<Nothing>(2, [](Nothing&, int t) {
          static int* volatile kept;
          if (t == 0) kept = new int(1);
          if (kept == nullptr) see(t) = 1;
        }).names() == ", leak\n");
  CHECK(explore<Nothing>(2, [](Nothing&, int t) {
          if (t != 0) return;
          int* volatile twice = new int(1);
          ::operator delete(twice);
          ::operator delete(twice);
        }).names() == ", use_after_free\n");
  struct Gone {
    P::atomic<int>* word = new P::atomic<int>(0, "word");
    P::event event{"event"};
  };
  const Outcomes late = explore<Gone>(2, [](Gone& s, int t) {
    if (t == 0) {
      delete s.word;
    } else {
      s.event.set();
      s.word->load(std::memory_order_relaxed);
    }
  });
  CHECK(late.has(", use_after_free"));
}

TEST_CASE("an exception that leaves a thread is a finding, not a crash") {
  CHECK(explore<Things>(2, [](Things&, int t) {
          if (t == 0) throw std::runtime_error("no");
        }).names() == ", assertion_failed\n");
}

TEST_CASE("an exception being handled on one thread does not mix with another's") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    try {
      throw t;
    } catch (int) {
      s.event.set();  // the other thread handles its own exception meanwhile
      try {
        throw;
      } catch (int thrown) {
        see(t) = thrown;
      }
    }
  });
  CHECK(outcomes.names() == "0,1\n");
}

TEST_CASE("a wait passed again and again with nothing changed is a busy spin") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 1) return s.event.set();
    for (;;) s.event.wait();
  });
  CHECK(outcomes.names() == ", busy_spin\n");
}

TEST_CASE("an execution without end is inconclusive, not searched for ever") {
  struct Word {
    P::atomic<int> x{0, "x"};
  };
  const Outcomes outcomes = explore<Word>(
      2,
      [](Word& s, int t) {
        if (t == 0) {
          while (s.x.load(std::memory_order_relaxed) == 0) {
          }
        }
      },
      0, 50);
  CHECK(outcomes.names() == ", inconclusive\n");
}

TEST_CASE("more stores than the history holds are an error, not a silent loss") {
  struct Word {
    P::atomic<int> x{0, "x"};
  };
  const auto store = [](int times) {
    return explore<Word>(2,
                         [times](Word& s, int t) {
                           for (int i = 0; t == 0 && i < times; ++i) s.x.store(i, std::memory_order_relaxed);
                         })
        .names();
  };
  CHECK(store(kHistory - 1) == ",\n");
  CHECK(store(kHistory) == ", inconclusive\n");
}

TEST_CASE("a script that does not repeat itself is reported, with the step that differs") {
  static int runs;
  runs = 0;
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) ++runs;
    if (t == 0 && runs > 1) s.event.set();
    s.lock.lock();
    s.lock.unlock();
  });
  CHECK_THAT(outcomes.nondeterminism, testing::contains("does not repeat itself: at step 1 "));
}

TEST_CASE("destructors run while an execution is left: guards hand their mutex back") {
  // T1 is left inside its critical section, when T0's spin is found.
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    const P::lock_guard guard(s.lock);
    s.event.set();
    if (t == 0) {
      for (;;) s.event.wait();
    }
  });
  CHECK(outcomes.has(", busy_spin"));
  CHECK(outcomes.counts.size() == 1);
}

}  // namespace wakeproof::models
