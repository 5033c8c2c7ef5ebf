// Strategy: decides which thread takes the next step and what a nondeterministic step gives.
//
// The machine asks, the strategy answers; it sees operations and choices, never a sink.
#pragma once

#include <string>
#include <vector>

#include "operation.hpp"

namespace wakeproof::models {

// Every thread stands just before the operation in `pending`.
struct Situation {
  unsigned enabled = 0;     // bit i: thread i could take its step
  unsigned unfinished = 0;  // bit i: thread i has not finished
  ThreadId running = kNobody;
  const Operation* pending = nullptr;
};

enum class Ending {
  complete,   // every thread finished
  stuck,      // some thread cannot go on, and nobody can help it
  redundant,  // left early: equivalent to an execution seen before
  cut,        // left early: something was found after which the rest means nothing
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual void begin_execution() = 0;
  // Before each choose_thread() and before the end, but for the first step.
  virtual void taken(const TakenStep& step) = 0;
  // The thread to go on; kNobody: whatever comes from here was seen before.
  virtual ThreadId choose_thread(const Situation& situation) = 0;
  // One of `count` results of the step under way, 0 being the plain one.
  virtual unsigned choose_value(unsigned count) = 0;
  // Whether the load under way passes by the store of step `candidate` to read an older one, of step
  // `older` or before. -1: the initial value. Asked from the newest on, as far as the load may go.
  virtual bool read_older(int candidate, int older) {
    static_cast<void>(candidate);
    static_cast<void>(older);
    return choose_value(2) == 1;
  }
  // The step under way touches plain data. Also before the first step, of a thread that runs up to its own.
  virtual void touches_plain(ThreadId thread, ObjectId object, bool writes) {
    static_cast<void>(thread);
    static_cast<void>(object);
    static_cast<void>(writes);
  }
  // A modelled object is made, or ends, while the threads run.
  virtual void object_made_or_ended() {}
  // Nobody can go on, so time passes: what comes now comes after everything before.
  virtual void time_passes(const Situation& situation) = 0;
  // Nobody can go on, ever.
  virtual void stuck(const Situation& situation) = 0;
  // True: there is another execution to look at.
  virtual bool end_execution(Ending ending) = 0;

  // No execution is left to look at: what was not found is not there.
  virtual bool exhausted() const = 0;
  // The choices of the execution under way or just ended, from its beginning, as Replay takes them:
  // threads, and values where there was more than one.
  virtual std::vector<unsigned> choices() const = 0;

  // Asked when an execution has ended: the search begins anew, all executions so far do not count.
  virtual bool restarts_after(Ending ending) const {
    static_cast<void>(ending);
    return false;
  }

  // Not empty when a replayed prefix did not repeat itself: what differed, and at which step.
  virtual const std::string& nondeterminism() const = 0;
};

}  // namespace wakeproof::models
