// Bounds: how large the instance of a scenario is that a search exhausts.
#pragma once

#include <string>

#include "operation.hpp"

namespace wakeproof::models {

struct Bounds {
  int producers = 1;
  int items = 1;      // each producer puts
  int max_items = 8;  // a batch holds at most
  // Of the free clock: a millisecond may pass so often, at any moment. 0: the idle clock, which passes only
  // when nothing else can happen, as the free one does otherwise.
  int ticks = 0;

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

inline constexpr int kMaxItems = 1000;  // items are told apart as producer * kMaxItems + number

// At least as large in every respect that a minimum names.
inline bool covers(const Bounds& bounds, const Bounds& minimum) {
  return bounds.producers >= minimum.producers && bounds.items >= minimum.items;
}

inline std::string size_of(const Bounds& bounds) {
  const std::string ticks = bounds.ticks > 0 ? "+" + std::to_string(bounds.ticks) + "t" : "";
  return std::to_string(bounds.producers) + "x" + std::to_string(bounds.items) + ticks;
}

}  // namespace wakeproof::models
