// Repeat: the steps of a trace once more, on the scenario as it is in this program, compared one by one.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/scenario.hpp"
#include "trace.hpp"

namespace wakeproof::models {

// The first step that is not as the trace says.
struct Misfit {
  int step = 0;          // its number; 0: already what is there at the start, or how it all ends
  std::string recorded;  // what the trace says, in words
  std::string here;      // what the scenario does
};

struct Repeated {
  Trace now;                     // up to the misfit, or whole
  std::optional<Misfit> misfit;  // none: the same steps, values and verdict, bit for bit
};

// Why a trace cannot be tried at all, in one line.
struct CannotRepeat : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The scenario that a trace is of. Throws CannotRepeat: there is none of that name in this program, or
// it does not admit the trace's bounds or threads.
const Scenario& scenario_of(const Trace& trace);
// Another one, of that name, for the trace's turns.
const Scenario& scenario_for(const Trace& trace, const std::string& name);

// Where a step stands in the source is not compared: a line that moved changes no step.
Repeated repeat(const Scenario& scenario, const Trace& trace);

// "step 9 no longer fits: the trace says '...', the scenario does '...'".
std::string in_words(const Misfit& misfit);

// The thread choices of a trace on another scenario, as far as they fit: a thread that cannot take its
// step there is passed over, beyond the end the first that can goes on. Every load reads the newest
// store. `fitted`: how many of the choices were followed.
Trace follow(const Scenario& scenario, const Trace& trace, int& fitted);

}  // namespace wakeproof::models
