// Trace: one recorded execution as plain data, for renderings. Sees nothing of Relacy or a search.
//
// Steps are numbered from 1, in the order they were taken; threads and objects from 0. Step 0 is what
// was there before the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/verdict.hpp"

namespace wakeproof::models {

struct TraceObject {
  std::string name;
  std::string kind;  // atomic, plain, mutex, event, pipe, selector, condition variable, semaphore, thread, fence, clock
  std::string initial;            // its value before the first step; empty for what has none
  std::optional<int> watched_by;  // of a pipe: the selector
};

struct TraceChange {
  int object = 0;
  std::string before;
  std::string after;
};

// What was read: plain data, after the step that it is noted with, or a store that a load could have got.
struct TraceValue {
  int object = 0;
  std::string value;
};
struct TraceStore {
  int step = 0;  // that stored it; 0: the initial value
  std::string value;
};

// Of one thread, after a step.
struct TraceThread {
  enum class State { runs, waits, not_started, done };
  State state = State::runs;
  int object = -1;             // that its next step is on; -1: none
  std::string operation;       // its next step; empty: none
  std::optional<int> held_by;  // it waits for a mutex: who has that
  bool in_put = false;         // it is in the middle of one, that is, has taken a step of it
};

// Why another thread, or the same one, took the step.
enum class TraceSwitch {
  stays,       // the same thread as before, or the first step
  needed,      // the thread before could not go on
  preemption,  // the thread before could have gone on
};

// [wake] Queue non-empty => the consumer is awake, or a wake is in flight, or a producer is in the
// middle of a put. The conjuncts after a step.
struct TraceInvariant {
  bool queue_nonempty = false;
  bool consumer_awake = true;  // it does not stand at a wait; one for a mutex ends by itself
  bool wake_in_flight = false;
  bool put_under_way = false;  // begun by a step, not finished

  bool holds() const { return !queue_nonempty || consumer_awake || wake_in_flight || put_under_way; }
};

struct TraceStep {
  int number = 0;
  int thread = 0;
  int object = 0;
  std::string operation;
  std::string order;                   // of an atomic operation, or empty
  std::string purpose;                 // the order's name in the source, or empty
  std::string value;                   // that a load or exchange read, or empty
  bool failed = false;                 // a compare_exchange that did not happen, a wait that timed out, a full pipe
  std::optional<int> read_from;        // the step whose store was read; 0: the initial value
  std::optional<int> missed;           // the newest store, when an older one was read
  std::vector<int> known;              // by thread: the newest of its steps that happens before this one; 0: none
  std::vector<std::string> protocol;   // the named steps it is part of, outermost first
  std::vector<TraceChange> changes;    // by the step and what its thread did until its next one
  std::vector<TraceValue> reads;       // of plain data, likewise
  std::vector<int> could_run;          // the threads that could have taken this step instead, and itself
  std::vector<TraceStore> could_read;  // of a load: from the newest store on
  int results = 1;                     // that another step may have; `result` is the one it had
  int result = 0;
  std::vector<unsigned> choices;  // what replays it: the thread, and values where there was more than one
  TraceSwitch turn = TraceSwitch::stays;
  std::string file;
  unsigned line = 0;
  std::string function;
  bool time_passed = false;          // before this step, because nobody could go on
  std::vector<TraceThread> threads;  // after it
  TraceInvariant invariant;          // after it
};

// A thread that stands still at the end.
struct TraceWaiting {
  int thread = 0;
  int object = 0;
  std::string operation;
  std::optional<int> last_signal;     // the newest step that would have let it go on, such as a set
  std::optional<int> last_taken;      // the newest one that took that back, such as a clear
  std::vector<int> could_have_woken;  // threads that did such a step before, and why they will not again:
  std::vector<std::string> but;       // a phrase for each
};

struct TraceMinimum {
  int preemptions = 0;
  int stale_reads = 0;       // and other results that are not the plain one
  bool established = false;  // every smaller schedule was looked at; otherwise the smallest that was found
  std::uint64_t executions = 0;
};

// A sentence of the story, with the steps it is about.
struct TraceSentence {
  std::string word;  // let, because, therefore, however
  std::string text;
  std::vector<int> steps;
};

// The schedule that ends well and shares the longest beginning with the failing one.
struct TracePassing {
  int differs_at = 0;  // the first step that is not the same, in both
  std::string sentence;
  std::vector<int> about;  // steps of the failing schedule that the sentence names
  std::vector<TraceStep> steps;
  std::vector<unsigned> choices;
};

// How many executions there are below a prefix of the failing schedule, and how many of them fail.
struct TraceShare {
  int steps = 0;  // of the prefix
  std::uint64_t failing = 0;
  std::uint64_t all = 0;
  bool capped = false;  // there are more than were looked at
};

// Another choice at one step, and what is below it.
struct TraceSibling {
  int thread = 0;
  std::string what;
  TraceShare below;
};

struct TraceNoReturn {
  std::vector<TraceShare> shares;      // one for each number of steps, from 0
  std::optional<int> step;             // from this step on every completion fails
  std::vector<TraceSibling> siblings;  // what could have been chosen instead of it
};

struct Trace {
  std::string scenario;
  std::string story;
  Bounds bounds;
  std::vector<std::string> mutations;
  std::string memory_model;
  Verdict verdict = Verdict::proved;
  std::string detail;
  std::vector<std::string> threads;
  int consumer = 0;
  std::vector<TraceObject> objects;
  std::vector<TraceThread> at_start;  // the threads before the first step
  TraceInvariant invariant_at_start;
  std::vector<TraceStep> steps;
  std::optional<int> found_at;        // after this step the fault was there to be seen; none: only at the end
  std::optional<int> breaks_at;       // after this step the invariant does not hold, to the end
  std::vector<TraceWaiting> waiting;  // the threads that stand still at the end, and for what
  std::vector<unsigned> choices;      // what replays it

  std::optional<TraceMinimum> minimum;
  std::vector<TraceSentence> why;
  std::optional<TracePassing> passing;
  std::optional<TraceNoReturn> no_return;
};

// Preemptions, and results other than the plain one, that a trace has.
int preemptions_of(const std::vector<TraceStep>& steps);
int stale_reads_of(const std::vector<TraceStep>& steps);

}  // namespace wakeproof::models
