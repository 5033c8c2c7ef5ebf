#include "mermaid.hpp"

#include <algorithm>

#include "rows.hpp"

namespace wakeproof::models {

namespace {

// Mermaid takes `#` and `;` for its own and ends a message at a line's end; the rest is for the HTML
// that it makes of it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '#': out += "#35;"; break;
      case ';': out += "#59;"; break;
      case '<': out += "#lt;"; break;
      case '>': out += "#gt;"; break;
      case '"': out += "#quot;"; break;
      case '%': out += "#37;"; break;
      case '\n':
      case '\r': out += ' '; break;
      default: out += c;
    }
  }
  return out;
}

std::string lane(int thread) {
  return "T" + std::to_string(thread);
}

std::string over_all(const Trace& trace) {
  const int last = static_cast<int>(trace.threads.size()) - 1;
  return last == 0 ? lane(0) : lane(0) + "," + lane(last);
}

// The object that a row is about: a section's is what it changed or saw, not its mutex.
int object_of(const Trace& trace, const TraceRow& row) {
  const TraceStep& first = trace.steps[static_cast<std::size_t>(row.first - 1)];
  if (row.first == row.last) return first.object;
  for (int at = row.first; at <= row.last; ++at) {
    const TraceStep& step = trace.steps[static_cast<std::size_t>(at - 1)];
    for (const TraceChange& change : step.changes) {
      if (change.object != first.object) return change.object;
    }
  }
  return first.reads.empty() ? first.object : first.reads.front().object;
}

std::string lane_of_object(int object) {
  return "O" + std::to_string(object);
}

void append_row(std::string& out, const Trace& trace, const TraceRow& row) {
  const TraceStep& first = trace.steps[static_cast<std::size_t>(row.first - 1)];
  const TraceStep& last = trace.steps[static_cast<std::size_t>(row.last - 1)];
  if (trace.no_return && trace.no_return->step && *trace.no_return->step >= row.first &&
      *trace.no_return->step <= row.last) {
    out += "    Note over " + over_all(trace) + ": from here on every completion fails\n";
  }
  if (first.time_passed) out += "    Note over " + over_all(trace) + ": time passes\n";
  std::string text =
      std::to_string(row.first) + (row.last == row.first ? "" : "-" + std::to_string(row.last)) + " " + row.head;
  for (const std::string& line : row.lines) {
    if (!line.starts_with("=>")) text += "<br/>" + line;
  }
  std::string safe;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t cut = std::min(text.find("<br/>", at), text.size());
    safe += (at == 0 ? "" : "<br/>") + escaped(text.substr(at, cut - at));
    at = cut + (cut < text.size() ? 5 : 0);
  }
  out += "    " + lane(row.thread) + "->>" + lane_of_object(object_of(trace, row)) + ": " + safe + "\n";
  for (const std::string& line : row.lines) {
    if (line.starts_with("=>")) out += "    Note over " + lane(row.thread) + ": " + escaped(line.substr(3)) + "\n";
  }
  if (trace.breaks_at && *trace.breaks_at >= row.first && *trace.breaks_at <= row.last && !last.invariant.holds())
    out += "    Note over " + over_all(trace) + ": the wake invariant is BROKEN\n";
}

}  // namespace

std::string as_mermaid(const Trace& trace, bool detail) {
  const std::vector<TraceRow> rows = rows_of(trace, trace.steps, detail);
  std::string out = "sequenceDiagram\n";
  std::vector<int> objects;
  for (const TraceRow& row : rows) objects.push_back(object_of(trace, row));
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  for (std::size_t i = 0; i < trace.threads.size(); ++i)
    out += "    participant " + lane(static_cast<int>(i)) + " as " + escaped(trace.threads[i]) + "\n";
  for (const int object : objects)
    out += "    participant " + lane_of_object(object) + " as " + escaped(name_of_object(trace, object)) + "\n";
  for (const TraceRow& row : rows) append_row(out, trace, row);
  for (const TraceWaiting& waiting : trace.waiting) {
    out += "    Note over " + lane(waiting.thread) + ": waits for " + escaped(name_of_object(trace, waiting.object)) +
           " for ever\n";
  }
  out += "    Note over " + over_all(trace) + ": " +
         escaped(std::string(name_of(trace.verdict)) + ": " + trace.detail) + "\n";
  return out;
}

}  // namespace wakeproof::models
