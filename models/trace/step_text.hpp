// The steps of a trace one at a time, as text: what each does, and the state after it.
#pragma once

#include <string>
#include <vector>

#include "rows.hpp"
#include "trace.hpp"

namespace wakeproof::models {

class StepText {
 public:
  // Refers to the trace.
  StepText(const Trace& trace, int columns);

  // Of step `number`, from 1; numbers only grow from call to call.
  std::string step(int number);
  // After the step asked for last, or at the start: the ribbon and what objects hold.
  std::string state() const;
  const std::string& value(int object) const { return values_[static_cast<std::size_t>(object)]; }

 private:
  const Trace& trace_;
  int columns_;
  std::vector<TraceRow> rows_;
  std::vector<std::string> values_;
  int shown_ = 0;
};

}  // namespace wakeproof::models
