// Task<T>: a coroutine that starts when it is first awaited and hands its result to the awaiter.
//
// Owned by one thread at a time. The frame lives as long as the Task object; destroying a Task
// that has not finished destroys its frame where it is suspended.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <utility>

#include "never_awaited.hpp"

namespace wakeproof {

template <class T>
class [[nodiscard]] Task {
 public:
  // For the compiler.
  class promise_type : public StartWatch {
   public:
    // Called by the compiler, for which the default argument is the coroutine itself.
    promise_type(std::source_location coroutine = std::source_location::current()) noexcept : StartWatch(coroutine) {}

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    auto initial_suspend() noexcept { return Start(*this); }
    auto final_suspend() noexcept { return Transfer{}; }
    void return_value(T value) { value_.emplace(std::move(value)); }
    void unhandled_exception() { error_ = std::current_exception(); }

   private:
    friend class Task;

    struct Transfer {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> finished) noexcept {
        return finished.promise().awaiter_;
      }
      void await_resume() noexcept {}
    };

    std::coroutine_handle<> awaiter_ = std::noop_coroutine();
    std::optional<T> value_;
    std::exception_ptr error_;
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool done() const { return handle_.done(); }

  // Runs to the first suspension. For whoever starts a task without awaiting it.
  void start() { handle_.resume(); }

  // The value, or the exception that ended the coroutine. Only when done().
  T result() {
    promise_type& promise = handle_.promise();
    if (promise.error_) std::rethrow_exception(promise.error_);
    return std::move(*promise.value_);
  }

  // Gives the value, once, or throws the exception.
  auto operator co_await() && noexcept { return Awaiter{{handle_}}; }
  // Waits for the end and leaves the result where it is.
  auto finished() noexcept { return EndAwaiter{handle_}; }

 private:
  using Handle = std::coroutine_handle<promise_type>;

  struct EndAwaiter {
    Handle awaited;

    bool await_ready() const noexcept { return awaited.done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
      awaited.promise().awaiter_ = awaiter;
      return awaited;
    }
    void await_resume() const noexcept {}
  };

  struct Awaiter : EndAwaiter {
    T await_resume() {
      promise_type& promise = this->awaited.promise();
      if (promise.error_) std::rethrow_exception(promise.error_);
      return std::move(*promise.value_);
    }
  };

  explicit Task(Handle handle) : handle_(handle) {}

  Handle handle_;
};

}  // namespace wakeproof
