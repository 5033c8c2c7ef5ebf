// Mutation: one thing wrong with a correct algorithm, as data over its named orders and steps.
//
// The algorithm itself is not touched. The model platform asks, whenever a sequence of named
// steps is run or a named order is used, whether a mutation applies.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace wakeproof::models {

struct Mutation {
  enum class Kind {
    skip,         // leave the step `what` out
    swap,         // exchange the steps `what` and `other` of one sequence
    move_before,  // take `what` out and put it right before `other`
    hold,         // hold the mutex labelled `other` over the step `what`
    weaken,       // use `order` where the purpose is `what`
  };
  Kind kind;
  std::string what;
  std::string other = {};
  std::memory_order order = std::memory_order_relaxed;
};

inline Mutation skip(std::string what) {
  return {Mutation::Kind::skip, std::move(what)};
}
inline Mutation swap(std::string what, std::string other) {
  return {Mutation::Kind::swap, std::move(what), std::move(other)};
}
inline Mutation move_before(std::string what, std::string other) {
  return {Mutation::Kind::move_before, std::move(what), std::move(other)};
}
inline Mutation hold(std::string mutex, std::string over) {
  return {Mutation::Kind::hold, std::move(over), std::move(mutex)};
}
inline Mutation weaken(std::string purpose, std::memory_order order) {
  return {Mutation::Kind::weaken, std::move(purpose), {}, order};
}

using Mutations = std::vector<Mutation>;

// "skip second_drain", for people.
std::string describe(const Mutation& mutation);

}  // namespace wakeproof::models
