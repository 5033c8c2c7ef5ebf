// ConditionQueue: any number of threads put, one takes, on the standard's names, from one namespace alias.
//
//   put(item)  any thread
//   take()     the consumer  waits while there is nothing
//
// The namespace is `std`, or whatever CONDITION_QUEUE_NAMES is when this is included.
//
// [while]    A wait also ends for no reason. Whoever looks only once takes from an empty queue:
//            std_names/condition_queue_if.
// [append first]  A notification is for those that wait already. One that comes before its item can come before
//            the consumer waits, which then sleeps on it: std_names/condition_queue_notify_first.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#ifndef CONDITION_QUEUE_NAMES
#define CONDITION_QUEUE_NAMES std
#endif

namespace wakeproof::std_names {

namespace names = CONDITION_QUEUE_NAMES;

enum class Variant { correct, looks_once, notifies_first };

template <class T, Variant kVariant = Variant::correct>
class ConditionQueue {
 public:
  void put(T item) {
    if constexpr (kVariant == Variant::notifies_first) filled_.notify_one();
    {
      const names::lock_guard guard(mutex_);
      items_.push_back(std::move(item));
    }
    if constexpr (kVariant != Variant::notifies_first) filled_.notify_one();
  }

  // Throws std::out_of_range where there is nothing: only where it looks once.
  T take() {
    names::unique_lock lock(mutex_);
    if constexpr (kVariant == Variant::looks_once) {
      if (items_.empty()) filled_.wait(lock);
    } else {
      filled_.wait(lock, [this] { return !items_.empty(); });
    }
    T item = items_.at(0);
    items_.pop_front();
    return item;
  }

 private:
  names::mutex mutex_;
  names::condition_variable filled_;
  std::deque<T> items_;
};

}  // namespace wakeproof::std_names
