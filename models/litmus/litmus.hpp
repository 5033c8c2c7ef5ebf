// Litmus tests: what the model shows of a tiny program, beside what C++20 allows.
//
// An outcome is written as the values read, in the order of the program's text, then the final values
// it names, then what ended it if that is a finding: `10`, `1 data_race`, `deadlock`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/model_platform.hpp"

namespace wakeproof::models {

using LitmusOutcomes = std::set<std::string>;

// What the programs are about; everything is 0 at first, and of the model's kind.
struct LitmusWorld {
  ModelPlatform::atomic<int> x{0, "x"};
  ModelPlatform::atomic<int> y{0, "y"};
  ModelPlatform::atomic<int> z{0, "z"};
  ModelPlatform::plain<int> data{0, "data"};
  ModelPlatform::plain<int> ready{0, "ready"};
  ModelPlatform::mutex lock{"lock"};
  ModelPlatform::event event{"event"};
  ModelPlatform::condition_variable condition{"condition"};
  ModelPlatform::semaphore permits{0U, "permits"};
};

// A difference to C++20 that is known, and why it is there.
struct Deviation {
  LitmusOutcomes outcomes;
  const char* reason = "";
};

struct Litmus {
  const char* name;
  const char* program;  // for people: threads are separated by ||
  int threads;
  void (*thread)(LitmusWorld& world, int index);
  void (*finish)(LitmusWorld& world) = nullptr;  // after all threads: reads final values
  LitmusOutcomes allowed;                        // by C++20, or for the seam's own objects by sink/platform.hpp
  Deviation not_shown = {};                      // allowed, and the model never shows it
  Deviation not_allowed = {};                    // shown, though C++20 forbids it: a false alarm at worst
};

// Atomics and fences; then what the seam adds. Both in the order in which they are printed.
std::vector<Litmus> litmus_of_memory();
std::vector<Litmus> litmus_of_waiting();

// An algorithm that another checker finds wrong, and this model cannot: what `proved` leaves out.
struct OutOfReach {
  const char* name;
  const char* what;
};
extern const std::vector<OutOfReach> kOutOfReach;

struct LitmusAnswer {
  Litmus litmus;
  LitmusOutcomes shown;
  LitmusOutcomes not_shown;    // allowed without shown
  LitmusOutcomes not_allowed;  // shown without allowed

  // Every difference is a known one, and every known one is there.
  bool as_known() const { return not_shown == litmus.not_shown.outcomes && not_allowed == litmus.not_allowed.outcomes; }
};

// Searches it with dpor.
LitmusAnswer ask(const Litmus& litmus);
std::vector<LitmusAnswer> ask_all_litmus();

}  // namespace wakeproof::models
