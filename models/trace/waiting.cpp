#include "waiting.hpp"

#include <algorithm>

namespace wakeproof::models {

namespace {

const TraceObject& object_of(const Trace& trace, int object) {
  return trace.objects[static_cast<std::size_t>(object)];
}

// A wait at a selector is for its pipes.
bool concerns(const Trace& trace, const TraceStep& step, int object) {
  return step.object == object || object_of(trace, step.object).watched_by == object;
}

std::string phrase(const Trace& trace, int thread) {
  const TraceThread& state =
      (trace.steps.empty() ? trace.at_start : trace.steps.back().threads)[static_cast<std::size_t>(thread)];
  switch (state.state) {
    case TraceThread::State::done: return "has finished";
    case TraceThread::State::waits: return "itself waits for " + object_of(trace, state.object).name;
    case TraceThread::State::not_started: return "was never started";
    case TraceThread::State::runs: break;
  }
  return "could still go on";
}

}  // namespace

bool signals(const Trace& trace, const TraceStep& step, int object) {
  if (!concerns(trace, step, object) || step.failed) return false;
  const std::string& op = step.operation;
  return op == "set" || op == "write_byte" || op == "notify_one" || op == "notify_all" || op == "release" ||
         op == "unlock" || op == "exit";
}

bool takes_back(const Trace& trace, const TraceStep& step, int object) {
  if (!concerns(trace, step, object) || step.failed) return false;
  const std::string& op = step.operation;
  return op == "clear" || op == "read_all" || op == "lock" || op == "acquire" || op == "try_acquire" ||
         op == "try_lock" || op == "end_wait" || op == "close";
}

void tell_waiting(Trace& trace) {
  for (TraceWaiting& waiting : trace.waiting) {
    std::vector<int> wakers;
    for (const TraceStep& step : trace.steps) {
      if (signals(trace, step, waiting.object)) {
        waiting.last_signal = step.number;
        if (step.thread != waiting.thread) wakers.push_back(step.thread);
      } else if (takes_back(trace, step, waiting.object)) {
        waiting.last_taken = step.number;
      }
    }
    // Where nobody has done it yet, anybody might have.
    if (wakers.empty()) {
      for (int thread = 0; thread < static_cast<int>(trace.threads.size()); ++thread) {
        if (thread != waiting.thread) wakers.push_back(thread);
      }
    }
    std::sort(wakers.begin(), wakers.end());
    wakers.erase(std::unique(wakers.begin(), wakers.end()), wakers.end());
    for (const int thread : wakers) {
      waiting.could_have_woken.push_back(thread);
      waiting.but.push_back(phrase(trace, thread));
    }
  }
}

int preemptions_of(const std::vector<TraceStep>& steps) {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [](const auto& step) { return step.turn == TraceSwitch::preemption; }));
}

int stale_reads_of(const std::vector<TraceStep>& steps) {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(),
                                        [](const auto& step) { return step.missed.has_value() || step.result > 0; }));
}

}  // namespace wakeproof::models
