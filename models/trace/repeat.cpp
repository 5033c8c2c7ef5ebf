#include "repeat.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "models/contexts.hpp"
#include "record.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

// One thing that two traces may tell differently of a step, in words.
struct Aspect {
  const char* name;
  std::string (*tell)(const Trace& trace, const TraceStep& step);
};

std::string said(const Trace& trace, const TraceStep& step) {
  const std::string protocol = step.protocol.empty() ? "" : step.protocol.back() + ": ";
  return name_of_thread(trace, step.thread) + ": " + protocol + in_words(trace, step);
}

std::string number_or_none(const std::optional<int>& step) {
  return step ? step_name(*step) : "none";
}

std::string threads_in_words(const Trace& trace, const TraceStep& step) {
  std::string all;
  for (std::size_t i = 0; i < step.threads.size(); ++i) {
    const TraceThread& state = step.threads[i];
    all += (i == 0 ? "" : "; ") + name_of_thread(trace, static_cast<int>(i)) + " ";
    switch (state.state) {
      case TraceThread::State::runs: all += "goes on with"; break;
      case TraceThread::State::waits: all += "waits at"; break;
      case TraceThread::State::not_started: all += "has not started"; break;
      case TraceThread::State::done: all += "is done"; break;
    }
    if (state.object >= 0) all += " " + state.operation + " " + name_of_object(trace, state.object);
    if (state.held_by) all += ", held by " + name_of_thread(trace, *state.held_by);
    if (state.in_put) all += ", in a put";
  }
  return all;
}

template <class Entries, class Tell>
std::string list(const Entries& entries, Tell tell) {
  std::string all;
  for (const auto& entry : entries) all += (all.empty() ? "" : ", ") + tell(entry);
  return all.empty() ? "nothing" : all;
}

// What the step itself does.
const std::array kDoings{
    Aspect{"", &said},
    Aspect{"named steps",
           [](const Trace&, const TraceStep& step) {
             return list(step.protocol, [](const std::string& name) { return name; });
           }},
    Aspect{"purpose", [](const Trace&, const TraceStep& step) { return step.purpose; }},
    Aspect{"changes",
           [](const Trace& trace, const TraceStep& step) {
             return list(step.changes, [&](const TraceChange& change) {
               return name_of_object(trace, change.object) + "  " + change.before + " -> " + change.after;
             });
           }},
    Aspect{"sees",
           [](const Trace& trace, const TraceStep& step) {
             return list(step.reads, [&](const TraceValue& read) {
               return name_of_object(trace, read.object) + " = " + read.value;
             });
           }},
    Aspect{"reads from", [](const Trace&, const TraceStep& step) { return number_or_none(step.read_from); }},
    Aspect{"misses", [](const Trace&, const TraceStep& step) { return number_or_none(step.missed); }},
    Aspect{"could read",
           [](const Trace&, const TraceStep& step) {
             return list(step.could_read,
                         [](const TraceStore& store) { return store.value + " of " + step_name(store.step); });
           }},
    Aspect{"result",
           [](const Trace&, const TraceStep& step) {
             return std::to_string(step.result) + " of " + std::to_string(step.results);
           }},
    Aspect{"choices",
           [](const Trace&, const TraceStep& step) {
             return list(step.choices, [](unsigned choice) { return std::to_string(choice); });
           }},
};

// What is around it.
const std::array kSurroundings{
    Aspect{"threads that could take it",
           [](const Trace& trace, const TraceStep& step) {
             return list(step.could_run, [&](int thread) { return name_of_thread(trace, thread); });
           }},
    Aspect{"known before",
           [](const Trace&, const TraceStep& step) {
             return list(step.known, [](int known) { return step_name(known); });
           }},
    Aspect{"turn",
           [](const Trace&, const TraceStep& step) {
             return std::string(step.time_passed ? "time passes, " : "") +
                    (step.turn == TraceSwitch::stays    ? "the same thread"
                     : step.turn == TraceSwitch::needed ? "a needed switch"
                                                        : "a preemption");
           }},
    Aspect{"afterwards", &threads_in_words},
    Aspect{"wake invariant",
           [](const Trace&, const TraceStep& step) {
             const TraceInvariant& now = step.invariant;
             return std::string(now.queue_nonempty ? "Q" : ".") + (now.consumer_awake ? "A" : ".") +
                    (now.wake_in_flight ? "W" : ".") + (now.put_under_way ? "P" : ".");
           }},
};

// What a step's successor would have been, where there is none in `trace`.
std::string what_ends(const Trace& trace, bool shown_here) {
  return std::string(shown_here ? "it ends there: " : "the end: ") + std::string(name_of(trace.verdict));
}

template <class Aspects>
std::optional<Misfit> first_difference(const Trace& trace, const Trace& now, std::size_t steps,
                                       const Aspects& aspects) {
  for (std::size_t i = 0; i < steps; ++i) {
    for (const Aspect& aspect : aspects) {
      const std::string recorded = aspect.tell(trace, trace.steps[i]);
      const std::string here = aspect.tell(now, now.steps[i]);
      if (recorded == here) continue;
      const std::string what = *aspect.name == '\0' ? "" : std::string(aspect.name) + ": ";
      return Misfit{static_cast<int>(i) + 1, what + recorded, what + here};
    }
  }
  return std::nullopt;
}

// What a step does is compared first, over all of them: what is different around an earlier one
// follows from it.
std::optional<Misfit> first_misfit(const Trace& trace, const Recording& recording) {
  const Trace& now = recording.trace;
  const std::size_t both = std::min(trace.steps.size(), now.steps.size());
  if (auto misfit = first_difference(trace, now, both, kDoings)) return misfit;
  const int next = static_cast<int>(both) + 1;
  if (trace.steps.size() > both) {
    const auto& threads = now.steps.empty() ? now.at_start : now.steps.back().threads;
    const auto wanted = static_cast<std::size_t>(trace.steps[both].thread);
    std::string here = what_ends(now, true);
    if (wanted < threads.size() && threads[wanted].state == TraceThread::State::done)
      here = now.threads[wanted] + " has finished";
    if (wanted < threads.size() && threads[wanted].state == TraceThread::State::waits)
      here = now.threads[wanted] + " waits for " + name_of_object(now, threads[wanted].object);
    return Misfit{next, said(trace, trace.steps[both]), here};
  }
  if (now.steps.size() > both) return Misfit{next, what_ends(trace, false), said(now, now.steps[both])};
  return first_difference(trace, now, both, kSurroundings);
}

std::string names(const std::vector<std::string>& all) {
  return list(all, [](const std::string& one) { return one; });
}

std::string listed(const std::vector<std::string>& mutations) {
  return mutations.empty() ? "no mutation" : "the mutation " + names(mutations);
}

// What is there at the start, and how it ends: after the steps, which tell more.
std::optional<Misfit> frame_misfit(const Trace& trace, const Trace& now) {
  if (trace.mutations != now.mutations) return Misfit{0, listed(trace.mutations), listed(now.mutations)};
  if (trace.memory_model != now.memory_model) return Misfit{0, trace.memory_model, now.memory_model};
  if (trace.threads != now.threads) return Misfit{0, names(trace.threads), names(now.threads)};
  for (std::size_t i = 0; i < now.objects.size(); ++i) {
    const auto told = [&](const Trace& of) {
      return i < of.objects.size() ? of.objects[i].kind + " " + of.objects[i].name + " = " + of.objects[i].initial
                                   : std::string("no further object");
    };
    if (told(trace) != told(now)) return Misfit{0, told(trace), told(now)};
  }
  const auto ends = [](const Trace& of) { return std::string(name_of(of.verdict)) + ": " + of.detail; };
  if (trace.verdict != now.verdict || trace.detail != now.detail) return Misfit{0, ends(trace), ends(now)};
  return std::nullopt;
}

// Takes the turns of a list of threads where it can.
class Follow final : public Strategy {
 public:
  explicit Follow(const std::vector<TraceStep>& steps) : steps_(steps) {}
  void begin_execution() override {}
  void taken(const TakenStep&) override {}
  ThreadId choose_thread(const Situation& situation) override {
    while (next_ < steps_.size()) {
      const int wanted = steps_[next_++].thread;
      if ((situation.enabled >> wanted & 1U) == 0) continue;
      ++fitted_;
      return chosen(wanted);
    }
    return chosen(std::countr_zero(situation.enabled));
  }
  unsigned choose_value(unsigned count) override {
    if (count > 1) made_.push_back(0);
    return 0;
  }
  void time_passes(const Situation&) override {}
  void stuck(const Situation&) override {}
  bool end_execution(Ending) override { return false; }
  bool exhausted() const override { return false; }
  std::vector<unsigned> choices() const override { return made_; }
  const std::string& nondeterminism() const override { return none_; }
  int fitted() const { return fitted_; }

 private:
  ThreadId chosen(int thread) {
    made_.push_back(static_cast<unsigned>(thread));
    return thread;
  }

  const std::vector<TraceStep>& steps_;
  std::size_t next_ = 0;
  int fitted_ = 0;
  std::vector<unsigned> made_;
  std::string none_;
};

// What was cut short for its length is cut there again.
int room_for(const Trace& trace) {
  if (trace.verdict == Verdict::inconclusive && !trace.steps.empty()) return static_cast<int>(trace.steps.size());
  return std::max(kMaxSteps, static_cast<int>(trace.steps.size()) + 1);
}

}  // namespace

const Scenario& scenario_for(const Trace& trace, const std::string& name) {
  const Scenario* scenario = scenario_named(name);
  if (scenario == nullptr) throw CannotRepeat("'" + name + "' is no scenario of this program; list shows what is");
  const std::string wrong = scenario->reject(trace.bounds);
  if (!wrong.empty()) throw CannotRepeat("the trace's bounds: " + wrong);
  const int threads = program_of(*scenario, trace.bounds).all_threads();
  if (static_cast<int>(trace.threads.size()) != threads) {
    throw CannotRepeat("the trace has " + std::to_string(trace.threads.size()) + " threads, the scenario " +
                       std::to_string(threads) + " of that size");
  }
  return *scenario;
}

const Scenario& scenario_of(const Trace& trace) {
  return scenario_for(trace, trace.scenario);
}

Repeated repeat(const Scenario& scenario, const Trace& trace) {
  Recording recording = record_as_far(scenario, trace.bounds, trace.choices, {.max_steps = room_for(trace)});
  Repeated repeated;
  repeated.misfit = first_misfit(trace, recording);
  if (!repeated.misfit) repeated.misfit = frame_misfit(trace, recording.trace);
  repeated.now = std::move(recording.trace);
  if (repeated.misfit && repeated.misfit->step > 0) {
    const auto fitting = static_cast<std::size_t>(repeated.misfit->step - 1);
    if (repeated.now.steps.size() > fitting) repeated.now.steps.resize(fitting);
  }
  return repeated;
}

std::string in_words(const Misfit& misfit) {
  return (misfit.step > 0 ? "step " + std::to_string(misfit.step) : std::string("what is around the steps")) +
         " no longer fits: the trace says '" + misfit.recorded + "', the scenario does '" + misfit.here + "'";
}

Trace follow(const Scenario& scenario, const Trace& trace, int& fitted) {
  const Program program = program_of(scenario, trace.bounds);
  Follow strategy(trace.steps);
  Machine::Run run;
  run.program = &program;
  run.strategy = &strategy;
  run.max_steps = room_for(trace);
  run.outcome = [](const Outcome&) { return false; };
  run_executions(run);
  machine().end_run();
  fitted = strategy.fitted();
  return record_as_far(scenario, trace.bounds, strategy.choices(), {.max_steps = room_for(trace)}).trace;
}

}  // namespace wakeproof::models
