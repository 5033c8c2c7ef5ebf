// Condition variables, waits on atomics and semaphores in the machine: each promise of
// sink/platform.hpp, and nothing beyond it.
#include "ci/catch2.hpp"
#include "machine.hpp"
#include "search/outcomes.hpp"

namespace wakeproof::models {

namespace {

using P = ModelPlatform;
constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

int& see(int thread, int which = 0) {
  return observed[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which)];
}

template <class State>
Outcomes explore(int threads, const typename SmallScript<State>::Body& body) {
  const Outcomes all = outcomes_of<State>(threads, body, Dpor::Reduction::none);
  Outcomes reduced = outcomes_of<State>(threads, body, Dpor::Reduction::optimal);
  CHECK(all.names() == reduced.names());
  return reduced;
}

auto in_ms(int ms) {
  return P::clock::now() + std::chrono::milliseconds(ms);
}

struct Things {
  P::plain<int> data{0, "data"};
  P::plain<int> ready{0, "ready"};
  P::mutex lock{"lock"};
  P::condition_variable condition{"condition"};
  P::semaphore permits{0U, "permits"};
  P::atomic<int> x{0, "x"};
  P::atomic<int> y{0, "y"};
  P::event event{"event"};
};

}  // namespace

// --- condition variable ------------------------------------------------------------------------------

TEST_CASE("a condition variable with its mutex hands data over") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    P::unique_lock held(s.lock);
    if (t == 0) {
      s.ready.set(1);
      s.data.set(7);
      s.condition.notify_one();
    } else {
      while (s.ready.get() == 0) s.condition.wait(held);
      see(t) = s.data.get();
    }
  });
  CHECK(outcomes.names() == ",7\n");
}

TEST_CASE("a notification orders nothing: without the mutex there is a race") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) {
      s.data.set(7);
      s.condition.notify_one();
    } else {
      P::unique_lock held(s.lock);
      s.condition.wait(held);
      see(t) = s.data.get();
    }
  });
  CHECK(outcomes.has(", data_race"));
  CHECK_FALSE(outcomes.has(",7"));
}

TEST_CASE("a notification before the wait is lost; a wait may end for no reason, once") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) return s.condition.notify_one();
    P::unique_lock held(s.lock);
    s.condition.wait(held);
    see(t) = 1;
  });
  CHECK(outcomes.names() == ", deadlock\n,1\n");
  const Outcomes alone = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) return;
    P::unique_lock held(s.lock);
    for (int i = 0; i < 3; ++i) {
      s.condition.wait(held);
      see(t) = i;
    }
  });
  CHECK(alone.names() == ", deadlock\n,0 deadlock\n");
}

TEST_CASE("notify_one wakes any one, notify_all every one") {
  const auto waiters = [](bool all) {
    return explore<Things>(3, [all](Things& s, int t) {
      if (t < 2) {
        P::unique_lock held(s.lock);
        s.ready.set(s.ready.get() + 1);
        see(t) = s.condition.wait_until(held, in_ms(1));
        return;
      }
      const P::lock_guard held(s.lock);
      if (s.ready.get() < 2) return;
      see(t) = 1;
      all ? s.condition.notify_all() : s.condition.notify_one();
    });
  };
  const Outcomes one = waiters(false);
  CHECK(one.has("1,0,1"));
  CHECK(one.has("0,1,1"));
  CHECK(one.has("1,1,1"));  // the other for no reason
  CHECK_FALSE(one.has("0,0,1"));
  const Outcomes all = waiters(true);
  CHECK(all.has("1,1,1"));
  CHECK_FALSE(all.has("0,1,1"));
  CHECK_FALSE(all.has("1,0,1"));
}

TEST_CASE("a timed wait ends at its deadline, when nothing else can happen, and holds the mutex again") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    P::unique_lock held(s.lock);
    if (t == 0) return;
    const auto begin = P::clock::now();
    const bool woken = s.condition.wait_until(held, in_ms(3));
    see(t) = woken;
    see(t, 1) = static_cast<int>((P::clock::now() - begin) / std::chrono::milliseconds(1));
    CHECK(machine().object(s.lock.id()).owner == 1);
  });
  CHECK(outcomes.names() == ",03\n,10\n");
}

TEST_CASE("a wait without the mutex is a misuse that is told") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) return;
    P::unique_lock held(s.lock);
    held.unlock();
    s.condition.wait(held);
  });
  CHECK(outcomes.names() == ", assertion_failed\n");
}

TEST_CASE("beginning to wait and giving the mutex back are one step: no notification falls in between") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    P::unique_lock held(s.lock);
    if (t == 0) {
      s.ready.set(1);
      held.unlock();
      s.condition.notify_all();
    } else {
      while (s.ready.get() == 0) s.condition.wait(held);
    }
  });
  CHECK(outcomes.names() == ",\n");
}

TEST_CASE("a try_lock between the first lock and the wait is reversed with the wait, which gives the mutex back") {
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 1) {
      P::unique_lock held(s.lock);
      s.event.wait();
      for (int turn = 1;; ++turn) {  // never an unlock, which would be reversed in place of the wait
        s.ready.set(turn);
        s.condition.wait(held);
      }
    }
    for (int i = 0; i < 3; ++i) {  // one failure is for no reason, so two are not
      see(t, i) = s.lock.try_lock();
      if (see(t, i) == 1 && i == 2) see(t, 3) = s.ready.get();
      if (see(t, i) == 1) s.lock.unlock();
      if (i == 0) s.event.set();
    }
  });
  CHECK(outcomes.has("0011, deadlock"));
}

TEST_CASE("a try_lock tried after the wait is tried before it too, and the wait then goes on") {
  // Twice: one failure is for no reason, so two are not.
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) {
      P::unique_lock held(s.lock);
      for (;;) s.condition.wait(held);
    }
    for (int i = 0; i < 2; ++i) {
      see(t, i) = s.lock.try_lock();
      if (see(t, i) == 1) s.lock.unlock();
    }
  });
  CHECK(outcomes.has(",00 deadlock"));
}

// --- waiting on an atomic ------------------------------------------------------------------------------

TEST_CASE("a wait returns once it has read another value, with the order it was given") {
  const auto hand_over = [](std::memory_order order) {
    return explore<Things>(2,
                           [order](Things& s, int t) {
                             if (t == 0) {
                               s.data.set(7);
                               s.x.store(1, kRelease);
                               s.x.notify_one();
                             } else {
                               s.x.wait(0, order);
                               see(t) = s.data.get();
                             }
                           })
        .names();
  };
  CHECK(hand_over(kAcquire) == ",7\n");
  CHECK(hand_over(kRelaxed) == ", data_race\n");
}

TEST_CASE("a notification orders nothing: the value read does") {
  // T1 reads the first store, and the notification came after the write to data.
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) {
      s.x.store(1, kRelease);
      s.data.set(7);
      s.x.notify_one();
    } else {
      s.x.wait(0, kAcquire);
      see(t) = s.data.get();
    }
  });
  CHECK(outcomes.names() == ", data_race\n");
}

TEST_CASE("without a notification a wait may sleep for ever; a transient value may be missed") {
  const Outcomes silent = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) return s.x.store(1, kRelease);
    s.x.wait(0, kAcquire);
    see(t) = 1;
  });
  CHECK(silent.names() == ", deadlock\n,1\n");
  const Outcomes transient = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) {
      s.x.store(1, kRelease);
      s.x.notify_one();
      s.x.store(0, kRelease);
    } else {
      s.x.wait(0, kAcquire);
      see(t) = 1;
    }
  });
  CHECK(transient.names() == ", deadlock\n,1\n");
}

TEST_CASE("a notification wakes only for a store that happens before it") {
  const auto by_another = [](std::memory_order order) {
    return explore<Things>(3, [order](Things& s, int t) {
      if (t == 0) {
        s.x.store(1, kRelaxed);
        s.y.store(1, kRelease);
      } else if (t == 1) {
        see(t) = s.y.load(order);
        if (see(t) == 1) s.x.notify_all();
      } else {
        s.x.wait(0, kRelaxed);
        see(t) = 1;
      }
    });
  };
  CHECK_FALSE(by_another(kAcquire).has(",1, deadlock"));
  CHECK(by_another(kAcquire).has(",0, deadlock"));
  CHECK(by_another(kRelaxed).has(",1, deadlock"));
}

TEST_CASE("notify_one wakes one of two waits on an atomic, notify_all both") {
  const auto waits = [](bool all) {
    return explore<Things>(3, [all](Things& s, int t) {
      if (t == 2) {
        s.x.store(1, kRelaxed);
        return all ? s.x.notify_all() : s.x.notify_one();
      }
      s.x.wait(0, kRelaxed);
      see(t) = 1;
    });
  };
  CHECK(waits(true).names() == "1,1,\n");
  CHECK(waits(false).names() == ",1, deadlock\n1,, deadlock\n1,1,\n");
}

TEST_CASE("notify_one is for a wait that blocks on an older store, where another blocks on the newest") {
  const Outcomes outcomes = explore<Things>(3, [](Things& s, int t) {
    if (t == 0) {
      s.x.store(1, kRelaxed);
      return s.x.notify_one();
    }
    s.x.wait(t == 1 ? 0 : 1, kRelaxed);
    see(t) = 1;
  });
  CHECK(outcomes.names() == ",1, deadlock\n,1,1\n");
}

// --- semaphore -----------------------------------------------------------------------------------------

TEST_CASE("a permit taken sees what came before its release, and taking orders nothing") {
  const auto hand_over = [](const std::function<bool(Things&)>& take) {
    return explore<Things>(2, [&](Things& s, int t) {
      if (t == 0) {
        s.data.set(7);
        s.permits.release(1);
      } else if (take(s)) {
        see(t) = s.data.get();
      } else {
        see(t) = 0;
      }
    });
  };
  CHECK(hand_over([](Things& s) {
          s.permits.acquire();
          return true;
        }).names() == ",7\n");
  CHECK(hand_over([](Things& s) { return s.permits.try_acquire(); }).names() == ",0\n,7\n");
  CHECK(hand_over([](Things& s) { return s.permits.try_acquire_until(in_ms(1)); }).names() == ",7\n");
  CHECK(hand_over([](Things& s) {
          s.permits.try_acquire();
          return true;
        }).has(", data_race"));  // a failed one sees nothing
  const Outcomes backwards = explore<Things>(2, [](Things& s, int t) {
    if (t == 0) {
      s.permits.release(2);
      s.permits.acquire();
      s.data.set(7);
      s.permits.acquire();
    } else {
      s.permits.try_acquire();
      see(t) = s.data.get();
    }
  });
  CHECK(backwards.has(", data_race"));
}

TEST_CASE("permits are counted; try_acquire may fail for no reason, and a timed one at its deadline") {
  const Outcomes counted = explore<Things>(3, [](Things& s, int t) {
    if (t == 0) return s.permits.release(1);
    s.permits.acquire();
    see(t) = 1;
  });
  CHECK(counted.names() == ",,1 deadlock\n,1, deadlock\n");
  const Outcomes two = explore<Things>(3, [](Things& s, int t) {
    if (t == 0) return s.permits.release(2);
    s.permits.acquire();
    see(t) = 1;
  });
  CHECK(two.names() == ",1,1\n");
  const Outcomes tries = explore<Things>(2, [](Things& s, int t) {
    if (t != 0) return;
    s.permits.release(1);
    see(t) = s.permits.try_acquire();
    see(t, 1) = s.permits.try_acquire();
    see(t, 2) = s.permits.try_acquire_until(in_ms(1));
  });
  CHECK(tries.names() == "010,\n100,\n");
}

// --- leaving an execution ------------------------------------------------------------------------------

TEST_CASE("notifying and releasing in a destructor do not throw while an execution is left") {
  struct Guard {
    Things& s;
    ~Guard() {
      s.permits.release(1);
      s.condition.notify_all();
      s.x.notify_one();
    }
  };
  const Outcomes outcomes = explore<Things>(2, [](Things& s, int t) {
    const Guard guard{s};
    s.event.set();
    if (t == 0) {
      for (;;) s.event.wait();
    }
  });
  CHECK(outcomes.has(", busy_spin"));
}

TEST_CASE("a loop of nothing but notifications is left all the same") {
  const Outcomes outcomes = outcomes_of<Things>(
      2,
      [](Things& s, int t) {
        while (t == 0) s.condition.notify_one();
      },
      Dpor::Reduction::optimal, 0, 50);
  CHECK(outcomes.names() == ", inconclusive\n");
}

}  // namespace wakeproof::models
