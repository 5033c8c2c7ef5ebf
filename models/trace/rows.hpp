// Rows: the steps of a trace as lines of words, a section under a mutex folded into one row. For
// renderings as text; how wide a line may be is theirs to know.
#pragma once

#include <string>
#include <vector>

#include "trace.hpp"

namespace wakeproof::models {

struct TraceRow {
  int first = 0;  // steps; of one thread, one after the other
  int last = 0;
  int thread = 0;
  std::string head;
  std::vector<std::string> lines;  // what else there is to say, indented under it
};

// `detail`: every lock and unlock is a row of its own.
std::vector<TraceRow> rows_of(const Trace& trace, const std::vector<TraceStep>& steps, bool detail);

// "set data_ready", "load slot[0] = 0, acquire": the step in words.
std::string in_words(const Trace& trace, const TraceStep& step);
// Likewise with the named step of the protocol; of a section under a mutex only that, or
// its function: "append", "ring: set data_ready".
std::string briefly(const Trace& trace, const TraceStep& step);
// "step 7", "the start".
std::string step_name(int number);

const std::string& name_of_object(const Trace& trace, int object);
const std::string& name_of_thread(const Trace& trace, int thread);

}  // namespace wakeproof::models
