// Future<T>: a value that a pool thread gives once, and the call that is made when it is there.
//
//   finish(value)   one pool thread, once   makes the call, if one is registered by then
//   on_done(call)   one owner, once         made at once, by the caller, where the value is there already
//   get()           the owner               after the call
//
// [once]      Whichever of finish() and on_done() comes second makes the call: both look under the lock.
// [lifetime]  The call is made without the lock and nothing of the future is touched after it, so that
//             whoever it wakes may let go of the future.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "platform.hpp"

namespace wakeproof {

template <Platform P, class T>
class Future {
 public:
  using Value = T;

  void finish(T value) {
    std::function<void()> call;
    {
      typename P::lock_guard lock(lock_);
      value_.write().emplace(std::move(value));
      call = std::move(call_);
    }
    if (call) call();
  }

  void on_done(std::function<void()> call) {
    {
      typename P::lock_guard lock(lock_);
      if (!value_.read()) {
        call_ = std::move(call);
        return;
      }
    }
    call();
  }

  const T& get() const { return *value_.read(); }

 private:
  typename P::mutex lock_{"future_lock"};
  typename P::template plain<std::optional<T>> value_{{}, "future_value"};
  std::function<void()> call_;  // under the lock
};

template <Platform P, class T>
using FuturePointer = std::shared_ptr<Future<P, T>>;

}  // namespace wakeproof
