#include "step_text.hpp"

#include "text.hpp"

namespace wakeproof::models {

StepText::StepText(const Trace& trace, int columns)
    : trace_(trace), columns_(columns), rows_(rows_of(trace, trace.steps, true)) {
  for (const TraceObject& object : trace.objects) values_.push_back(object.initial);
}

std::string StepText::step(int number) {
  for (; shown_ < number; ++shown_) {
    for (const TraceChange& change : trace_.steps[static_cast<std::size_t>(shown_)].changes)
      values_[static_cast<std::size_t>(change.object)] = change.after;
  }
  const TraceRow& row = rows_[static_cast<std::size_t>(number - 1)];
  std::string out;
  if (trace_.steps[static_cast<std::size_t>(number - 1)].time_passed) out += "(time passes)\n";
  const std::string digits = std::to_string(number);
  const std::string margin(digits.size() < 4 ? 4 - digits.size() : 0, ' ');
  append_paragraph(out, margin + digits + "  " + name_of_thread(trace_, row.thread) + ": " + row.head, columns_, "",
                   "        ");
  for (const std::string& line : row.lines) append_paragraph(out, line, columns_, "        ", "          ");
  return out + state();
}

std::string StepText::state() const {
  std::string all;
  for (std::size_t i = 0; i < trace_.objects.size(); ++i) {
    if (values_[i].empty() || values_[i] == "free" || trace_.objects[i].kind == "thread") continue;
    all += (all.empty() ? "" : ", ") + trace_.objects[i].name + " = " + values_[i];
  }
  const TraceInvariant& now =
      shown_ == 0 ? trace_.invariant_at_start : trace_.steps[static_cast<std::size_t>(shown_ - 1)].invariant;
  std::string out;
  append_paragraph(out, "[" + ribbon(now) + "] " + all, columns_, "      ", "        ");
  return out;
}

}  // namespace wakeproof::models
