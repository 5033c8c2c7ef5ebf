// What a story asks of a trace: which step was the last one before, whose item lies in the queue.
#pragma once

#include <algorithm>
#include <string>

#include "rows.hpp"
#include "trace.hpp"

namespace wakeproof::models {

class TraceQueries {
 public:
  explicit TraceQueries(const Trace& trace) : trace_(trace), last_(static_cast<int>(trace.steps.size())) {}

  const TraceStep& step(int at) const { return trace_.steps[static_cast<std::size_t>(at - 1)]; }
  const std::string& thread(int at) const { return name_of_thread(trace_, at); }
  const std::string& object(int at) const { return name_of_object(trace_, at); }

  static bool changed(const TraceStep& step, int object) {
    return std::any_of(step.changes.begin(), step.changes.end(),
                       [&](const TraceChange& change) { return change.object == object; });
  }

  template <class Test>
  int last_before(int before, Test test) const {
    for (int at = std::min(before, last_ + 1) - 1; at > 0; --at) {
      if (test(step(at))) return at;
    }
    return 0;
  }
  template <class Test>
  int first_after(int after, Test test) const {
    for (int at = after + 1; at <= last_; ++at) {
      if (test(step(at))) return at;
    }
    return 0;
  }

  bool full_before(int at) const {
    return at <= 1 ? trace_.invariant_at_start.queue_nonempty : step(at - 1).invariant.queue_nonempty;
  }
  // The put whose item lies in the queue at `at`: since it the queue is non-empty, or, where there are
  // several queues, one of them.
  int full_since(int at) const {
    int put = at;
    while (put > 1 && full_before(put)) --put;
    for (const TraceChange& change : step(put).changes) {
      if (value_after(at, change.object) != change.before) continue;  // still there
      const std::string& queue = object(change.object);
      const int other = first_after(put, [&](const TraceStep& one) {
        return one.number <= at && std::any_of(one.changes.begin(), one.changes.end(), [&](const TraceChange& later) {
                 return object(later.object) == queue && later.object != change.object &&
                        value_after(at, later.object) == later.after;
               });
      });
      if (other > 0) return other;
    }
    return put;
  }
  // A subject that does not show its queue is known by finished puts alone. Then it is the first step of
  // the newest put that changed something which the consumer looks at.
  int put_before(int at) const {
    const int full = full_since(at);
    if (feeds_consumer(step(full))) return full;
    int put = last_before(at + 1, [&](const TraceStep& one) { return feeds_consumer(one); });
    for (int earlier = put - 1; earlier > 0 && put > 0; --earlier) {
      if (step(earlier).thread != step(put).thread) continue;
      if (!in_one_put(earlier, put)) break;
      if (feeds_consumer(step(earlier))) put = earlier;
    }
    return put > 0 ? put : full;
  }
  bool feeds_consumer(const TraceStep& one) const {
    if (one.thread == trace_.consumer) return false;
    return std::any_of(one.changes.begin(), one.changes.end(), [&](const TraceChange& change) {
      const std::string& kind = trace_.objects[static_cast<std::size_t>(change.object)].kind;
      return (kind == "plain" || kind == "atomic") && consumer_looks_at(change.object);
    });
  }
  bool consumer_looks_at(int object) const {
    return std::any_of(trace_.steps.begin(), trace_.steps.end(), [&](const TraceStep& one) {
      const auto reads = [&](const TraceValue& read) { return read.object == object; };
      return one.thread == trace_.consumer &&
             (one.object == object || changed(one, object) || std::any_of(one.reads.begin(), one.reads.end(), reads));
    });
  }
  std::string value_after(int at, int object) const {
    for (; at > 0; --at) {
      for (const TraceChange& change : step(at).changes) {
        if (change.object == object) return change.after;
      }
    }
    return trace_.objects[static_cast<std::size_t>(object)].initial;
  }

  // The steps are of one thread, and of one put of its.
  bool in_one_put(int first, int second) const {
    const int producer = step(first).thread;
    if (step(second).thread != producer) return false;
    for (int at = first; at < second; ++at) {
      if (!step(at).threads[static_cast<std::size_t>(producer)].in_put) return false;
    }
    return true;
  }

 protected:
  const Trace& trace_;
  int last_;
};

}  // namespace wakeproof::models
