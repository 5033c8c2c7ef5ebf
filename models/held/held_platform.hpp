// HeldPlatform: the seam over ThreadPlatform, with a Director that says when each operation comes.
//
// The operations are those of the model, in number and in order, so that a schedule of the model holds
// here. What they do is done by real atomics, mutexes, events and pipes.
#pragma once

#include <memory>

#include "director.hpp"
#include "models/protocol.hpp"
#include "sink/thread_platform.hpp"

namespace wakeproof::models {

inline Director& director() {
  return Director::current();
}

// An object with the number that it has on the model.
class Held {
 public:
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 protected:
  explicit Held(Label label) : id_(director().create(label)) {}
  ~Held() = default;

  const HeldStep* turn(OpKind kind) const { return director().take_turn(kind, id_); }
  // The schedule says that what is tried does not happen; for no reason, as may be.
  bool fails(OpKind kind) const {
    const HeldStep* step = turn(kind);
    return step != nullptr && step->failed;
  }

 private:
  ObjectId id_;
};

Order effective(Order order);  // under the mutations

template <class T>
class HeldAtomic : public Held {
 public:
  explicit HeldAtomic(T initial, Label label = {}) : Held(label), real_(initial) {}

  T load(Order order) const {
    turn(OpKind::load);
    return real_.load(effective(order));
  }
  void store(T desired, Order order) {
    turn(OpKind::store);
    real_.store(desired, effective(order));
  }
  T exchange(T desired, Order order) {
    turn(OpKind::exchange);
    return real_.exchange(desired, effective(order));
  }
  T fetch_add(T operand, Order order)
    requires std::integral<T>
  {
    turn(OpKind::fetch_modify);
    return real_.fetch_add(operand, effective(order));
  }
  T fetch_sub(T operand, Order order)
    requires std::integral<T>
  {
    turn(OpKind::fetch_modify);
    return real_.fetch_sub(operand, effective(order));
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure) {
    if (fails(OpKind::compare_exchange)) {
      expected = real_.load(effective(failure));
      return false;
    }
    return real_.compare_exchange_strong(expected, desired, effective(success), effective(failure));
  }
  // Never fails for no reason but where the schedule says so.
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure) {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  void wait(T, Order) const { director().cannot("a wait on an atomic cannot be held to a schedule"); }
  void notify_one() {
    turn(OpKind::notify_one);
    real_.notify_one();
  }
  void notify_all() {
    turn(OpKind::notify_all);
    real_.notify_all();
  }
  T peek() const { return real_.peek(); }

 private:
  threads::atomic<T> real_;
};

template <class T>
class HeldPlain : public Held, public threads::plain<T> {
 public:
  explicit HeldPlain(T initial = T(), Label label = {}) : Held(label), threads::plain<T>(std::move(initial)) {}
};

class HeldMutex : public Held {
 public:
  explicit HeldMutex(Label label = {}) : Held(label) { director().add_mutex(label.name, this); }
  ~HeldMutex() { director().remove_mutex(this); }

  void lock();
  bool try_lock() { return !fails(OpKind::try_lock) && real_.try_lock(); }
  void unlock() {
    turn(OpKind::unlock);
    real_.unlock();
  }

 private:
  threads::mutex real_;
};

class HeldLockGuard {
 public:
  explicit HeldLockGuard(HeldMutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~HeldLockGuard() { mutex_.unlock(); }
  HeldLockGuard(const HeldLockGuard&) = delete;
  HeldLockGuard& operator=(const HeldLockGuard&) = delete;

 private:
  HeldMutex& mutex_;
};

class HeldEvent : public Held {
 public:
  using deadline = threads::deadline;

  explicit HeldEvent(Label label = {}) : Held(label) {}
  void set() {
    turn(OpKind::set);
    real_.set();
  }
  void clear() {
    turn(OpKind::clear);
    real_.clear();
  }
  void wait() { wait_until(std::nullopt); }
  bool wait_until(deadline give_up);
  bool is_set() const { return real_.is_set(); }

 private:
  threads::event real_;
};

// There only to be named: a wait for a notification is two steps on the model, and one real call.
class HeldConditionVariable : public Held {
 public:
  explicit HeldConditionVariable(Label label = {}) : Held(label) {}
  void wait(std::unique_lock<HeldMutex>& lock) { wait_until(lock, std::nullopt); }
  bool wait_until(std::unique_lock<HeldMutex>&, threads::deadline) {
    director().cannot("a wait on a condition variable cannot be held to a schedule");
  }
  void notify_one() { turn(OpKind::notify_one); }
  void notify_all() { turn(OpKind::notify_all); }
};

class HeldSemaphore : public Held {
 public:
  explicit HeldSemaphore(unsigned permits, Label label = {}) : Held(label), real_(permits) {}
  void release(unsigned count) {
    turn(OpKind::release);
    real_.release(count);
  }
  void acquire() { try_acquire_until(std::nullopt); }
  bool try_acquire() { return !fails(OpKind::try_acquire) && real_.try_acquire(); }
  bool try_acquire_until(threads::deadline give_up);

 private:
  threads::semaphore real_;
};

class HeldWakePipe : public Held {
 public:
  explicit HeldWakePipe(Label label = {}) : Held(label) {}
  // The model's pipe is full with two bytes. What there is in it then wakes just as well here.
  PipeWrite write_byte() { return fails(OpKind::write_byte) ? PipeWrite::full : real_.write_byte(); }
  std::size_t read_all() {
    turn(OpKind::read_all);
    return real_.read_all();
  }
  bool read_byte() {
    turn(OpKind::read_all);
    return real_.read_byte();
  }
  void close() {
    turn(OpKind::close);
    real_.close();
  }
  std::size_t pending() const { return real_.pending(); }

 private:
  friend class HeldSelector;
  threads::wake_pipe real_;
};

class HeldSelector : public Held {
 public:
  explicit HeldSelector(Label label = {}) : Held(label) {}
  void add(HeldWakePipe& pipe) { real_.add(pipe.real_); }
  bool wait_until(threads::deadline give_up);

 private:
  threads::selector real_;
};

class HeldThread {
 public:
  template <class Body>
  HeldThread(Label, Body body) {
    start([body = std::move(body)]() mutable { body(); });
  }
  ~HeldThread();
  HeldThread(const HeldThread&) = delete;
  HeldThread& operator=(const HeldThread&) = delete;
  void join();

 private:
  void start(std::function<void()> body);
  ObjectId start_object() const;

  ThreadId thread_ = kNobody;
  std::optional<std::thread> real_;
};

bool run_held_protocol(const ProtocolStep* steps, int count);

}  // namespace wakeproof::models

namespace wakeproof {

struct HeldPlatform {
  template <class T>
  using atomic = models::HeldAtomic<T>;
  template <class T>
  using plain = models::HeldPlain<T>;
  using mutex = models::HeldMutex;
  using lock_guard = models::HeldLockGuard;
  using unique_lock = std::unique_lock<models::HeldMutex>;
  using thread = models::HeldThread;
  using clock = threads::clock;
  using event = models::HeldEvent;
  using condition_variable = models::HeldConditionVariable;
  using semaphore = models::HeldSemaphore;
  using wake_pipe = models::HeldWakePipe;
  using selector = models::HeldSelector;

  template <class T>
  static T*& local() {
    return ThreadPlatform::local<T>();
  }

  // Those that are no step on the model are none here.
  static void fence(Order order) {
    const Order real = models::effective(order);
    if (real.value == std::memory_order_seq_cst)
      models::director().take_turn(models::OpKind::fence, models::kFenceObject);
    ThreadPlatform::fence(real);
  }
  static void light_fence() {
    models::director().take_turn(models::OpKind::light_fence, models::kFenceObject);
    ThreadPlatform::light_fence();
  }
  static void heavy_fence() {
    models::director().take_turn(models::OpKind::heavy_fence, models::kFenceObject);
    ThreadPlatform::heavy_fence();
  }
  static void pause() { ThreadPlatform::pause(); }
  static void wait_passed(const void*) { models::director().passed_wait(); }

  template <class... Bodies>
  static bool run(Step<Bodies>... steps) {
    const models::ProtocolStep list[] = {
        {steps.name, &steps, [](void* step) { return static_cast<Step<Bodies>*>(step)->perform(); }}...};
    return models::run_held_protocol(list, static_cast<int>(sizeof...(steps)));
  }
};

static_assert(Platform<HeldPlatform>);

}  // namespace wakeproof
