// The names of models/std_names.hpp do on the model what the standard's do; each wrong use has a verdict.
// Asked through the adapter for Catch2, which is tested by that too.
#include <memory>

#include "ci/catch2.hpp"
#include "models/std_names.hpp"
#include "models/testing/catch2.hpp"

namespace wakeproof {
namespace {

using namespace std::chrono_literals;

// The producer's puts and the consumer's takes, counted here: each script below needs one item and one thread.
struct Steps {
  Steps(const Bounds&, Ledger& l) : ledger(l) {}
  void judge() {}
  void take() { ledger.took(0); }
  Ledger& ledger;
};

// Two threads add to one value. Guarded: by a mutex, and both additions are there at the end.
template <bool kGuarded>
struct Count : Steps {
  using Steps::Steps;
  void add() {
    if constexpr (kGuarded) {
      const checked::scoped_lock guard(mutex);
      count += 1;
    } else {
      ++count;
    }
  }
  void put(int, int) { add(); }
  void consumer() {
    add();
    checked::thread other(
        [this](int times) {
          while (times-- > 0) add();
        },
        2);
    ledger.check(other.joinable(), "a thread that was begun can be joined");
    other.join();
    ledger.check(!other.joinable(), "a thread that was joined cannot be again");
    take();
  }
  void judge() { ledger.check(count == 4, "four additions"); }
  checked::mutex mutex;
  checked::var<int> count{0};
};
template <class>
struct Guarded : Count<true> {
  using Count::Count;
};
template <class>
struct Unguarded : Count<false> {
  using Count::Count;
};

// Each operator of an atomic is one step, and a seq_cst one: both sides cannot miss each other.
template <class>
struct Operators : Steps {
  using Steps::Steps;
  void put(int, int) {
    x = 1;
    saw_y = y;
    ++sum;
  }
  void consumer() {
    y = 1;
    saw_x = x;
    sum += 2;
    int expected = 7;
    ledger.check(!other.compare_exchange_strong(expected, 1) && expected == 6, "what is there instead");
    ledger.check((other |= 1) == 7 && (other &= 3) == 3 && (other ^= 1) == 2, "bits");
    ledger.check(!flag.test_and_set() && flag.test_and_set() && flag.test(), "a flag is set once");
    take();
  }
  void judge() {
    ledger.check(saw_x == 1 || saw_y == 1, "one of them saw the other");
    ledger.check(sum == 3, "three");
  }
  checked::atomic<int> x{0}, y = 0, sum, other = 6;
  checked::atomic_flag flag;
  int saw_x = 0, saw_y = 0;
};

// A wait that ends by its deadline gives the lock back; locks can be deferred, tried, moved and released.
template <class>
struct Waits : Steps {
  using Steps::Steps;
  void put(int, int) { permits.release(); }
  void consumer() {
    permits.acquire();
    take();  // first: a wait that only its deadline ends is a lost wakeup while something is queued
    checked::unique_lock lock(mutex, checked::defer_lock);
    ledger.check(!lock.owns_lock(), "deferred");
    lock.lock();
    const auto begin = checked::chrono::steady_clock::now();
    ledger.check(!changed.wait_for(lock, 2ms, [] { return false; }), "nobody makes it true");
    ledger.check(checked::chrono::steady_clock::now() - begin >= 2ms && lock.owns_lock(), "it waited, and holds it");
    checked::unique_lock<checked::mutex> moved(std::move(lock));
    ledger.check(moved.owns_lock() && !lock.owns_lock(), "moved");
    moved.unlock();
    checked::this_thread::sleep_for(3ms);
    ledger.check(checked::chrono::steady_clock::now() - begin >= 5ms, "it slept");
    ledger.check(!permits.try_acquire_for(1ms), "no permit is left");
  }
  checked::mutex mutex;
  checked::condition_variable changed;
  checked::binary_semaphore permits{0};
};

// What the standard throws for is thrown, and a thread that ends with it is a finding.
template <class>
struct UnlocksTwice : Steps {
  using Steps::Steps;
  void put(int, int) {}
  void consumer() {
    checked::unique_lock lock(mutex);
    lock.unlock();
    lock.unlock();
  }
  checked::mutex mutex;
};

const std::vector<Bounds> kOne{{1, 1}};

template <template <class> class Script>
Scenario named(const char* name, int spare_threads = 0) {
  Scenario scenario{.name = name, .story = "Only for this test of the names.", .sizes = kOne};
  scenario.spare_threads = spare_threads;
  scenario.on_model = [](const Bounds& bounds) -> std::unique_ptr<models::Script> {
    return std::make_unique<models::HandOffScript<Script<int>>>(bounds, Ledger::Kind::model);
  };
  models::catalogue().push_back(scenario);
  return scenario;
}

const Scenario added[] = {named<Guarded>("names/guarded", 1), named<Unguarded>("names/unguarded", 1),
                          named<Operators>("names/operators"), named<Waits>("names/waits"),
                          named<UnlocksTwice>("names/unlocks_twice")};

}  // namespace

TEST_CASE("the standard's names keep the standard's promises on the model") {
  WAKEPROOF_CHECK("names/guarded", proved);
  WAKEPROOF_CHECK("names/operators", proved);
  WAKEPROOF_CHECK("names/waits", proved);
}

TEST_CASE("what is wrong with them has a verdict") {
  WAKEPROOF_CHECK("names/unguarded", data_race);
  WAKEPROOF_CHECK("names/unlocks_twice", assertion_failed);
}

TEST_CASE("a verdict that is another one is told with its steps, and a wrong call in one line") {
  using models::testing::check;
  CHECK_THAT(check("names/unguarded", Verdict::proved).message,
             wakeproof::testing::contains("at 1x1: data_race, expected proved"));
  CHECK_THAT(check("names/guarded", Verdict::deadlock).message,
             wakeproof::testing::contains("at 1x1: proved, expected deadlock"));
  CHECK_THAT(check("names/none", Verdict::proved).message, wakeproof::testing::contains("no scenario is named"));
  CHECK_THAT(check("names/guarded", Verdict::proved, {{9, 1}}).message,
             wakeproof::testing::contains("producers must be 1 to 6"));
}

}  // namespace wakeproof
