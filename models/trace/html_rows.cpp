#include "html_rows.hpp"

#include <algorithm>
#include <array>

#include "html_text.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

constexpr int kStepsInOnePart = 400;
constexpr int kFixedColumns = 7;  // step, the ribbon's five, the share

// "queue  [] -> [0]", "=> waits for data_ready", "old value, of step 1; missed step 4".
std::string line_of(const std::string& line, int steps) {
  const bool sleeps = line.starts_with("=>");
  const bool changes = !sleeps && line.find(" -> ") != std::string::npos;
  const bool old_value = line.starts_with("old value, of ");
  std::string text = old_value ? html_with_links(line, steps) : html_clipped(sleeps ? line.substr(3) : line);
  if (const std::size_t arrow = text.find(" -&gt; "); changes && arrow != std::string::npos)
    text.replace(arrow, 7, " &#8594; ");
  if (sleeps) text.insert(0, "&#8658; ");
  return std::string("<span class=\"") +
         (sleeps      ? "l go"
          : changes   ? "l to"
          : old_value ? "l old"
                      : "l") +
         "\">" + text + "</span>";
}

class StepsTable {
 public:
  explicit StepsTable(const Trace& trace)
      : trace_(trace),
        steps_(static_cast<int>(trace.steps.size())),
        in_columns_(trace.threads.size() <= kThreadColumns),
        folded_(rows_of(trace, trace.steps, false)),
        single_(rows_of(trace, trace.steps, true)) {}

  std::string html() {
    begin_part(0);
    append_start();
    int part_ends = kStepsInOnePart;
    for (const TraceRow& row : folded_) {
      if (row.first > part_ends) {
        out_ += "</table></div>\n";
        begin_part(row.first);
        part_ends = row.first + kStepsInOnePart;
      }
      append_group(row);
    }
    return out_ + "</table></div>\n";
  }

 private:
  int columns() const { return kFixedColumns + (in_columns_ ? static_cast<int>(trace_.threads.size()) : 1); }

  void begin_part(int first) {
    out_ += "<div class=\"part\"><table class=\"steps" + std::string(in_columns_ ? "" : " list") + "\">\n<caption>";
    out_ += first == 0 ? "Time goes downwards, a row a step" : "From step " + std::to_string(first) + " on";
    out_ += "</caption>\n<thead><tr><th scope=\"col\" class=\"no\">step</th>";
    if (in_columns_) {
      for (const std::string& thread : trace_.threads)
        out_ += "<th scope=\"col\" class=\"who\">" + html_clipped(thread) + "</th>";
    } else {
      out_ += "<th scope=\"col\" class=\"who\">thread and what it does</th>";
    }
    for (const char* conjunct : {"queue not empty", "consumer awake", "wake in flight", "put under way"})
      out_ += std::string("<th scope=\"col\" class=\"inv\"><span>") + conjunct + "</span></th>";
    out_ +=
        "<th scope=\"col\" class=\"inv i\">wake invariant</th>"
        "<th scope=\"col\" class=\"inv s\">fail from here on</th></tr></thead>\n";
  }

  void append_start() {
    out_ += "<tbody><tr id=\"step-0\" class=\"step\"><th scope=\"row\" class=\"no\">start</th>";
    out_ +=
        "<td class=\"who\" colspan=\"" + std::to_string(columns() - kFixedColumns) + "\">before the first step</td>";
    append_ribbon(trace_.invariant_at_start, 0, 0);
    out_ += "</tr></tbody>\n";
  }

  void append_group(const TraceRow& row) {
    const bool folds = row.last != row.first;
    out_ += folds ? "<tbody class=\"fold\">" : "<tbody>";
    if (folds) append_row(row, true);
    for (int step = row.first; step <= row.last; ++step) append_row(single_[static_cast<std::size_t>(step - 1)], false);
    out_ += "</tbody>\n";
  }

  void append_mark(const std::string& text, const char* kind) {
    out_ += "<tr class=\"mark " + std::string(kind) + "\"><td colspan=\"" + std::to_string(columns()) + "\">" + text +
            "</td></tr>";
  }

  void append_row(const TraceRow& row, bool summary) {
    const char* const kind = summary ? "sum" : "step";
    const TraceStep& first = trace_.steps[static_cast<std::size_t>(row.first - 1)];
    const TraceStep& last = trace_.steps[static_cast<std::size_t>(row.last - 1)];
    if (trace_.no_return && trace_.no_return->step && *trace_.no_return->step >= row.first &&
        *trace_.no_return->step <= row.last)
      append_mark("&#9660; the point of no return: from here on every completion fails", kind);
    if (first.time_passed) append_mark("&#8987; nobody could go on: time passes", kind);
    const std::string number = std::to_string(row.first);
    if (summary) {
      out_ += "<tr class=\"sum\"><th scope=\"row\" class=\"no\">" + number + "&#8211;" + std::to_string(row.last);
    } else {
      out_ += "<tr id=\"step-" + number + "\" class=\"step\"><th scope=\"row\" class=\"no\">" + number;
    }
    if (first.turn != TraceSwitch::stays)
      out_ += std::string("<small>") + (first.turn == TraceSwitch::preemption ? "preempts" : "switch") + "</small>";
    out_ += "</th>";
    append_cells(row, summary ? nullptr : &first);
    append_ribbon(last.invariant, row.first, row.last);
    out_ += "</tr>";
  }

  void append_cells(const TraceRow& row, const TraceStep* step) {
    const int columns = in_columns_ ? static_cast<int>(trace_.threads.size()) : 1;
    for (int column = 0; column < columns; ++column) {
      if (in_columns_ && column != row.thread) {
        out_ += "<td class=\"who\"></td>";
        continue;
      }
      out_ += "<td class=\"who t" + std::to_string(row.thread % 8) + "\"><b class=\"name\">" +
              html_clipped(name_of_thread(trace_, row.thread)) + "</b><span class=\"head\">" + html_clipped(row.head) +
              "</span>";
      for (const std::string& line : row.lines) out_ += line_of(line, steps_);
      if (step != nullptr) append_where(*step);
      out_ += "</td>";
    }
  }

  void append_where(const TraceStep& step) {
    std::string more;
    if (!step.file.empty())
      more += html_clipped(step.file) + ":" + std::to_string(step.line) + ", " + html_clipped(step.function);
    if (!step.purpose.empty()) more += "; its order is called " + html_clipped(step.purpose);
    if (step.read_from) more += "; read what " + html_with_links(step_name(*step.read_from), steps_) + " left";
    std::string others;
    for (const int thread : step.could_run) {
      if (thread != step.thread) others += (others.empty() ? "" : ", ") + name_of_thread(trace_, thread);
    }
    if (!others.empty()) more += "; instead could have run: " + html_clipped(others);
    if (!more.empty()) out_ += "<details><summary>where</summary>" + more + "</details>";
  }

  void append_ribbon(const TraceInvariant& invariant, int first, int last) {
    const std::array<std::pair<const char*, bool>, 4> conjuncts{{{"q", invariant.queue_nonempty},
                                                                 {"a", invariant.consumer_awake},
                                                                 {"w", invariant.wake_in_flight},
                                                                 {"p", invariant.put_under_way}}};
    for (const auto& [name, holds] : conjuncts)
      out_ += std::string("<td class=\"inv ") + name + (holds ? " y\">yes" : " n\">no") + "</td>";
    const bool here = trace_.breaks_at && *trace_.breaks_at >= first && *trace_.breaks_at <= last;
    out_ += std::string("<td class=\"inv i ") +
            (invariant.holds() ? "ok\">holds"
             : here            ? "bad\">&#10007; BREAKS"
                               : "bad\">&#10007; broken") +
            "</td>";
    const auto at = static_cast<std::size_t>(last);
    out_ += "<td class=\"inv s";
    if (!trace_.no_return || at >= trace_.no_return->shares.size()) {
      out_ += "\"></td>";
      return;
    }
    const TraceShare& share = trace_.no_return->shares[at];
    out_ += share.failing == share.all ? " all\">" : "\">";
    out_ += std::to_string(share.failing) + " of " + std::to_string(share.all) + (share.capped ? "+" : "") + "</td>";
  }

  const Trace& trace_;
  int steps_;
  bool in_columns_;
  std::vector<TraceRow> folded_;
  std::vector<TraceRow> single_;
  std::string out_;
};

std::string passing_cell(const Trace& trace, const std::vector<TraceStep>& steps, const TraceRow* row, bool first,
                         bool links) {
  if (row == nullptr) return "<td></td>";
  std::string number = std::to_string(row->first);
  const std::string id = number;
  if (row->last != row->first) number += "&#8211;" + std::to_string(row->last);
  if (links) number = "<a href=\"#step-" + id + "\">" + number + "</a>";
  std::string cell = std::string("<td") + (first ? " class=\"differs\"" : "") + ">";
  if (first) cell += "<strong>&#9654; first difference</strong> ";
  cell += "<span class=\"no\">" + number + "</span> <b class=\"in t" + std::to_string(row->thread % 8) + "\">" +
          html_clipped(name_of_thread(trace, row->thread)) + "</b> <span class=\"head\">" + html_clipped(row->head) +
          "</span>";
  for (const std::string& line : row->lines) cell += line_of(line, static_cast<int>(links ? steps.size() : 0));
  if (!steps[static_cast<std::size_t>(row->last - 1)].invariant.holds())
    cell += "<span class=\"l bad\">&#10007; the wake invariant is broken</span>";
  return cell + "</td>";
}

}  // namespace

std::string html_steps(const Trace& trace) {
  return StepsTable(trace).html();
}

std::string html_passing(const Trace& trace) {
  if (!trace.passing) return "";
  const TracePassing& passing = *trace.passing;
  const auto from_difference = [&](const std::vector<TraceStep>& steps) {
    std::vector<TraceRow> rows = rows_of(trace, steps, false);
    std::erase_if(rows, [&](const TraceRow& row) { return row.last < passing.differs_at; });
    return rows;
  };
  const std::vector<TraceRow> fails = from_difference(trace.steps);
  const std::vector<TraceRow> ends_well = from_difference(passing.steps);
  std::string out =
      "<table class=\"beside\">\n<thead><tr><th scope=\"col\">the schedule above</th>"
      "<th scope=\"col\">the nearest one that ends well</th></tr></thead>\n<tbody>";
  if (passing.differs_at > 1) {
    const std::string same =
        passing.differs_at == 2 ? "Step 1 is" : "Steps 1 to " + std::to_string(passing.differs_at - 1) + " are";
    out += "<tr class=\"mark\"><td colspan=\"2\">" + same + " the same</td></tr>\n";
  }
  for (std::size_t i = 0; i < std::max(fails.size(), ends_well.size()); ++i) {
    out += "<tr>" + passing_cell(trace, trace.steps, i < fails.size() ? &fails[i] : nullptr, i == 0, true) +
           passing_cell(trace, passing.steps, i < ends_well.size() ? &ends_well[i] : nullptr, i == 0, false) +
           "</tr>\n";
  }
  return out + "<tr class=\"ends\"><td>&#10007; " + html_clipped(trace.detail) +
         "</td><td>&#10003; ends well</td></tr></tbody>\n</table>\n";
}

}  // namespace wakeproof::models
