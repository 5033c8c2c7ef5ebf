// Recording: runs one schedule again with an observer, and writes down what happened.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/scenario.hpp"
#include "models/search/replay.hpp"
#include "models/search/search.hpp"
#include "trace.hpp"

namespace wakeproof::models {

// `choices` as a search left them; beyond their end the first enabled thread goes on. Throws
// std::runtime_error when they do not fit the scenario.
Trace record(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices);

struct RecordOptions {
  Replay::Then then = Replay::Then::go_on;
  int max_steps = kMaxSteps;
  std::function<void(int step)> before_step = nullptr;  // called on the thread that takes it
};

// The same up to wherever the choices lead, which may be the middle of an execution.
struct Recording {
  Trace trace;
  Ending ending = Ending::complete;
  std::string differs;              // not empty: what does not fit after the trace's last step
  std::vector<int> could_run;       // at the end of the choices, where the execution is left: who can go on
  std::vector<Operation> standing;  // there, by thread: its next step
  bool left() const { return !could_run.empty(); }
};
Recording record_as_far(const Scenario& scenario, const Bounds& bounds, const std::vector<unsigned>& choices,
                        const RecordOptions& options = {});

}  // namespace wakeproof::models
