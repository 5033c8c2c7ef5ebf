// wakeproof::checked's mutex and its locks, condition_variable, semaphores and threads: see std_names.hpp.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "model_platform.hpp"

namespace wakeproof::checked {

using std::adopt_lock;
using std::adopt_lock_t;
using std::cv_status;
using std::defer_lock;
using std::defer_lock_t;
using std::try_to_lock;
using std::try_to_lock_t;

using models::Where;

namespace chrono {
using namespace std::chrono;
using steady_clock =
    models::ModelClock;  // virtual; std::chrono's would tell the same execution something else each time
}  // namespace chrono

template <class Rep, class Period>
models::VirtualTime virtual_time(std::chrono::duration<Rep, Period> time) {
  return std::chrono::ceil<models::VirtualTime>(time);
}

using mutex = models::ModelMutex;

// As std::lock_guard.
template <class M>
class lock_guard {
 public:
  using mutex_type = M;

  explicit lock_guard(M& mutex, Where where = Where::current()) : mutex_(mutex), where_(where) { mutex_.lock(where); }
  lock_guard(M& mutex, adopt_lock_t, Where where = Where::current()) : mutex_(mutex), where_(where) {}
  ~lock_guard() { mutex_.unlock(where_); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  M& mutex_;
  Where where_;
};

// Of one mutex.
template <class M>
class scoped_lock : public lock_guard<M> {
 public:
  explicit scoped_lock(M& mutex, Where where = Where::current()) : lock_guard<M>(mutex, where) {}
  scoped_lock(adopt_lock_t, M& mutex, Where where = Where::current()) : lock_guard<M>(mutex, adopt_lock, where) {}
};

// Throws std::system_error where the standard's does.
template <class M>
class unique_lock {
 public:
  using mutex_type = M;

  unique_lock() = default;
  explicit unique_lock(M& mutex, Where where = Where::current()) : mutex_(&mutex), where_(where) { lock(where); }
  unique_lock(M& mutex, defer_lock_t, Where where = Where::current()) : mutex_(&mutex), where_(where) {}
  unique_lock(M& mutex, adopt_lock_t, Where where = Where::current()) : mutex_(&mutex), where_(where), owns_(true) {}
  unique_lock(M& mutex, try_to_lock_t, Where where = Where::current())
      : mutex_(&mutex), where_(where), owns_(mutex.try_lock(where)) {}
  unique_lock(unique_lock&& other) noexcept { swap(other); }
  unique_lock& operator=(unique_lock&& other) {
    unique_lock(std::move(other)).swap(*this);
    return *this;
  }
  ~unique_lock() {
    if (owns_) mutex_->unlock(where_);
  }

  void lock(Where where = Where::current()) {
    check_can_lock();
    mutex_->lock(where);
    owns_ = true;
  }
  bool try_lock(Where where = Where::current()) {
    check_can_lock();
    owns_ = mutex_->try_lock(where);
    return owns_;
  }
  void unlock(Where where = Where::current()) {
    if (!owns_) throw std::system_error(std::make_error_code(std::errc::operation_not_permitted));
    owns_ = false;
    mutex_->unlock(where);
  }
  void swap(unique_lock& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(where_, other.where_);
    std::swap(owns_, other.owns_);
  }
  M* release() noexcept {
    owns_ = false;
    return std::exchange(mutex_, nullptr);
  }
  bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  M* mutex() const noexcept { return mutex_; }

 private:
  friend class condition_variable;

  void check_can_lock() const {
    if (mutex_ == nullptr) throw std::system_error(std::make_error_code(std::errc::operation_not_permitted));
    if (owns_) throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur));
  }

  M* mutex_ = nullptr;
  Where where_;
  bool owns_ = false;
};

// Wakes for no reason too. A deadline is one of checked::chrono::steady_clock.
class condition_variable {
 public:
  using Lock = unique_lock<mutex>;

  void notify_one(Where where = Where::current()) { inner_.notify_one(where); }
  void notify_all(Where where = Where::current()) { inner_.notify_all(where); }

  void wait(Lock& lock, Where where = Where::current()) { wait_to(lock, std::nullopt, where); }
  template <std::predicate Predicate>
  void wait(Lock& lock, Predicate done, Where where = Where::current()) {
    while (!done()) wait(lock, where);
  }

  template <class Duration>
  cv_status wait_until(Lock& lock, const std::chrono::time_point<models::ModelClock, Duration>& deadline,
                       Where where = Where::current()) {
    return wait_to(lock, virtual_time(deadline.time_since_epoch()), where) ? cv_status::no_timeout : cv_status::timeout;
  }
  template <class Duration, std::predicate Predicate>
  bool wait_until(Lock& lock, const std::chrono::time_point<models::ModelClock, Duration>& deadline, Predicate done,
                  Where where = Where::current()) {
    while (!done()) {
      if (wait_until(lock, deadline, where) == cv_status::timeout) return done();
    }
    return true;
  }

  template <class Rep, class Period>
  cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time, Where where = Where::current()) {
    return wait_until(lock, models::ModelClock::now(where) + virtual_time(time), where);
  }
  template <class Rep, class Period, std::predicate Predicate>
  bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time, Predicate done,
                Where where = Where::current()) {
    return wait_until(lock, models::ModelClock::now(where) + virtual_time(time), std::move(done), where);
  }

 private:
  bool wait_to(Lock& lock, const models::Deadline& deadline, const Where& where) {
    if (!lock.owns_lock()) throw std::system_error(std::make_error_code(std::errc::operation_not_permitted));
    lock.owns_ = false;  // where the execution is left in the middle, nothing is to be given back
    const bool woken = models::machine().condition_wait(inner_.id(), lock.mutex()->id(), deadline, where);
    lock.owns_ = true;
    return woken;
  }

  models::ModelConditionVariable inner_;
};

// As std::counting_semaphore; more permits than kMost are not noticed.
template <std::ptrdiff_t kMost>
class counting_semaphore {
 public:
  explicit counting_semaphore(std::ptrdiff_t permits) : inner_(static_cast<unsigned>(permits)) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  static constexpr std::ptrdiff_t max() { return kMost; }
  void release(std::ptrdiff_t count = 1, Where where = Where::current()) {
    inner_.release(static_cast<unsigned>(count), where);
  }
  void acquire(Where where = Where::current()) { inner_.acquire(where); }
  bool try_acquire(Where where = Where::current()) { return inner_.try_acquire(where); }
  template <class Rep, class Period>
  bool try_acquire_for(const std::chrono::duration<Rep, Period>& time, Where where = Where::current()) {
    return inner_.try_acquire_until(models::ModelClock::now(where) + virtual_time(time), where);
  }
  bool try_acquire_until(models::ModelClock::time_point deadline, Where where = Where::current()) {
    return inner_.try_acquire_until(deadline, where);
  }

 private:
  models::ModelSemaphore inner_;
};

using binary_semaphore = counting_semaphore<1>;

// As std::thread, without detach(): it must be joined, and needs Scenario::spare_threads.
class thread {
 public:
  thread() = default;
  template <class Body, class... Arguments>
    requires(!std::same_as<std::remove_cvref_t<Body>, thread> &&
             std::invocable<std::decay_t<Body>, std::decay_t<Arguments>...>)
  explicit thread(Body&& body, Arguments&&... arguments) {
    // Shared, for the machine copies what it is to run.
    auto call = std::make_shared<std::tuple<std::decay_t<Body>, std::decay_t<Arguments>...>>(
        std::forward<Body>(body), std::forward<Arguments>(arguments)...);
    running_.emplace(Label("thread"),
                     [call] { std::apply([](auto&... parts) { std::invoke(std::move(parts)...); }, *call); });
  }
  thread(thread&& other) noexcept : running_(std::exchange(other.running_, std::nullopt)) {}
  thread& operator=(thread&& other) noexcept {
    running_ = std::exchange(other.running_, std::nullopt);
    return *this;
  }

  bool joinable() const { return running_.has_value(); }
  void join(Where where = Where::current()) {
    if (!running_) throw std::system_error(std::make_error_code(std::errc::invalid_argument));
    running_->join(where);
    running_.reset();
  }

 private:
  std::optional<models::ModelThread> running_;
};

namespace this_thread {

inline void yield() {
  ModelPlatform::pause();
}
// Until that much virtual time has passed.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& deadline, Where where = Where::current()) {
  static_assert(std::same_as<Clock, models::ModelClock>, "time is checked::chrono::steady_clock's on the model");
  // Not on the stack: g++ 12 then warns that its address is handed on before it is made.
  const auto nobody_sets_it = std::make_unique<models::ModelEvent>("sleep");
  nobody_sets_it->wait_until(deadline, where);
}
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& time, Where where = Where::current()) {
  sleep_until(models::ModelClock::now(where) + virtual_time(time), where);
}

}  // namespace this_thread

}  // namespace wakeproof::checked
