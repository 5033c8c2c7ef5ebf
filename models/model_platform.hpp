// ModelPlatform: the seam over the Machine. Every operation is a step that a search orders.
//
// Sees nothing of Relacy, so that a scenario compiles fast and keeps its macros to itself.
#pragma once

#include <cstring>
#include <ranges>
#include <string>
#include <type_traits>

#include "machine.hpp"
#include "sink/platform.hpp"

namespace wakeproof::models {

// What a person calls a value. Whatever has no better name is shown by its size or not at all.
template <class T>
void append_value(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    out += std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (requires { describe_value(out, value); }) {
    describe_value(out, value);
  } else if constexpr (std::is_pointer_v<T>) {
    out += value == nullptr ? "null" : "set";  // never an address: it changes from run to run
  } else if constexpr (std::ranges::sized_range<T>) {
    if constexpr (std::is_integral_v<std::ranges::range_value_t<T>>) {
      out += '[';
      for (const char* separator = ""; const auto& element : value) {
        out += separator;
        append_value(out, element);
        separator = ", ";
      }
      out += ']';
    } else {
      out += std::to_string(std::ranges::size(value)) + " queued";
    }
  } else {
    out += "...";
  }
}

// An object that lives in the Machine under a number of its own.
class Modelled {
 public:
  Modelled(const Modelled&) = delete;
  Modelled& operator=(const Modelled&) = delete;
  ObjectId id() const { return id_; }

 protected:
  Modelled(ObjectKind kind, Label label, const void* self, Describe describe)
      : id_(machine().create(kind, label, self, describe)) {}
  ~Modelled() { machine().destroy(id_); }

 private:
  ObjectId id_;
};

template <class T>
class ModelAtomic : public Modelled {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Word),
                "the model's atomics hold trivially copyable values of up to 8 bytes");

 public:
  explicit ModelAtomic(T initial, Label label = {}) : Modelled(ObjectKind::atomic, label, this, nullptr) {
    machine().create_atomic(id(), encode(initial), &show);
  }

  T load(Order order, Where where = Where::current()) const { return decode(machine().load(id(), order, where)); }
  void store(T desired, Order order, Where where = Where::current()) {
    machine().store(id(), encode(desired), order, where);
  }
  T exchange(T desired, Order order, Where where = Where::current()) {
    const auto replace = [](Word, Word operand) { return operand; };
    return decode(machine().modify(id(), OpKind::exchange, replace, encode(desired), order, where));
  }
  T fetch_add(T operand, Order order, Where where = Where::current())
    requires std::integral<T>
  {
    const auto add = [](Word a, Word b) { return encode(static_cast<T>(decode(a) + decode(b))); };
    return decode(machine().modify(id(), OpKind::fetch_modify, add, encode(operand), order, where));
  }
  T fetch_sub(T operand, Order order, Where where = Where::current())
    requires std::integral<T>
  {
    const auto subtract = [](Word a, Word b) { return encode(static_cast<T>(decode(a) - decode(b))); };
    return decode(machine().modify(id(), OpKind::fetch_modify, subtract, encode(operand), order, where));
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure, Where where = Where::current()) {
    return compare_exchange(expected, desired, success, failure, false, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure, Where where = Where::current()) {
    return compare_exchange(expected, desired, success, failure, true, where);
  }
  void wait(T old, Order order, Where where = Where::current()) const {
    machine().await_change(id(), encode(old), order, where);
  }
  void notify_one(Where where = Where::current()) { machine().notify(id(), false, where); }
  void notify_all(Where where = Where::current()) { machine().notify(id(), true, where); }
  T peek() const { return decode(machine().peek_atomic(id())); }

 private:
  static Word encode(T value) {
    Word word = 0;
    std::memcpy(&word, &value, sizeof(T));
    return word;
  }
  static T decode(Word word) {
    T value;
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }
  bool compare_exchange(T& expected, T desired, Order success, Order failure, bool weak, const Where& where) {
    Word word = encode(expected);
    const bool exchanged = machine().compare_exchange(id(), word, encode(desired), success, failure, weak, where);
    expected = decode(word);
    return exchanged;
  }
  static void show(Word value, std::string& out) { append_value(out, decode(value)); }
};

template <class T>
class ModelPlain : public Modelled {
 public:
  explicit ModelPlain(T initial = T(), Label label = {})
      : Modelled(ObjectKind::plain, label, this, &show), value_(std::move(initial)) {}

  const T& read(Where where = Where::current()) const {
    machine().plain_read(id(), where);
    return value_;
  }
  T& write(Where where = Where::current()) {
    machine().plain_write(id(), true, where);
    return value_;
  }
  T get(Where where = Where::current()) const { return read(where); }
  void set(T value, Where where = Where::current()) {
    bool changes = true;
    if constexpr (std::equality_comparable<T>) changes = !(value_ == value);
    machine().plain_write(id(), changes, where);
    value_ = std::move(value);
  }
  const T& peek() const { return value_; }

 private:
  static void show(const void* self, std::string& out) {
    append_value(out, static_cast<const ModelPlain*>(self)->value_);
  }

  T value_;
};

class ModelMutex : public Modelled {
 public:
  explicit ModelMutex(Label label = {}) : Modelled(ObjectKind::mutex, label, this, nullptr) {}
  void lock(Where where = Where::current()) { machine().lock(id(), where); }
  bool try_lock(Where where = Where::current()) { return machine().try_lock(id(), where); }
  void unlock(Where where = Where::current()) { machine().unlock(id(), where); }
};

class ModelLockGuard {
 public:
  explicit ModelLockGuard(ModelMutex& mutex, Where where = Where::current()) : mutex_(mutex), where_(where) {
    mutex_.lock(where);
  }
  ~ModelLockGuard() { mutex_.unlock(where_); }
  ModelLockGuard(const ModelLockGuard&) = delete;
  ModelLockGuard& operator=(const ModelLockGuard&) = delete;

 private:
  ModelMutex& mutex_;
  Where where_;
};

class ModelUniqueLock {
 public:
  explicit ModelUniqueLock(ModelMutex& mutex, Where where = Where::current()) : mutex_(&mutex), where_(where) {
    lock(where);
  }
  ~ModelUniqueLock() {
    if (owns_) mutex_->unlock(where_);
  }
  ModelUniqueLock(const ModelUniqueLock&) = delete;
  ModelUniqueLock& operator=(const ModelUniqueLock&) = delete;

  void lock(Where where = Where::current()) {
    mutex_->lock(where);
    owns_ = true;
  }
  void unlock(Where where = Where::current()) {
    owns_ = false;
    mutex_->unlock(where);
  }
  bool owns_lock() const { return owns_; }
  ModelMutex* mutex() const { return mutex_; }

 private:
  ModelMutex* mutex_;
  Where where_;
  bool owns_ = false;
};

// Virtual; see machine_clock.cpp.
struct ModelClock {
  using duration = VirtualTime;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ModelClock>;
  static constexpr bool is_steady = true;
  static time_point now(Where where = Where::current()) { return time_point(machine().look_at_clock(where)); }
};

inline std::optional<VirtualTime> since_start(std::optional<ModelClock::time_point> deadline) {
  if (!deadline) return std::nullopt;
  return deadline->time_since_epoch();
}

class ModelEvent : public Modelled {
 public:
  explicit ModelEvent(Label label = {}) : Modelled(ObjectKind::event, label, this, nullptr) {}
  void set(Where where = Where::current()) { machine().set(id(), where); }
  void clear(Where where = Where::current()) { machine().clear(id(), where); }
  void wait(Where where = Where::current()) { machine().wait(id(), std::nullopt, where); }
  bool wait_until(std::optional<ModelClock::time_point> deadline, Where where = Where::current()) {
    return machine().wait(id(), since_start(deadline), where);
  }
  bool is_set() const { return machine().object(id()).level > 0; }
};

class ModelConditionVariable : public Modelled {
 public:
  using deadline = std::optional<ModelClock::time_point>;

  explicit ModelConditionVariable(Label label = {}) : Modelled(ObjectKind::condition, label, this, nullptr) {}
  void wait(ModelUniqueLock& lock, Where where = Where::current()) { wait_until(lock, std::nullopt, where); }
  bool wait_until(ModelUniqueLock& lock, deadline give_up, Where where = Where::current()) {
    return machine().condition_wait(id(), lock.mutex()->id(), since_start(give_up), where);
  }
  void notify_one(Where where = Where::current()) { machine().notify(id(), false, where); }
  void notify_all(Where where = Where::current()) { machine().notify(id(), true, where); }
};

class ModelSemaphore : public Modelled {
 public:
  explicit ModelSemaphore(unsigned permits, Label label = {}) : Modelled(ObjectKind::semaphore, label, this, nullptr) {
    machine().create_semaphore(id(), permits);
  }
  void release(unsigned count, Where where = Where::current()) { machine().release_permits(id(), count, where); }
  void acquire(Where where = Where::current()) { machine().acquire_permit(id(), std::nullopt, where); }
  bool try_acquire(Where where = Where::current()) { return machine().try_acquire_permit(id(), where); }
  bool try_acquire_until(std::optional<ModelClock::time_point> deadline, Where where = Where::current()) {
    return machine().acquire_permit(id(), since_start(deadline), where);
  }
};

class ModelWakePipe : public Modelled {
 public:
  explicit ModelWakePipe(Label label = {}) : Modelled(ObjectKind::pipe, label, this, nullptr) {}
  PipeWrite write_byte(Where where = Where::current()) {
    return machine().write_byte(id(), where) ? PipeWrite::written : PipeWrite::full;
  }
  std::size_t read_all(Where where = Where::current()) { return machine().read_all(id(), where); }
  bool read_byte(Where where = Where::current()) { return machine().read_byte(id(), where); }
  void close(Where where = Where::current()) { machine().close(id(), where); }
  std::size_t pending() const { return machine().object(id()).level; }
};

class ModelSelector : public Modelled {
 public:
  explicit ModelSelector(Label label = {}) : Modelled(ObjectKind::selector, label, this, nullptr) {}
  void add(ModelWakePipe& pipe) { machine().add_to_selector(id(), pipe.id()); }
  bool wait_until(std::optional<ModelClock::time_point> deadline, Where where = Where::current()) {
    return machine().select(id(), since_start(deadline), where);
  }
};

// Takes one of the scenario's spare threads.
class ModelThread {
 public:
  template <class Body>
  ModelThread(Label label, Body body, Where where = Where::current())
      : thread_(machine().start_thread(label, std::move(body), where)) {}
  void join(Where where = Where::current()) { machine().join_thread(thread_, where); }

 private:
  ThreadId thread_;
};

}  // namespace wakeproof::models

namespace wakeproof {

struct ModelPlatform {
  template <class T>
  using atomic = models::ModelAtomic<T>;
  template <class T>
  using plain = models::ModelPlain<T>;
  using mutex = models::ModelMutex;
  using lock_guard = models::ModelLockGuard;
  using unique_lock = models::ModelUniqueLock;
  using thread = models::ModelThread;
  using clock = models::ModelClock;
  using event = models::ModelEvent;
  using condition_variable = models::ModelConditionVariable;
  using semaphore = models::ModelSemaphore;
  using wake_pipe = models::ModelWakePipe;
  using selector = models::ModelSelector;

  template <class T>
  static T*& local() {
    static const char key = 0;
    return reinterpret_cast<T*&>(models::machine().local(&key));
  }

  static void fence(Order order, models::Where where = models::Where::current()) {
    models::machine().fence(order, where);
  }
  static void light_fence(models::Where where = models::Where::current()) { models::machine().light_fence(where); }
  static void heavy_fence(models::Where where = models::Where::current()) { models::machine().heavy_fence(where); }
  static void pause(models::Where = models::Where::current()) {}
  static void wait_passed(const void* wait) { models::machine().wait_passed(wait); }

  template <class... Bodies>
  static bool run(Step<Bodies>... steps) {
    const models::ProtocolStep list[] = {
        {steps.name, &steps, [](void* step) { return static_cast<Step<Bodies>*>(step)->perform(); }}...};
    return models::machine().run_protocol(list, static_cast<int>(sizeof...(steps)));
  }
};

static_assert(Platform<ModelPlatform>);

}  // namespace wakeproof
