// wakeproof::checked's atomics, and var: what std_names.hpp has in place of std::atomic and of plain data.
#pragma once

#include <atomic>
#include <concepts>
#include <functional>

#include "model_platform.hpp"

namespace wakeproof::checked {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

using models::Where;

// What a failed compare_exchange loads with, where only one order was given.
constexpr memory_order on_failure(memory_order order) {
  if (order == memory_order_acq_rel) return memory_order_acquire;
  return order == memory_order_release ? memory_order_relaxed : order;
}

// Holds what the model's atomics hold: trivially copyable, up to 8 bytes. Pointers have no arithmetic.
template <class T>
class atomic {
 public:
  using value_type = T;

  atomic() : atomic(T()) {}
  atomic(T desired) : inner_(desired) {}  // NOLINT: the standard's converts too
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }

  T load(memory_order order = memory_order_seq_cst, Where where = Where::current()) const {
    return inner_.load(order, where);
  }
  void store(T desired, memory_order order = memory_order_seq_cst, Where where = Where::current()) {
    inner_.store(desired, order, where);
  }
  T exchange(T desired, memory_order order = memory_order_seq_cst, Where where = Where::current()) {
    return inner_.exchange(desired, order, where);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               Where where = Where::current()) {
    return inner_.compare_exchange_strong(expected, desired, success, failure, where);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst,
                               Where where = Where::current()) {
    return inner_.compare_exchange_strong(expected, desired, order, on_failure(order), where);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             Where where = Where::current()) {
    return inner_.compare_exchange_weak(expected, desired, success, failure, where);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst,
                             Where where = Where::current()) {
    return inner_.compare_exchange_weak(expected, desired, order, on_failure(order), where);
  }

  T fetch_add(T operand, memory_order order = memory_order_seq_cst, Where where = Where::current())
    requires std::integral<T>
  {
    return inner_.fetch_add(operand, order, where);
  }
  T fetch_sub(T operand, memory_order order = memory_order_seq_cst, Where where = Where::current())
    requires std::integral<T>
  {
    return inner_.fetch_sub(operand, order, where);
  }
  T fetch_and(T operand, memory_order order = memory_order_seq_cst, Where where = Where::current())
    requires std::integral<T>
  {
    return fetch<std::bit_and<T>>(operand, order, where);
  }
  T fetch_or(T operand, memory_order order = memory_order_seq_cst, Where where = Where::current())
    requires std::integral<T>
  {
    return fetch<std::bit_or<T>>(operand, order, where);
  }
  T fetch_xor(T operand, memory_order order = memory_order_seq_cst, Where where = Where::current())
    requires std::integral<T>
  {
    return fetch<std::bit_xor<T>>(operand, order, where);
  }

  void wait(T old, memory_order order = memory_order_seq_cst, Where where = Where::current()) const {
    inner_.wait(old, order, where);
  }
  void notify_one(Where where = Where::current()) { inner_.notify_one(where); }
  void notify_all(Where where = Where::current()) { inner_.notify_all(where); }

  operator T() const { return load(); }  // NOLINT: the standard's converts too
  T operator=(T desired) {               // NOLINT: gives the value, as the standard's
    store(desired);
    return desired;
  }
  T operator++() { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) { return fetch_add(1); }
  T operator--() { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) { return fetch_sub(1); }
  T operator+=(T operand) { return static_cast<T>(fetch_add(operand) + operand); }
  T operator-=(T operand) { return static_cast<T>(fetch_sub(operand) - operand); }
  T operator&=(T operand) { return static_cast<T>(fetch_and(operand) & operand); }
  T operator|=(T operand) { return static_cast<T>(fetch_or(operand) | operand); }
  T operator^=(T operand) { return static_cast<T>(fetch_xor(operand) ^ operand); }

 private:
  using Word = models::Word;
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
  template <class Change>
  T fetch(T operand, memory_order order, const Where& where) {
    const auto change = [](Word a, Word b) { return encode(static_cast<T>(Change()(decode(a), decode(b)))); };
    return decode(models::machine().modify(inner_.id(), models::OpKind::fetch_modify, change, encode(operand),
                                           Order(order), where));
  }

  models::ModelAtomic<T> inner_;
};

// As std::atomic_flag, over atomic<bool>.
class atomic_flag {
 public:
  bool test_and_set(memory_order order = memory_order_seq_cst, Where where = Where::current()) {
    return set_.exchange(true, order, where);
  }
  void clear(memory_order order = memory_order_seq_cst, Where where = Where::current()) {
    set_.store(false, order, where);
  }
  bool test(memory_order order = memory_order_seq_cst, Where where = Where::current()) const {
    return set_.load(order, where);
  }
  void wait(bool old, memory_order order = memory_order_seq_cst, Where where = Where::current()) const {
    set_.wait(old, order, where);
  }
  void notify_one(Where where = Where::current()) { set_.notify_one(where); }
  void notify_all(Where where = Where::current()) { set_.notify_all(where); }

 private:
  atomic<bool> set_{false};
};

inline void atomic_thread_fence(memory_order order, Where where = Where::current()) {
  ModelPlatform::fence(order, where);
}

// A value whose every read and write is checked for races; a copy reads the one and writes the other. For plain
// members, and as the item type of a container that copies its items: not of one that memcpys them.
template <class T>
class var {
 public:
  var() : inner_(T()) {}
  var(T value) : inner_(std::move(value)) {}  // NOLINT: stands in for a T
  var(const var& other) : inner_(other.inner_.get()) {}
  var& operator=(const var& other) {
    inner_.set(other.inner_.get());
    return *this;
  }
  var& operator=(T value) {
    inner_.set(std::move(value));
    return *this;
  }
  operator T() const { return inner_.get(); }  // NOLINT: stands in for a T

  var& operator+=(const T& operand) { return *this = static_cast<T>(inner_.get() + operand); }
  var& operator-=(const T& operand) { return *this = static_cast<T>(inner_.get() - operand); }
  var& operator++() { return *this += T(1); }
  var& operator--() { return *this -= T(1); }
  T operator++(int) {
    const T before = inner_.get();
    *this = static_cast<T>(before + T(1));
    return before;
  }

 private:
  models::ModelPlain<T> inner_;
};

}  // namespace wakeproof::checked
