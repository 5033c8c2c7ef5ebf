// Of the threads that stand still at the end: what let such a wait go on before, what took that back,
// and why nobody does it again.
#pragma once

#include "trace.hpp"

namespace wakeproof::models {

// Fills in trace.waiting but for its threads, objects and operations.
void tell_waiting(Trace& trace);

// Whether the step lets somebody who waits for the object go on; or takes that back.
bool signals(const Trace& trace, const TraceStep& step, int object);
bool takes_back(const Trace& trace, const TraceStep& step, int object);

}  // namespace wakeproof::models
