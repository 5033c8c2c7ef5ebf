// One step at a time, for a person at a terminal or in a debugger.
#pragma once

#include "models/trace/step_text.hpp"

// Called before each step that is taken one at a time, on the thread that takes it: for breakpoints.
extern "C" void wakeproof_step(int step);

namespace wakeproof::models::cli {

// Prints each step with the state after it and waits for Enter, until standard input ends.
class Stepper {
 public:
  // Of a trace that is known to come again. Refers to it.
  explicit Stepper(const Trace& trace);
  void before(int step);

 private:
  StepText text_;
  int steps_;
  bool waits_ = true;
};

}  // namespace wakeproof::models::cli
