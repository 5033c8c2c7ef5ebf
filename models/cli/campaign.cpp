#include "campaign.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

#include "interrupt.hpp"
#include "models/search/pool.hpp"
#include "output.hpp"
#include "select.hpp"

namespace wakeproof::models::cli {

namespace {

std::vector<Question> questions_of(const RunOptions& options) {
  std::vector<Question> questions;
  for (const Scenario* scenario : select(options.selection)) {
    std::vector<Bounds> sizes = scenario->sizes;
    sizes.insert(sizes.end(), scenario->larger_sizes.begin(), scenario->larger_sizes.end());
    if (options.producers || options.items) {
      sizes = {scenario->size(options.producers.value_or(1), options.items.value_or(1))};
    }
    for (Bounds bounds : sizes) {
      bounds.max_items = options.max_items;
      if (options.ticks) bounds.ticks = *options.ticks;
      const std::string wrong = scenario->reject(bounds);
      if (!wrong.empty()) throw UsageError(wrong);
      questions.push_back({scenario, bounds});
    }
  }
  return questions;
}

Checkpoint begin(const RunOptions& options) {
  auto kind = SearchKind::parse(options.search);
  if (!kind) throw UsageError(fmt::format("there is no search '{}'; there are {}", options.search, kSearchKinds));
  kind->seed = options.seed;
  kind->symmetry = options.symmetry;
  kind->locks_by_data = options.lock_order == "data";
  if (kind->locks_by_data && (kind->name != SearchKind::Name::dpor || options.jobs > 1)) {
    throw UsageError("--lock-order data is for the search dpor, in one process");
  }
  if (options.jobs > 1 && kind->name != SearchKind::Name::dpor) {
    throw UsageError(fmt::format("-j shares the search dpor among processes, not {}", kind->text()));
  }
  Checkpoint state;
  state.questions = questions_of(options);
  state.options.kind = *kind;
  state.options.keep_going = options.keep_going;
  state.options.max_steps = options.max_steps;
  state.options.graphs = options.graphs;
  return state;
}

std::chrono::steady_clock::time_point after(double seconds) {
  using Clock = std::chrono::steady_clock;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Checkpoint resume(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("cannot read '{}'", path));
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return parse_checkpoint(text.str());
  } catch (const BadDocument& bad) {
    throw UsageError(fmt::format("'{}' is no checkpoint to go on from: {}", path, bad.what()));
  }
}

}  // namespace

Campaign::Campaign(const RunOptions& options)
    : options_(options), state_(options.resume.empty() ? begin(options) : resume(options.resume)) {
  state_.options.max_executions = options.max_executions;
  state_.options.interrupt = &interrupts();
  if (options.budget_s > 0) state_.options.deadline = after(options.budget_s);
  if (options.cache) cache_.emplace();
  monitor_.emplace(state_.questions, state_.options.kind, options.progress_s);
}

void Campaign::run(const Listener& listener) {
  for (std::size_t i = 0; i < state_.questions.size(); ++i) listener.done(i, answer(i, listener));
  settle_checkpoint();
  if (cache_) cache_->save();
}

SearchResult Campaign::answer(std::size_t question, const Listener& listener) {
  const bool begun = question < state_.results.size();
  if (begun && state_.results[question].open.empty()) return state_.results[question];
  SearchResult result;
  std::optional<SearchResult> known;
  if (cache_ && !begun) known = cache_->find(state_.questions[question], state_.options);
  if (known) {
    result = std::move(*known);
  } else if (const std::string why = out_of_time(); !why.empty()) {
    if (begun) return state_.results[question];
    result.detail = "not begun: " + why;
    return result;
  } else {
    result = ask(question, listener);
    monitor_->ends();
    if (cache_) cache_->add(state_.questions[question], state_.options, result);
  }
  if (question > state_.results.size()) return result;  // an earlier one was not begun: a checkpoint has no gaps
  if (!begun) state_.results.emplace_back();
  state_.results[question] = result;
  return result;
}

std::string Campaign::out_of_time() const {
  if (interrupts().load(std::memory_order_relaxed)) return "interrupted";
  if (state_.options.deadline && WallClock::now() >= *state_.options.deadline) return "the budget ran out first";
  return {};
}

SearchResult Campaign::ask(std::size_t question, const Listener& listener) {
  const auto& [scenario, bounds] = state_.questions[question];
  SearchOptions options = state_.options;
  if (options_.budget_each_s > 0) {
    const WallClock::time_point its = after(options_.budget_each_s);
    if (!options.deadline || its < *options.deadline) {
      options.deadline = its;
      options.deadline_of = "its budget";
    }
  }
  options.progress = [&](const Progress& progress) {
    looks(question, progress);
    listener.looks(question, progress.so_far);
  };
  const bool goes_on = question < state_.results.size();
  const std::uint64_t before = goes_on ? state_.results[question].executions() : 0;
  monitor_->begins(question, before);
  listener.begins(question, before);
  if (goes_on) {
    SearchResult so_far = state_.results[question];
    std::vector<WorkUnit> open = give_back(so_far);
    return search_rest(*scenario, bounds, options, std::move(so_far), std::move(open), options_.jobs);
  }
  if (options_.jobs > 1) return search_in_parallel(*scenario, bounds, options, options_.jobs);
  return search(*scenario, bounds, options);
}

// --- checkpoints -----------------------------------------------------------------------------------

bool Campaign::keeps_checkpoints() const {
  return !options_.checkpoint.empty() && state_.options.kind.name == SearchKind::Name::dpor &&
         !state_.options.kind.locks_by_data;
}

void Campaign::looks(std::size_t question, const Progress& progress) {
  monitor_->looks(progress.so_far);
  const auto now = WallClock::now();
  const bool due = std::chrono::duration<double>(now - last_written_).count() >= options_.checkpoint_every_s;
  if (!keeps_checkpoints() || options_.checkpoint_every_s <= 0 || !due) return;
  Checkpoint checkpoint = state_;
  if (question == checkpoint.results.size()) checkpoint.results.emplace_back();
  checkpoint.results[question] = progress.so_far;
  checkpoint.results[question].open = progress.open();
  write_checkpoint(checkpoint);
  written_ = true;
  last_written_ = WallClock::now();
}

void Campaign::write_checkpoint(const Checkpoint& checkpoint) const {
  OutputFile(options_.checkpoint).finish(as_json(checkpoint));
}

// What is done needs no checkpoint: the one that was kept goes.
void Campaign::settle_checkpoint() {
  const bool left = state_.results.size() < state_.questions.size() ||
                    std::any_of(
                        state_.results.begin(), state_.results.end(),
                        [](const SearchResult& result) { return !result.open.empty(); });
  if (!keeps_checkpoints()) return;
  if (left) {
    write_checkpoint(state_);
    left_in_ = options_.checkpoint;
  } else if (written_ || options_.resume == options_.checkpoint) {
    std::remove(options_.checkpoint.c_str());
  }
}

}  // namespace wakeproof::models::cli
