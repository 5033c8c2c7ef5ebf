#include "step.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "models/trace/text.hpp"

// Not inlined and not empty, so that it is there to be stopped at and the number can be seen.
[[gnu::noinline]] void wakeproof_step(int step) {
  asm volatile("" : : "r"(step) : "memory");
}

namespace wakeproof::models::cli {

namespace {
constexpr int kColumns = 80;
}

Stepper::Stepper(const Trace& trace) : text_(trace, kColumns), steps_(static_cast<int>(trace.steps.size())) {
  fmt::print("{} at {}, {} steps: Enter takes the step that is shown\n{}", trace.scenario, size_of(trace.bounds),
             steps_, text_.state());
}

void Stepper::before(int step) {
  const std::string text = text_.step(step);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!waits_) return;
  std::fflush(stdout);
  for (int c = 0; c != '\n' && waits_;) {
    c = std::getchar();
    waits_ = c != EOF;
  }
}

}  // namespace wakeproof::models::cli
