// ThreadPlatform: the seam over real threads. With asymmetric_fences.hpp, descriptor_selector.hpp and sockets.hpp
// the only file in sink/ that names std::atomic, std::mutex or a system call.
//
// Labels, purposes, step names and source locations are accepted and dropped: at -O2 an
// operation here is the instruction that hand-written code would have (ci/seam_cost.sh).
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "asymmetric_fences.hpp"
#include "descriptor_selector.hpp"
#include "platform.hpp"

namespace wakeproof {

namespace threads {

// seam: std::atomic, with the names and orders that only the model looks at left out.
template <class T>
class atomic {
 public:
  explicit atomic(T initial, Label = {}) noexcept : value_(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(Order order, Where = {}) const noexcept { return value_.load(order.value); }
  void store(T desired, Order order, Where = {}) noexcept { value_.store(desired, order.value); }
  T exchange(T desired, Order order, Where = {}) noexcept { return value_.exchange(desired, order.value); }
  T fetch_add(T operand, Order order, Where = {}) noexcept
    requires std::integral<T>
  {
    return value_.fetch_add(operand, order.value);
  }
  T fetch_sub(T operand, Order order, Where = {}) noexcept
    requires std::integral<T>
  {
    return value_.fetch_sub(operand, order.value);
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure, Where = {}) noexcept {
    return value_.compare_exchange_strong(expected, desired, success.value, failure.value);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure, Where = {}) noexcept {
    return value_.compare_exchange_weak(expected, desired, success.value, failure.value);
  }
  void wait(T old, Order order, Where = {}) const noexcept { value_.wait(old, order.value); }
  void notify_one(Where = {}) noexcept { value_.notify_one(); }
  void notify_all(Where = {}) noexcept { value_.notify_all(); }
  T peek() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<T> value_;
};

// seam: a T that is read and written as such; races on it are ThreadSanitizer's to find.
template <class T>
class plain {
 public:
  explicit plain(T initial = T(), Label = {}) : value_(std::move(initial)) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;

  const T& read(Where = {}) const noexcept { return value_; }
  T& write(Where = {}) noexcept { return value_; }
  T get(Where = {}) const { return value_; }
  void set(T value, Where = {}) { value_ = std::move(value); }
  const T& peek() const noexcept { return value_; }

 private:
  T value_;
};

// seam: std::mutex.
class mutex {
 public:
  explicit mutex(Label = {}) noexcept {}
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(Where = {}) { mutex_.lock(); }
  bool try_lock(Where = {}) { return mutex_.try_lock(); }
  void unlock(Where = {}) { mutex_.unlock(); }

 private:
  friend class condition_variable;
  std::mutex mutex_;
};

// seam: holds a mutex while it lives.
class lock_guard {
 public:
  explicit lock_guard(mutex& m, Where = {}) : mutex_(m) { mutex_.lock(); }
  ~lock_guard() { mutex_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  mutex& mutex_;
};

// seam: std::thread, joined by whoever made it.
class thread {
 public:
  template <class Body>
  thread(Label, Body body) : thread_(std::move(body)) {}
  void join(Where = {}) { thread_.join(); }

 private:
  std::thread thread_;
};

// seam: set and clear, until somebody says otherwise; a wait ends while it is set, and leaves it so.
class event {
 public:
  explicit event(Label = {}) noexcept {}
  event(const event&) = delete;
  event& operator=(const event&) = delete;

  void set(Where = {}) {
    {
      const std::lock_guard lock(mutex_);
      set_ = true;
    }
    became_set_.notify_all();
  }
  void clear(Where = {}) {
    const std::lock_guard lock(mutex_);
    set_ = false;
  }
  void wait(Where = {}) { wait_until(std::nullopt); }
  bool wait_until(deadline give_up, Where = {}) {
    std::unique_lock lock(mutex_);
    if (!give_up) {
      became_set_.wait(lock, [&] { return set_; });
      return true;
    }
    return became_set_.wait_until(lock, *give_up, [&] { return set_; });
  }
  bool is_set() const {
    const std::lock_guard lock(mutex_);
    return set_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable became_set_;
  bool set_ = false;
};

// seam: std::condition_variable, on the seam's mutex.
class condition_variable {
 public:
  explicit condition_variable(Label = {}) {}
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(std::unique_lock<mutex>& lock, Where = {}) { wait_until(lock, std::nullopt); }
  bool wait_until(std::unique_lock<mutex>& lock, deadline give_up, Where = {}) {
    // Borrowed: not std::condition_variable_any, which takes a mutex of its own for every call.
    std::unique_lock<std::mutex> held(lock.mutex()->mutex_, std::adopt_lock);
    bool woken = true;
    if (give_up) {
      woken = waiting_.wait_until(held, *give_up) == std::cv_status::no_timeout;
    } else {
      waiting_.wait(held);
    }
    held.release();
    return woken;
  }
  void notify_one(Where = {}) noexcept { waiting_.notify_one(); }
  void notify_all(Where = {}) noexcept { waiting_.notify_all(); }

 private:
  std::condition_variable waiting_;
};

// Not std::counting_semaphore: in libstdc++ 12 a release that finds a permit left wakes nobody, and
// one of two waiters sleeps for ever (GCC bug 104928).
class semaphore {
 public:
  explicit semaphore(unsigned permits, Label = {}) noexcept : permits_(permits) {}
  semaphore(const semaphore&) = delete;
  semaphore& operator=(const semaphore&) = delete;

  // Wakes within the lock: whoever takes the last permit may destroy the semaphore.
  void release(unsigned count, Where = {}) {
    const std::lock_guard lock(mutex_);
    permits_ += count;
    if (count == 1) {
      released_.notify_one();
    } else {
      released_.notify_all();
    }
  }
  void acquire(Where = {}) { try_acquire_until(std::nullopt); }
  bool try_acquire(Where = {}) {
    const std::lock_guard lock(mutex_);
    if (permits_ == 0) return false;
    --permits_;
    return true;
  }
  bool try_acquire_until(deadline give_up, Where = {}) {
    std::unique_lock lock(mutex_);
    const auto available = [&] { return permits_ > 0; };
    if (!give_up) {
      released_.wait(lock, available);
    } else if (!released_.wait_until(lock, *give_up, available)) {
      return false;
    }
    --permits_;
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  unsigned permits_;
};

// seam: the self-pipe: one byte wakes whoever waits for it to be readable; a full one is full of wakes.
class wake_pipe {
 public:
  explicit wake_pipe(Label = {}) {
    if (::pipe2(ends_, O_NONBLOCK | O_CLOEXEC) != 0) throw_errno("wake_pipe: pipe2");
  }
  ~wake_pipe() {
    if (ends_[0] >= 0) close();
  }
  wake_pipe(const wake_pipe&) = delete;
  wake_pipe& operator=(const wake_pipe&) = delete;

  // Throws std::logic_error after close().
  PipeWrite write_byte(Where = {}) {
    const char byte = 0;
    for (;;) {
      if (::write(open_end(1), &byte, 1) == 1) return PipeWrite::written;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return PipeWrite::full;
      if (errno != EINTR) throw_errno("wake_pipe: write");
    }
  }

  // Throws std::logic_error after close().
  std::size_t read_all(Where = {}) {
    char buffer[4096];
    std::size_t total = 0;
    for (;;) {
      const auto got = ::read(open_end(0), buffer, sizeof buffer);
      if (got > 0) {
        total += static_cast<std::size_t>(got);
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        throw_errno("wake_pipe: read");
      } else {
        return total;
      }
    }
  }

  // Throws std::logic_error after close().
  bool read_byte(Where = {}) {
    char byte;
    for (;;) {
      const auto got = ::read(open_end(0), &byte, 1);
      if (got >= 0) return got == 1;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
      if (errno != EINTR) throw_errno("wake_pipe: read");
    }
  }

  void close(Where = {}) {
    for (int& end : ends_) {
      ::close(end);
      end = -1;
    }
  }

  std::size_t pending() const {
    pollfd ready{ends_[0], POLLIN, 0};
    return ends_[0] >= 0 && ::poll(&ready, 1, 0) > 0 ? 1 : 0;
  }

  int read_end() const { return open_end(0); }

 private:
  // A descriptor number is reused by the next open(), so a closed one is never handed to the kernel.
  int open_end(int which) const {
    if (ends_[which] < 0) throw std::logic_error("wake_pipe: used after close");
    return ends_[which];
  }

  int ends_[2] = {-1, -1};
};

}  // namespace threads

struct ThreadPlatform {
  template <class T>
  using atomic = threads::atomic<T>;
  template <class T>
  using plain = threads::plain<T>;
  using mutex = threads::mutex;
  using lock_guard = threads::lock_guard;
  using unique_lock = std::unique_lock<threads::mutex>;
  using thread = threads::thread;
  using clock = threads::clock;
  using event = threads::event;
  using condition_variable = threads::condition_variable;
  using semaphore = threads::semaphore;
  using wake_pipe = threads::wake_pipe;
  using selector = threads::selector;

  template <class T>
  static T*& local() {
    thread_local T* pointer = nullptr;
    return pointer;
  }

  static void fence(Order order, std::source_location = {}) { std::atomic_thread_fence(order.value); }
  static void light_fence(std::source_location = {}) noexcept { threads::light_fence(); }
  static void heavy_fence(std::source_location = {}) { threads::heavy_fence(); }
  static void pause(std::source_location = {}) { std::this_thread::yield(); }

  static void wait_passed(const void*) {}

  template <class... Bodies>
  static bool run(Step<Bodies>... steps) {
    return (steps.perform() || ...);
  }
};

static_assert(DescriptorPlatform<ThreadPlatform>);

}  // namespace wakeproof
