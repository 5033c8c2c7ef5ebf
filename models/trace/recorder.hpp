// Recorder: the observer that fills a Trace, step by step. The part of trace/ that sees a Machine.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "models/machine.hpp"
#include "models/search/replay.hpp"
#include "trace.hpp"

namespace wakeproof::models {

class Recorder final : public Observer {
 public:
  // `consumer`: the thread that the wake invariant is about.
  Recorder(Trace& trace, const Replay& replay) : trace_(trace), replay_(replay) {}

  void execution_begins(const Machine& machine) override;
  void step_begins(const Machine& machine, ThreadId thread) override;
  void plain_read(const Machine& machine, ObjectId object) override;
  void step_done(const Machine& machine, const TakenStep& taken, const StepDetail& detail) override;
  void time_passed(const Machine& machine) override;
  void nobody_goes_on(const Machine& machine) override;

  // After the execution: what only the whole of it tells.
  void finish();
  // The value that the step's store left, as people call it; 0: the initial one of `object`.
  const std::string& stored(int step, int object) const;

 private:
  using Signals = std::bitset<kMaxObjects>;

  void note_objects(const Machine& machine);
  void note_changes(const Machine& machine, TraceStep& step);
  void note_read(const Machine& machine, const TakenStep& taken, const StepDetail& detail, TraceStep& step);
  void note_where(const StepDetail& detail, TraceStep& step) const;
  std::vector<int> known_steps(const TakenStep& taken, const StepDetail& detail) const;
  std::vector<TraceThread> threads_now(const Machine& machine) const;
  TraceInvariant invariant_now(const Machine& machine);
  TraceSwitch turn_of(const TraceStep& step) const;

  Trace& trace_;
  const Replay& replay_;
  std::vector<std::string> values_;            // of the objects, before the step under way
  std::vector<std::string> stores_;            // by step
  std::vector<std::vector<std::size_t>> own_;  // by thread: its own clock before each of its steps
  std::vector<std::vector<int>> steps_of_;     // by thread: the numbers of its steps
  std::vector<Signals> signals_;               // by step, 0 the start: what would let the consumer go on
  Signals waited_for_;                         // by the consumer, at any time
  unsigned puts_under_way_ = 0;                // bit i: thread i is in the middle of a put
  int put_of_step_ = -1;
  std::vector<TraceValue> reads_;
  std::vector<std::string> protocol_;
  bool time_passed_ = false;
};

}  // namespace wakeproof::models
