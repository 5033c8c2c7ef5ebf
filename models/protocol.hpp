// Protocol: in which order the named steps of a sequence are run, and under which mutexes, when
// mutations apply. One answer for the model and for real threads that are held to a schedule.
//
// Allocates nothing: the model asks on a script's fiber, where memory is the script's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mutation.hpp"

namespace wakeproof::models {

struct ProtocolStep {
  const char* name;
  void* step;
  bool (*perform)(void* step);
};

struct Arrangement {
  static constexpr int kMostSteps = 16;

  int length = 0;
  int order[kMostSteps] = {};              // places in the list as it is written
  const Mutation* holds[kMostSteps] = {};  // by place: a mutex is held over that step
  std::uint64_t applied = 0;               // bit i: mutation i changed something, or holds a mutex if there is one
};

inline Arrangement arrange(const Mutations& mutations, const ProtocolStep* steps, int count) {
  Arrangement all;
  all.length = std::min(count, Arrangement::kMostSteps);
  int* const order = all.order;
  int& length = all.length;
  for (int i = 0; i < length; ++i) order[i] = i;
  const auto place_of = [&](const std::string& step) {
    return std::find_if(order, order + length, [&](int i) { return step == steps[i].name; }) - order;
  };
  for (std::size_t m = 0; m < mutations.size(); ++m) {
    const Mutation& mutation = mutations[m];
    const auto what = place_of(mutation.what);
    if (mutation.kind == Mutation::Kind::weaken || what == length) continue;
    const auto other = place_of(mutation.other);
    if (mutation.kind == Mutation::Kind::hold) {
      all.holds[order[what]] = &mutation;
    } else if (mutation.kind == Mutation::Kind::skip) {
      std::copy(order + what + 1, order + length, order + what);
      --length;
    } else if (other == length) {
      continue;
    } else if (mutation.kind == Mutation::Kind::swap) {
      std::swap(order[what], order[other]);
    } else if (what < other) {
      std::rotate(order + what, order + what + 1, order + other);
    } else {
      std::rotate(order + other, order + what, order + what + 1);
    }
    all.applied |= std::uint64_t{1} << (m % 64);
  }
  return all;
}

}  // namespace wakeproof::models
