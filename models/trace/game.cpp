#include "game.hpp"

#include "passing.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

constexpr int kMostSteps = 1'000'000;  // of an execution that is completed by itself

std::string result_in_words(const TraceStep& step, int result) {
  if (step.operation == "notify_one") return "wakes number " + std::to_string(result + 1) + " of those that wait";
  if (result == 0) return "as it should";
  return step.operation == "begin_wait" ? "and is woken for no reason" : "fails for no reason";
}

}  // namespace

Game::Game(const Scenario& scenario, const Bounds& bounds) : scenario_(scenario), bounds_(bounds) {
  made_.emplace_back();
  note(run({}));
}

Recording Game::run(const std::vector<unsigned>& choices) const {
  return record_as_far(scenario_, bounds_, choices, {.then = Replay::Then::stop});
}

bool Game::choose(std::size_t option) {
  const std::vector<unsigned> choices = options_[option].choices;
  Recording next = run(choices);
  if (next.ending == Ending::redundant && !next.left()) return false;
  const bool was_asked = asks_for_value_;
  if (was_asked) made_.pop_back();
  made_.push_back(choices);
  asks_for_value_ = false;
  note(std::move(next));
  if (!was_asked && has_values()) {
    asks_for_value_ = true;
    offer_values();
  }
  return true;
}

bool Game::undo() {
  if (made_.size() == 1) return false;
  made_.pop_back();
  asks_for_value_ = false;
  note(run(made_.back()));
  return true;
}

void Game::note(Recording recording) {
  recording_ = std::move(recording);
  offer_threads();
}

bool Game::has_values() const {
  const TraceStep& last = trace().steps.back();
  return last.could_read.size() > 1 || last.results > 1;
}

void Game::offer_threads() {
  options_.clear();
  for (const int thread : recording_.could_run) {
    Option option{thread, standing(thread), trace().choices};
    option.choices.push_back(static_cast<unsigned>(thread));
    options_.push_back(std::move(option));
  }
}

void Game::offer_values() {
  options_.clear();
  const TraceStep& last = trace().steps.back();
  const std::vector<unsigned>& until = made_.back();  // its thread is the last of them
  for (std::size_t i = 0; i < last.could_read.size(); ++i) {
    const TraceStore& store = last.could_read[i];
    Option option{last.thread, store.value + ", of " + step_name(store.step) + (i == 0 ? ": the newest" : ""), until};
    option.choices.insert(option.choices.end(), i, 1);
    if (i + 1 < last.could_read.size()) option.choices.push_back(0);
    options_.push_back(std::move(option));
  }
  for (int result = 0; last.could_read.empty() && result < last.results; ++result) {
    Option option{last.thread, result_in_words(last, result), until};
    option.choices.push_back(static_cast<unsigned>(result));
    options_.push_back(std::move(option));
  }
}

std::string Game::standing(int thread) const {
  const auto& threads = trace().steps.empty() ? trace().at_start : trace().steps.back().threads;
  const auto at = static_cast<std::size_t>(thread);
  const TraceThread& state = threads[at];
  if (at < recording_.standing.size() && recording_.standing[at].kind != OpKind::none) {
    const Operation& next = recording_.standing[at];
    return name_of(next.kind) + (" " + name_of_object(trace(), next.object)) +
           (state.held_by ? ", held by " + name_of_thread(trace(), *state.held_by) : "");
  }
  if (state.object < 0) return "done";
  return state.operation + " " + name_of_object(trace(), state.object);
}

TraceShare Game::below() const {
  return share_below(scenario_, bounds_, steps(), trace().choices);
}

Trace Game::completed() const {
  return record_as_far(scenario_, bounds_, trace().choices, {.max_steps = kMostSteps}).trace;
}

}  // namespace wakeproof::models
