// Trace: one recorded execution as plain data, for renderings. Sees nothing of Relacy or a search.
//
// Steps are numbered from 1, in the order they were taken; threads and objects from 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/verdict.hpp"

namespace wakeproof::models {

struct TraceObject {
  std::string name;
  std::string kind;     // atomic, plain, mutex, event, pipe, selector, condition variable, semaphore, thread
  std::string initial;  // its value before the first step; empty for what has none
};

struct TraceChange {
  int object = 0;
  std::string before;
  std::string after;
};

struct TraceStep {
  int number = 0;
  int thread = 0;
  int object = 0;
  std::string operation;
  std::string order;                  // of an atomic operation, or empty
  std::string purpose;                // the order's name in the source, or empty
  std::string value;                  // that a load or exchange read, or empty
  bool failed = false;                // a compare_exchange that did not happen, a wait that timed out, a full pipe
  std::optional<int> read_from;       // the step whose store was read; 0: the initial value
  std::optional<int> missed;          // the newest store, when an older one was read
  std::vector<std::string> protocol;  // the named steps it is part of, outermost first
  std::vector<TraceChange> changes;   // by the step and what its thread did until its next one
  std::vector<int> could_run;         // the threads that could have taken this step instead, and itself
  std::string file;
  unsigned line = 0;
  std::string function;
  bool time_passed = false;  // before this step, because nobody could go on
};

struct TraceWaiting {
  int thread = 0;
  int object = 0;
  std::string operation;
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
  std::vector<TraceObject> objects;
  std::vector<TraceStep> steps;
  std::vector<TraceWaiting> waiting;  // the threads that stand still at the end, and for what
  std::vector<unsigned> choices;      // what replays it
};

// At most `columns` wide. One column a thread where there are few, a list otherwise.
std::string as_text(const Trace& trace, int columns = 100);

}  // namespace wakeproof::models
