#include "rows.hpp"

#include <algorithm>

namespace wakeproof::models {

const std::string& name_of_object(const Trace& trace, int object) {
  return trace.objects[static_cast<std::size_t>(object)].name;
}

const std::string& name_of_thread(const Trace& trace, int thread) {
  return trace.threads[static_cast<std::size_t>(thread)];
}

std::string step_name(int number) {
  return number == 0 ? "the start" : "step " + std::to_string(number);
}

namespace {

const char* how_it_failed(const std::string& operation) {
  if (operation == "write_byte") return " (full)";
  if (operation == "await") return " (unchanged: waits)";
  if (operation == "wait" || operation == "end_wait") return " (timed out)";
  if (operation == "select") return " (not ready)";
  return " (failed)";
}

bool is_mutex(const Trace& trace, int object) {
  return trace.objects[static_cast<std::size_t>(object)].kind == "mutex";
}

using Steps = std::vector<TraceStep>;

// The index of the unlock that ends the section which step `at` begins, when nobody else takes a step
// in between; otherwise `at`.
std::size_t end_of_section(const Steps& steps, std::size_t at) {
  if (steps[at].operation != "lock") return at;
  for (std::size_t i = at + 1; i < steps.size() && steps[i].thread == steps[at].thread; ++i) {
    if (steps[i].time_passed) break;
    if (steps[i].operation == "unlock" && steps[i].object == steps[at].object) return i;
  }
  return at;
}

// What the steps from `first` to `last` changed, each object once, and what they read and left as it was.
void add_effects(const Trace& trace, const Steps& steps, std::size_t first, std::size_t last, TraceRow& row) {
  std::vector<TraceChange> changes;
  std::vector<TraceValue> reads;
  for (std::size_t i = first; i <= last; ++i) {
    for (const TraceChange& change : steps[i].changes) {
      if (is_mutex(trace, change.object)) continue;
      const auto known = std::find_if(changes.begin(), changes.end(),
                                      [&](const TraceChange& other) { return other.object == change.object; });
      if (known == changes.end()) {
        changes.push_back(change);
      } else {
        known->after = change.after;
      }
    }
    for (const TraceValue& read : steps[i].reads) reads.push_back(read);
  }
  for (const TraceValue& read : reads) {
    const auto concerns = [&](const TraceChange& change) { return change.object == read.object; };
    if (std::any_of(changes.begin(), changes.end(), concerns)) continue;
    row.lines.push_back("sees " + name_of_object(trace, read.object) + " = " + read.value);
    if (row.lines.size() >= 2 && row.lines.back() == row.lines[row.lines.size() - 2]) row.lines.pop_back();
  }
  for (const TraceChange& change : changes)
    row.lines.push_back(name_of_object(trace, change.object) + "  " + change.before + " -> " + change.after);
}

void add_stale_read(const TraceStep& step, TraceRow& row) {
  if (!step.missed) return;
  row.lines.push_back("old value, of " + step_name(*step.read_from) + "; missed " + step_name(*step.missed));
}

// Who fell asleep by the row's last step, and who can go on again.
void add_waits(const Trace& trace, const Steps& steps, const std::vector<TraceThread>& before, TraceRow& row) {
  const TraceStep& last = steps[static_cast<std::size_t>(row.last - 1)];
  for (std::size_t i = 0; i < last.threads.size() && i < before.size(); ++i) {
    const TraceThread& now = last.threads[i];
    const bool mine = static_cast<int>(i) == row.thread;
    const bool waits = now.state == TraceThread::State::waits;
    const bool waited = before[i].state == TraceThread::State::waits && !mine;
    if (waits && mine) {
      row.lines.push_back("=> waits for " + name_of_object(trace, now.object) +
                          (now.held_by ? ", held by " + name_of_thread(trace, *now.held_by) : ""));
    } else if (waited && !waits && now.operation != "lock") {
      row.lines.push_back("=> " + trace.threads[i] + " can go on");
    }
  }
}

TraceRow row_of(const Trace& trace, const Steps& steps, std::size_t first, std::size_t last) {
  TraceRow row{steps[first].number, steps[last].number, steps[first].thread, {}, {}};
  const std::string protocol = steps[first].protocol.empty() ? "" : steps[first].protocol.back();
  if (first == last) {
    row.head = (protocol.empty() ? "" : protocol + ": ") + in_words(trace, steps[first]);
    add_stale_read(steps[first], row);
  } else {
    const std::string& what = protocol.empty() ? steps[first].function : protocol;
    row.head = what + ", under " + name_of_object(trace, steps[first].object);
    for (std::size_t i = first + 1; i < last; ++i) {
      const bool named = !steps[i].protocol.empty() && steps[i].protocol.back() != protocol;
      row.lines.push_back((named ? steps[i].protocol.back() + ": " : "") + in_words(trace, steps[i]));
      add_stale_read(steps[i], row);
    }
  }
  add_effects(trace, steps, first, last, row);
  add_waits(trace, steps, first == 0 ? trace.at_start : steps[first - 1].threads, row);
  return row;
}

}  // namespace

std::string in_words(const Trace& trace, const TraceStep& step) {
  if (step.operation == "tick") return step.failed ? "no tick until the nearest deadline" : "a millisecond passes";
  if (step.operation == "now") return "look at the clock";
  std::string words = step.operation + " " + name_of_object(trace, step.object);
  if (!step.value.empty()) words += " = " + step.value;
  if (step.failed) words += how_it_failed(step.operation);
  if (!step.order.empty()) words += ", " + step.order;
  return words;
}

std::string briefly(const Trace& trace, const TraceStep& step) {
  if (is_mutex(trace, step.object) && !step.failed) return step.protocol.empty() ? step.function : step.protocol.back();
  if (step.protocol.empty()) return in_words(trace, step);
  return step.protocol.back() + ": " + in_words(trace, step);
}

std::vector<TraceRow> rows_of(const Trace& trace, const std::vector<TraceStep>& steps, bool detail) {
  std::vector<TraceRow> rows;
  for (std::size_t at = 0; at < steps.size();) {
    const std::size_t last = detail ? at : end_of_section(steps, at);
    rows.push_back(row_of(trace, steps, at, last));
    at = last + 1;
  }
  return rows;
}

}  // namespace wakeproof::models
