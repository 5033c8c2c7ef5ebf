// Game: one execution, with a person in the scheduler's place.
//
//   options()      what can be chosen now: who takes the next step, or which value the last one gets
//   choose(n)      the n-th of them, from 0
//   undo()         takes the last choice back
//
// who --choose--> who, or which value --choose--> who ... over. After each choice the execution is run
// anew from its beginning: a step that was taken cannot be taken back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario.hpp"
#include "record.hpp"
#include "trace.hpp"

namespace wakeproof::models {

class Game {
 public:
  Game(const Scenario& scenario, const Bounds& bounds);

  struct Option {
    int thread = 0;
    std::string what;  // the step, or the value
    std::vector<unsigned> choices;
  };
  const std::vector<Option>& options() const { return options_; }
  bool asks_for_value() const { return asks_for_value_; }
  bool over() const { return options_.empty(); }

  // False: it would lead to nothing that another choice does not show, and is not made.
  bool choose(std::size_t option);
  bool undo();

  // The steps so far. That of which a value is asked for is the last one, with its plain value.
  const Trace& trace() const { return recording_.trace; }
  int steps() const { return static_cast<int>(trace().steps.size()); }
  // What a thread stands at, and whether it can go on: "lock queue_lock".
  std::string standing(int thread) const;

  // All that can follow, as far as it was looked at. Only where no value is asked for.
  TraceShare below() const;
  // The whole execution: what was chosen, and then the first thread that can goes on.
  Trace completed() const;

 private:
  Recording run(const std::vector<unsigned>& choices) const;
  void note(Recording recording);
  bool has_values() const;
  void offer_values();
  void offer_threads();

  const Scenario& scenario_;
  Bounds bounds_;
  std::vector<std::vector<unsigned>> made_;  // the choices after each one that was made
  bool asks_for_value_ = false;
  Recording recording_;
  std::vector<Option> options_;
};

}  // namespace wakeproof::models
