#include "text.hpp"

#include <algorithm>
#include <cctype>

#include "phrases.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

constexpr int kNumberWidth = 7;
constexpr int kRibbonWidth = 17;  // "  Q A W P  BROKEN"
constexpr int kNarrowestColumn = 22;

std::string join(const std::vector<std::string>& words, const char* separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

// Later lines are indented under the first.
std::vector<std::string> wrap(const std::string& line, int columns, const std::string& indent) {
  const auto width = static_cast<std::size_t>(std::max(columns, 8));
  std::vector<std::string> parts;
  std::string rest = line;
  while (rest.size() > width) {
    std::size_t cut = rest.rfind(' ', width);
    if (cut == std::string::npos || cut < width / 3) cut = width;
    parts.push_back(rest.substr(0, cut));
    rest = indent + rest.substr(rest[cut] == ' ' ? cut + 1 : cut);
  }
  parts.push_back(rest);
  return parts;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

void append_paragraph(std::string& out, const std::string& text, int columns, const std::string& first,
                      const std::string& indent) {
  for (const std::string& part : wrap(first + text, columns, indent)) out += without_trailing_spaces(part) + "\n";
}

std::string ribbon(const TraceInvariant& invariant) {
  std::string cells = invariant.queue_nonempty ? "Q" : ".";
  cells += invariant.consumer_awake ? " A" : " .";
  cells += invariant.wake_in_flight ? " W" : " .";
  cells += invariant.put_under_way ? " P" : " .";
  return cells + (invariant.holds() ? "  ok" : "  BROKEN");
}

namespace {

// Where the columns stand.
class Layout {
 public:
  Layout(const Trace& trace, int columns) : threads_(std::max(1, static_cast<int>(trace.threads.size()))) {
    room_ = columns - kNumberWidth - kRibbonWidth;
    in_columns_ = room_ / threads_ >= kNarrowestColumn;
    width_ = in_columns_ ? room_ / threads_ : room_;
  }

  bool in_columns() const { return in_columns_; }
  int width() const { return width_; }

  std::string line(const std::string& number, int thread, const std::string& text, const std::string& right) const {
    std::string all = spaces(kNumberWidth - 2 - static_cast<int>(number.size())) + number + "  ";
    if (in_columns_) all += spaces(thread * width_);
    all += text;
    if (!right.empty()) all += spaces(kNumberWidth + room_ - static_cast<int>(all.size())) + right;
    return without_trailing_spaces(all) + "\n";
  }

  std::string head(const Trace& trace) const {
    std::string names;
    for (const std::string& thread : trace.threads) {
      if (in_columns_) names += thread + spaces(std::max(1, width_ - static_cast<int>(thread.size())));
    }
    return line("step", 0, names, "  Q A W P  wake");
  }

 private:
  int threads_;
  int room_;
  int width_;
  bool in_columns_;
};

void append_row(std::string& out, const Trace& trace, const Layout& layout, const TraceRow& row) {
  const TraceStep& first = trace.steps[static_cast<std::size_t>(row.first - 1)];
  const TraceStep& last = trace.steps[static_cast<std::size_t>(row.last - 1)];
  std::string number = std::to_string(row.first);
  if (row.last != row.first) number += "-" + std::to_string(row.last);
  if (first.turn == TraceSwitch::preemption) number = "*" + number;
  std::vector<std::string> lines;
  if (first.time_passed) lines.emplace_back("(time passes)");
  const std::string who = layout.in_columns() ? "" : name_of_thread(trace, row.thread) + ": ";
  for (const std::string& part : wrap(who + row.head, layout.width() - 1, "    ")) lines.push_back(part);
  for (const std::string& line : row.lines) {
    for (const std::string& part : wrap("  " + line, layout.width() - 1, "    ")) lines.push_back(part);
  }
  bool begins = true;
  for (const std::string& line : lines) {
    out += layout.line(begins ? number : "", row.thread, line, begins ? "  " + ribbon(last.invariant) : "");
    begins = false;
  }
}

void append_no_return(std::string& out, const Trace& trace, const Layout& layout, int before_step) {
  if (!trace.no_return || trace.no_return->step != before_step) return;
  out += layout.line("", 0, "- - - from here on every completion fails - - -", "");
}

void append_steps(std::string& out, const Trace& trace, const TextOptions& options) {
  const Layout layout(trace, options.columns);
  out += layout.head(trace);
  for (const TraceRow& row : rows_of(trace, trace.steps, options.detail)) {
    for (int step = row.first; step <= row.last; ++step) append_no_return(out, trace, layout, step);
    append_row(out, trace, layout, row);
  }
  for (const TraceWaiting& waiting : trace.waiting) {
    append_paragraph(out,
                     name_of_thread(trace, waiting.thread) + ": " + waiting.operation + " " +
                         name_of_object(trace, waiting.object) + " for ever",
                     options.columns, spaces(kNumberWidth), spaces(kNumberWidth + 2));
  }
  const bool preempted = preemptions_of(trace.steps) > 0;
  out += '\n';
  append_paragraph(out,
                   std::string("Q queue non-empty, A consumer awake, W wake in flight, P a put under way (after the "
                               "row's steps); wake: where Q, one of A, W, P.") +
                       (preempted ? " * the thread before could have gone on." : ""),
                   options.columns);
}

void append_title(std::string& out, const Trace& trace, int columns) {
  append_paragraph(out, trace.scenario + " at " + size_of(trace.bounds) + ": " + std::string(name_of(trace.verdict)),
                   columns);
  append_paragraph(out, trace.detail, columns, "  ", "  ");
  if (!trace.mutations.empty()) append_paragraph(out, "mutant: " + join(trace.mutations, ", "), columns, "  ", "  ");
}

void append_why(std::string& out, const Trace& trace, int columns) {
  if (trace.why.empty()) return;
  out += "\nWhy\n";
  for (const TraceSentence& sentence : trace.why) {
    std::string word = sentence.word;
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    append_paragraph(out, sentence.text, columns, "  " + word + spaces(10 - static_cast<int>(word.size())), spaces(12));
  }
}

}  // namespace

std::string as_text(const Trace& trace, const TextOptions& options) {
  std::string out;
  if (options.title) {
    append_title(out, trace, options.columns);
    out += '\n';
  }
  append_steps(out, trace, options);
  return out;
}

std::string as_explanation(const Trace& trace, const TextOptions& options) {
  std::string out;
  append_title(out, trace, options.columns);
  append_paragraph(out, trace.story, options.columns, "  ", "  ");
  if (trace.minimum) append_paragraph(out, smallness_in_words(trace), options.columns, "  ", "  ");
  out += '\n';
  append_steps(out, trace, options);
  append_why(out, trace, options.columns);
  out += "\nThe nearest schedule that ends well\n";
  for (const std::string& paragraph : passing_in_words(trace))
    append_paragraph(out, paragraph, options.columns, "  ", "  ");
  if (trace.no_return) out += "\nThe point of no return\n";
  for (const std::string& paragraph : no_return_in_words(trace))
    append_paragraph(out, paragraph, options.columns, "  ", paragraph.starts_with("Instead") ? "    " : "  ");
  return out;
}

}  // namespace wakeproof::models
