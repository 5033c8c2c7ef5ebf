// A recorded schedule on real threads: each step held back until its turn, then everybody runs free.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "director.hpp"
#include "models/scenario.hpp"
#include "models/trace/trace.hpp"

namespace wakeproof::models {

// Empty: the trace's schedule can be held. Otherwise why not, in one line.
std::string cannot_hold(const Scenario& scenario, const Trace& trace);
std::vector<HeldStep> schedule_of(const Trace& trace);

struct HeldOptions {
  // That nothing may move for, at the end, before somebody counts as asleep for ever.
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  std::function<void(int step)> before_step = nullptr;  // on the thread that takes it
  bool one_runs_on = false;  // at the end only the thread of the last step goes on: does it spin?
};

struct HeldResult {
  Director::Seen seen;
  Finding finding;    // what came of it, as the model would say it
  std::string words;  // "consumer slept through 1 s with 1 item queued: lost wakeup, for real"

  bool followed() const { return seen.differs.empty(); }
};

// Every thread has ended when it returns: whoever slept was woken by the harness.
HeldResult run_held(const Scenario& scenario, const Bounds& bounds, std::vector<HeldStep> schedule,
                    const HeldOptions& options = {});

}  // namespace wakeproof::models
