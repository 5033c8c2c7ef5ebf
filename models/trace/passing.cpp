#include "passing.hpp"

#include <algorithm>

#include "models/contexts.hpp"
#include "models/search/bounded.hpp"
#include "models/search/parts.hpp"
#include "record.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

constexpr std::uint64_t kBelowOneChoice = 2'000;  // executions
constexpr int kFurtherPreemptions = 2;

struct Alternative {
  int step = 0;
  int thread = 0;
  std::string what;               // the step would have been
  std::vector<unsigned> choices;  // up to the step and for it
};

std::vector<unsigned> choices_before(const Trace& trace, int step) {
  std::vector<unsigned> choices;
  for (int i = 0; i + 1 < step; ++i) {
    const auto& made = trace.steps[static_cast<std::size_t>(i)].choices;
    choices.insert(choices.end(), made.begin(), made.end());
  }
  return choices;
}

// What another thread does next, in words.
std::string next_of(const Trace& trace, int step, int thread) {
  for (int at = step; at <= static_cast<int>(trace.steps.size()); ++at) {
    const TraceStep& later = trace.steps[static_cast<std::size_t>(at - 1)];
    if (later.thread == thread) return name_of_thread(trace, thread) + ": " + briefly(trace, later);
  }
  const auto& before = step == 1 ? trace.at_start : trace.steps[static_cast<std::size_t>(step - 2)].threads;
  const TraceThread& state = before[static_cast<std::size_t>(thread)];
  if (state.object < 0) return name_of_thread(trace, thread);
  return name_of_thread(trace, thread) + ": " + state.operation + " " + name_of_object(trace, state.object);
}

// What could have been chosen at a step instead: another result first, for that is the smaller change.
std::vector<Alternative> alternatives_at(const Trace& trace, int number) {
  const TraceStep& step = trace.steps[static_cast<std::size_t>(number - 1)];
  const std::vector<unsigned> before = choices_before(trace, number);
  std::vector<Alternative> all;
  const auto add = [&](int thread, std::string what, const std::vector<unsigned>& values) {
    Alternative one{number, thread, std::move(what), before};
    one.choices.push_back(static_cast<unsigned>(thread));
    one.choices.insert(one.choices.end(), values.begin(), values.end());
    all.push_back(std::move(one));
  };
  for (std::size_t i = 0; i < step.could_read.size(); ++i) {
    const TraceStore& store = step.could_read[i];
    if (step.could_read.size() < 2 || store.step == step.read_from) continue;
    std::vector<unsigned> values(i, 1);
    if (i + 1 < step.could_read.size()) values.push_back(0);
    add(step.thread,
        name_of_thread(trace, step.thread) + ": " + step.operation + " " + name_of_object(trace, step.object) + " = " +
            store.value + ", of " + step_name(store.step),
        values);
  }
  for (int result = 0; result < step.results; ++result) {
    if (step.results < 2 || result == step.result) continue;
    add(step.thread,
        name_of_thread(trace, step.thread) + ": " + step.operation + " " + name_of_object(trace, step.object) +
            " with another result",
        {static_cast<unsigned>(result)});
  }
  for (const int thread : step.could_run) {
    if (thread != step.thread) add(thread, next_of(trace, number, thread), {});
  }
  return all;
}

// The first execution below the choices that ends well.
std::optional<std::vector<unsigned>> passing_below(const Program& program, const std::vector<unsigned>& choices,
                                                   int preemptions) {
  std::optional<std::vector<unsigned>> passing;
  Bounded bounded(preemptions, choices);
  std::uint64_t left = kBelowOneChoice;
  Machine::Run run;
  run.program = &program;
  run.strategy = &bounded;
  run.outcome = [&](const Outcome& outcome) {
    if (outcome.ending == Ending::complete && !outcome.finding) passing = bounded.choices();
    return !passing && --left > 0;
  };
  run_executions(run);
  machine().end_run();
  return passing;
}

const char* what_is_avoided(Verdict verdict) {
  switch (verdict) {
    case Verdict::lost_wakeup: return "nobody would have slept on a full queue";
    case Verdict::deadlock: return "nobody would have waited for ever";
    case Verdict::busy_spin: return "the wait would have been worth it";
    case Verdict::excess_wakeups: return "one wake would have done";
    default: return "it would have ended well";
  }
}

// "Had step 8 come before step 7 ...".
void tell_difference(const Trace& failing, const Alternative& other, TracePassing& passing) {
  const TraceStep& here = failing.steps[static_cast<std::size_t>(other.step - 1)];
  const TraceStep& instead = passing.steps[static_cast<std::size_t>(other.step - 1)];
  const auto said = [&](const TraceStep& step) {
    return name_of_thread(failing, step.thread) + ": " + briefly(failing, step);
  };
  const std::string end = std::string(", ") + what_is_avoided(failing.verdict) + ".";
  const std::string step_here = "step " + std::to_string(here.number) + " (" + said(here) + ")";
  passing.about.push_back(here.number);
  if (other.thread == here.thread) {
    passing.sentence = "Had " + step_here + " been '" + in_words(failing, instead) + "'";
    if (instead.read_from) passing.sentence += ", the value of " + step_name(*instead.read_from);
    passing.sentence += end;
    return;
  }
  const auto later = std::find_if(failing.steps.begin() + other.step, failing.steps.end(),
                                  [&](const TraceStep& step) { return step.thread == other.thread; });
  if (later == failing.steps.end()) {
    passing.sentence = "Had " + said(instead) + " come before " + step_here + end;
    return;
  }
  passing.about.insert(passing.about.begin(), later->number);
  passing.sentence =
      "Had step " + std::to_string(later->number) + " (" + said(*later) + ") come before " + step_here + end;
}

bool all_fail(const TraceShare& share) {
  return !share.capped && share.all > 0 && share.failing == share.all;
}

// The number of each of the other trace's objects in this one, which gets those that it lacks. Most are
// made by the script's constructor and have the same number in both.
std::vector<int> adopt_objects(Trace& trace, const Trace& other) {
  std::vector<int> numbers;
  const auto own = trace.objects.size();
  for (std::size_t i = 0; i < other.objects.size(); ++i) {
    const bool same =
        i < own && trace.objects[i].name == other.objects[i].name && trace.objects[i].kind == other.objects[i].kind;
    numbers.push_back(static_cast<int>(same ? i : trace.objects.size()));
    if (!same) trace.objects.push_back(other.objects[i]);
  }
  for (TraceObject& object : trace.objects) {
    if (object.watched_by && *object.watched_by >= static_cast<int>(trace.objects.size())) object.watched_by.reset();
  }
  return numbers;
}

void renumber(std::vector<TraceStep>& steps, const std::vector<int>& numbers) {
  const auto renumber_one = [&](int& object) {
    if (object >= 0) object = numbers[static_cast<std::size_t>(object)];
  };
  for (TraceStep& step : steps) {
    renumber_one(step.object);
    for (TraceChange& change : step.changes) renumber_one(change.object);
    for (TraceValue& read : step.reads) renumber_one(read.object);
    for (TraceThread& thread : step.threads) renumber_one(thread.object);
  }
}

}  // namespace

TraceShare share_below(const Scenario& scenario, const Bounds& bounds, int steps, std::vector<unsigned> choices) {
  SearchOptions options;
  options.keep_going = true;
  options.max_executions = kBelowOneChoice;
  const SearchResult result = search_unit(scenario, bounds, options, {steps, std::move(choices), {}});
  TraceShare share;
  share.steps = steps;
  share.all = result.complete + result.stuck + result.cut;
  for (int verdict = 1; verdict < kVerdicts; ++verdict)
    share.failing += result.findings[static_cast<std::size_t>(verdict)];
  share.capped = !result.exhausted;
  return share;
}

std::optional<TracePassing> nearest_passing(const Scenario& scenario, Trace& failing) {
  const Program program = program_of(scenario, failing.bounds);
  const int preemptions = preemptions_of(failing.steps);
  for (int step = static_cast<int>(failing.steps.size()); step > 0; --step) {
    for (int further = 0; further <= kFurtherPreemptions; ++further) {
      for (const Alternative& other : alternatives_at(failing, step)) {
        const auto choices = passing_below(program, other.choices, preemptions + further);
        if (!choices) continue;
        Trace recorded = record(scenario, failing.bounds, *choices);
        TracePassing passing;
        renumber(recorded.steps, adopt_objects(failing, recorded));
        passing.differs_at = step;
        passing.steps = std::move(recorded.steps);
        passing.choices = std::move(recorded.choices);
        tell_difference(failing, other, passing);
        return passing;
      }
    }
  }
  return std::nullopt;
}

TraceNoReturn no_return(const Scenario& scenario, const Trace& failing) {
  TraceNoReturn told;
  const int last = static_cast<int>(failing.steps.size());
  for (int steps = 0; steps < last; ++steps)
    told.shares.push_back(share_below(scenario, failing.bounds, steps, choices_before(failing, steps + 1)));
  told.shares.push_back({last, 1, 1, false});
  int step = last;
  while (step > 0 && all_fail(told.shares[static_cast<std::size_t>(step - 1)])) --step;
  if (step == 0) return told;  // whatever is done, it fails
  told.step = step;
  for (const Alternative& other : alternatives_at(failing, step))
    told.siblings.push_back({other.thread, other.what, share_below(scenario, failing.bounds, step, other.choices)});
  return told;
}

}  // namespace wakeproof::models
