#include "run_held.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "models/trace/rows.hpp"

namespace wakeproof::models {

namespace {

std::string in_seconds(std::chrono::nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
  return text;
}

std::string items(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " item" : " items");
}

std::string spelled(Verdict verdict) {
  std::string name(name_of(verdict));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

bool waits_for_notification(const std::string& operation) {
  return operation == "begin_wait" || operation == "end_wait" || operation == "await";
}

// Those that stand still for ever, told apart as Machine::tell_stuck does.
void tell_sleepers(const std::vector<std::string>& names, const std::string& time, HeldResult& result) {
  const Director::Seen& seen = result.seen;
  const auto wants_mutex = [](const Director::Sleeper& sleeper) { return sleeper.kind == OpKind::lock; };
  const bool lost =
      std::none_of(seen.sleepers.begin(), seen.sleepers.end(), wants_mutex) && seen.at_end.puts > seen.at_end.takes;
  std::string who;
  for (const Director::Sleeper& sleeper : seen.sleepers) {
    const auto thread = static_cast<std::size_t>(sleeper.thread);
    who += (who.empty() ? "" : ", ") + (thread < names.size() ? names[thread] : "a thread") +
           (lost ? "" : " waits for " + sleeper.object);
  }
  const std::size_t queued = seen.at_end.puts - std::min(seen.at_end.puts, seen.at_end.takes);
  result.finding.verdict = lost ? Verdict::lost_wakeup : Verdict::deadlock;
  result.finding.detail = lost ? who + " slept through " + time + " with " + items(queued) + " queued"
                               : who + ", and nothing moved for " + time;
}

void tell(const std::vector<std::string>& names, const HeldOptions& options, HeldResult& result) {
  const std::string time = in_seconds(options.timeout);
  const Director::Seen& seen = result.seen;
  if (!result.followed()) {
    result.finding = {Verdict::inconclusive, "step " + std::to_string(seen.differs_at) + ": " + seen.differs};
    result.words = "real threads do not follow: " + result.finding.detail;
    return;
  }
  if (!seen.sleepers.empty()) {
    tell_sleepers(names, time, result);
  } else if (!seen.all_ended && options.one_runs_on && seen.waits_passed > 1 &&
             seen.at_end.takes == seen.at_free.takes) {
    result.finding = {Verdict::busy_spin, "a thread came back from its wait " + std::to_string(seen.waits_passed) +
                                              " times in " + time + ", and took nothing"};
  } else if (!result.finding && seen.overslept) {
    result.finding = {Verdict::lost_wakeup, names[static_cast<std::size_t>(seen.overslept->thread)] +
                                                " slept until its timeout with " +
                                                items(seen.at_overslept.puts - seen.at_overslept.takes) + " queued"};
  } else if (!seen.all_ended) {
    result.finding = {Verdict::inconclusive, "threads still ran after the schedule, and were stopped"};
  }
  if (result.finding) {
    result.words = result.finding.detail + ": " + spelled(result.finding.verdict) + ", for real";
  } else {
    result.words = "nobody slept: every thread came to its end, " + items(seen.at_end.takes) + " taken";
  }
}

}  // namespace

std::string cannot_hold(const Scenario& scenario, const Trace& trace) {
  if (!scenario.on_held_threads) return scenario.name + " has no script for threads that are held to a schedule";
  if (trace.bounds.ticks > 0) {
    return "its clock is free: a millisecond passes where the trace says so, which no real clock can be held to";
  }
  for (const TraceStep& step : trace.steps) {
    const std::string who = "step " + std::to_string(step.number) + " (" + name_of_thread(trace, step.thread) + ": ";
    if (step.missed) {
      return who + in_words(trace, step) + ") reads an old value, and real threads that are held one step at a time " +
             "always read the newest: only a sequentially consistent schedule can be held";
    }
    if (waits_for_notification(step.operation))
      return who + in_words(trace, step) + ") waits for a notification, which is one real call and two steps here";
  }
  switch (trace.verdict) {
    case Verdict::data_race:
    case Verdict::use_after_free:
    case Verdict::leak:
    case Verdict::inconclusive:
      return "its verdict is " + std::string(name_of(trace.verdict)) + ", which no run on real threads shows by itself";
    default: return {};
  }
}

std::vector<HeldStep> schedule_of(const Trace& trace) {
  std::vector<HeldStep> schedule;
  for (const TraceStep& step : trace.steps) {
    schedule.push_back({step.number, step.thread, step.operation, step.object, step.failed, step.time_passed,
                        name_of_thread(trace, step.thread) + ": " + in_words(trace, step)});
  }
  return schedule;
}

HeldResult run_held(const Scenario& scenario, const Bounds& bounds, std::vector<HeldStep> schedule,
                    const HeldOptions& options) {
  const std::vector<std::string> names = scenario.thread_names(bounds);
  const auto count = static_cast<int>(names.size());
  std::unique_ptr<Script> script;
  Director director({.steps = std::move(schedule),
                     .threads = count,
                     .spare_threads = scenario.spare_threads,
                     .mutations = scenario.mutations,
                     .before_step = options.before_step,
                     .account = [&script] { return script->account(); },
                     .one_runs_on = options.one_runs_on});
  HeldResult result;
  script = scenario.on_held_threads(bounds);
  {
    // What a thread does before its first operation comes before everything else, one after the other.
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&director, &script, i] { director.run(i, [&] { script->thread(i); }); });
      director.await_arrival(i);
    }
    director.open();
    director.watch(options.timeout);
    director.break_off();
  }
  result.seen = director.seen();
  if (result.seen.sleepers.empty()) result.seen.at_end = script->account();
  if (result.seen.all_ended) result.finding = script->judge();
  script.reset();  // its objects belong to the director
  tell(names, options, result);
  return result;
}

}  // namespace wakeproof::models
