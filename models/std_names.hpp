// The standard library's names for what threads share, over the model: for code that is written on those names.
//
//   namespace wakeproof::checked   for a header that takes them from a namespace alias
//   struct CheckedNames            for one that takes them from a template parameter: Names::mutex
//   struct StdNames                the standard's own, for the same parameter on real threads
//
// They promise what the standard does, and defaults are the standard's: an atomic without an order is seq_cst.
// Used on a scenario's threads only, while a search runs it; what blocks there is decided by the search.
//
// What the model does not see is a plain member of such code: a race on it is not found. Where the type of an item
// is a parameter, var<T> in its place is checked for races without an edit; a plain member must be made one.
//
// Other than the standard's: a scoped_lock holds one mutex; a thread has no detach(), must be joined, which is
// not checked, and needs Scenario::spare_threads; a mutex has no timed lock; time is checked::chrono::steady_clock.
// yield() is no step, so a loop that only spins has no end and makes a search inconclusive.
#pragma once

#include <concepts>

#include "handoff.hpp"
#include "std_names_atomic.hpp"
#include "std_names_waiting.hpp"

namespace wakeproof {

// The names on the model, as a template argument.
struct CheckedNames {
  template <class T>
  using atomic = checked::atomic<T>;
  using atomic_flag = checked::atomic_flag;
  template <class T>
  using var = checked::var<T>;
  using mutex = checked::mutex;
  template <class M>
  using lock_guard = checked::lock_guard<M>;
  template <class M>
  using scoped_lock = checked::scoped_lock<M>;
  template <class M>
  using unique_lock = checked::unique_lock<M>;
  using condition_variable = checked::condition_variable;
  using thread = checked::thread;
  template <std::ptrdiff_t kMost>
  using counting_semaphore = checked::counting_semaphore<kMost>;
  using binary_semaphore = checked::binary_semaphore;
  using steady_clock = checked::chrono::steady_clock;

  // std::this_thread, which is a namespace and no type.
  struct this_thread {
    static void yield() { checked::this_thread::yield(); }
    template <class Rep, class Period>
    static void sleep_for(std::chrono::duration<Rep, Period> time, models::Where where = models::Where::current()) {
      checked::this_thread::sleep_for(time, where);
    }
  };
};

// The standard's own, as a template argument: var<T> is T.
struct StdNames {
  template <class T>
  using atomic = std::atomic<T>;
  using atomic_flag = std::atomic_flag;
  template <class T>
  using var = T;
  using mutex = std::mutex;
  template <class M>
  using lock_guard = std::lock_guard<M>;
  template <class M>
  using scoped_lock = std::scoped_lock<M>;
  template <class M>
  using unique_lock = std::unique_lock<M>;
  using condition_variable = std::condition_variable;
  using thread = std::thread;
  template <std::ptrdiff_t kMost>
  using counting_semaphore = std::counting_semaphore<kMost>;
  using binary_semaphore = std::binary_semaphore;
  using steady_clock = std::chrono::steady_clock;

  // std::this_thread, which is a namespace and no type.
  struct this_thread {
    static void yield() { std::this_thread::yield(); }
    template <class Rep, class Period>
    static void sleep_for(std::chrono::duration<Rep, Period> time) {
      std::this_thread::sleep_for(time);
    }
  };
};

// As add(), for a subject over such names in place of a platform: Subject<CheckedNames> on the model,
// Subject<StdNames> on real threads. None of these is held to a schedule there.
template <template <class> class HandOff, template <class> class Subject>
bool add_names(Scenario scenario) {
  models::add_over<HandOff, Subject, CheckedNames, StdNames, StdNames>(std::move(scenario));
  models::catalogue().back().on_held_threads = nullptr;
  return true;
}

// As add(), for a subject over wakeproof::checked by an alias: on the model only, for its names are there already.
template <template <class> class HandOff, template <class> class Subject>
bool add_checked([[maybe_unused]] Scenario scenario) {
#ifndef WAKEPROOF_WITHOUT_MODEL
  models::add_over<HandOff, Subject, CheckedNames, CheckedNames, CheckedNames>(std::move(scenario));
  models::catalogue().back().on_threads = nullptr;
  models::catalogue().back().on_held_threads = nullptr;
#endif
  return true;
}

}  // namespace wakeproof
