// The story of an answer: the counterexample behind a verdict that was not expected, and where it is.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "models/trace/trace.hpp"

namespace wakeproof::models {

// Records and tells the counterexample, made small first, so that it is the same one however the search was
// shared out; nothing for a verdict that is expected or for a search that left no choices. Empty: it went well,
// or there is nothing to tell. Otherwise why the counterexample cannot be recorded, in one line.
std::string tell_story(Answer& answer);

// A place in the source that a report points at.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string function;  // empty where there are no steps
};

// The step at which the fault is there to be seen: that finds it, or breaks the wake invariant, or the last
// one. Null: there are no steps.
const TraceStep* finding_step(const Trace& trace);
// Where that step is written down; without steps where the scenario is.
Place place_of(const Answer& answer);

// "output_sink/correct at 2x1"
std::string title_of(const Answer& answer);
// "lost_wakeup, but proved is expected: consumer waits for ever"
std::string sentence_of(const Answer& answer);
// Why, a sentence each: "However the wake for it was wiped out by step 10."; empty without a story.
std::vector<std::string> why_of(const Answer& answer);
// What a person enters in a shell to see the execution again; empty where it cannot be replayed.
std::string replay_command_of(const Answer& answer);

}  // namespace wakeproof::models
