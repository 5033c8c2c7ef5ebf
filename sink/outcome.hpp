// Outcome<T>: how a task ended: its value, or the exception that ended it. At first neither.
//
// `cancelled` is what a coroutine meets at the point where it waits when its task is cancelled, and what
// the task's result is when the coroutine lets it through. Not a std::runtime_error, and neither is it
// caught with one: what handles a failure and goes on should not swallow a cancellation on the way.
#pragma once

#include <concepts>
#include <exception>
#include <utility>
#include <variant>

namespace wakeproof {

// Thrown out of the co_await at which a cancelled task waits.
struct cancelled : std::exception {
  const char* what() const noexcept override { return "the task was cancelled"; }
};

template <class T>
class Outcome {
 public:
  Outcome() = default;
  explicit Outcome(std::exception_ptr error) : how_(std::in_place_index<2>, std::move(error)) {}

  // What `body` returns or throws.
  template <class Body>
  static Outcome of(Body body) {
    Outcome outcome;
    try {
      outcome.how_.template emplace<1>(body());
    } catch (...) {
      outcome.how_.template emplace<2>(std::current_exception());
    }
    return outcome;
  }

  bool known() const { return how_.index() != 0; }

  // Only when known(). A copy of the value where there can be one; otherwise the value, once.
  T get() {
    if (how_.index() == 2) std::rethrow_exception(std::get<2>(how_));
    if constexpr (std::copy_constructible<T>) {
      return std::get<1>(how_);
    } else {
      return std::move(std::get<1>(how_));
    }
  }

 private:
  std::variant<std::monostate, T, std::exception_ptr> how_;
};

}  // namespace wakeproof
