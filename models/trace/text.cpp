// A trace as plain text: one column a thread, time downwards.
#include <algorithm>

#include "trace.hpp"

namespace wakeproof::models {

namespace {

constexpr int kNumberWidth = 5;
constexpr int kNarrowestColumn = 22;

std::string join(const std::vector<std::string>& words, const char* separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

const char* how_it_failed(const std::string& operation) {
  if (operation == "write_byte") return " (full)";
  if (operation == "await") return " (unchanged: waits)";
  if (operation == "wait" || operation == "end_wait") return " (timed out)";
  if (operation == "select") return " (not ready)";
  return " (failed)";
}

// What one step says, a line each.
std::vector<std::string> lines_of(const Trace& trace, const TraceStep& step) {
  const auto name = [&](int object) { return trace.objects[static_cast<std::size_t>(object)].name; };
  std::vector<std::string> lines;
  if (step.time_passed) lines.emplace_back("(time passes)");
  std::string first = step.operation + " " + name(step.object);
  if (!step.value.empty()) first += " = " + step.value;
  if (step.failed) first += how_it_failed(step.operation);
  if (!step.order.empty()) first += ", " + step.order;
  lines.push_back(first);
  if (step.missed) {
    const auto step_name = [](int number) {
      return number == 0 ? std::string("the start") : "step " + std::to_string(number);
    };
    lines.push_back("  old value, of " + step_name(*step.read_from) + "; missed " + step_name(*step.missed));
  }
  for (const TraceChange& change : step.changes) {
    const bool is_lock = trace.objects[static_cast<std::size_t>(change.object)].kind == "mutex";
    if (!is_lock) lines.push_back("  " + name(change.object) + "  " + change.before + " -> " + change.after);
  }
  return lines;
}

std::vector<std::string> wrap(const std::string& line, std::size_t width) {
  std::vector<std::string> parts;
  std::string rest = line;
  while (rest.size() > width) {
    std::size_t cut = rest.rfind(' ', width);
    if (cut == std::string::npos || cut < width / 3) cut = width;
    parts.push_back(rest.substr(0, cut));
    rest = "    " + rest.substr(rest[cut] == ' ' ? cut + 1 : cut);
  }
  parts.push_back(rest);
  return parts;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string number_cell(const std::string& text) {
  return std::string(static_cast<std::size_t>(std::max(0, kNumberWidth - static_cast<int>(text.size()))), ' ') + text +
         "  ";
}

void append_row(std::string& out, int number, std::size_t indent, std::size_t width,
                const std::vector<std::string>& lines) {
  bool first = true;
  for (const std::string& line : lines) {
    for (const std::string& part : wrap(line, width)) {
      out +=
          without_trailing_spaces(number_cell(first ? std::to_string(number) : "") + std::string(indent, ' ') + part);
      out += '\n';
      first = false;
    }
  }
}

void append_indented(std::string& out, const std::string& indent, const std::string& line, int columns) {
  for (const std::string& part : wrap(line, static_cast<std::size_t>(columns) - indent.size()))
    out += indent + part + "\n";
}

void append_waiting(std::string& out, const Trace& trace, int columns) {
  for (const TraceWaiting& waiting : trace.waiting) {
    const std::string line = trace.threads[static_cast<std::size_t>(waiting.thread)] + ": " + waiting.operation + " " +
                             trace.objects[static_cast<std::size_t>(waiting.object)].name + " for ever";
    append_indented(out, number_cell(""), line, columns);
  }
}

}  // namespace

std::string as_text(const Trace& trace, int columns) {
  std::string out;
  append_indented(out, "", trace.scenario + " at " + size_of(trace.bounds) + ": " + std::string(name_of(trace.verdict)),
                  columns);
  append_indented(out, "  ", trace.detail, columns);
  if (!trace.mutations.empty()) append_indented(out, "  ", "mutant: " + join(trace.mutations, ", "), columns);
  out += '\n';
  const int room = columns - kNumberWidth - 2;
  const int threads = std::max(1, static_cast<int>(trace.threads.size()));
  const bool in_columns = room / threads >= kNarrowestColumn;
  const int width = in_columns ? room / threads : room;
  std::string head = number_cell("step");
  for (const std::string& thread : trace.threads) {
    if (in_columns)
      head += thread + std::string(static_cast<std::size_t>(std::max(1, width - static_cast<int>(thread.size()))), ' ');
  }
  out += without_trailing_spaces(head) + "\n";
  for (const TraceStep& step : trace.steps) {
    std::vector<std::string> lines = lines_of(trace, step);
    if (!step.protocol.empty()) lines.front() += "  [" + step.protocol.back() + "]";
    if (!in_columns) lines.front() = trace.threads[static_cast<std::size_t>(step.thread)] + ": " + lines.front();
    append_row(out, step.number, in_columns ? static_cast<std::size_t>(step.thread * width) : 0,
               static_cast<std::size_t>(width - 1), lines);
  }
  append_waiting(out, trace, columns);
  return out;
}

}  // namespace wakeproof::models
