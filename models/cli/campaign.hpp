// Campaign: the searches of one command, from the first or from where an earlier one was stopped.
//
// Keeps a checkpoint up to date, so that no more than the last minute is lost however it ends.
#pragma once

#include <chrono>
#include <functional>

#include "cli.hpp"
#include "models/report/checkpoint.hpp"
#include "monitor.hpp"
#include "verdict_cache.hpp"

namespace wakeproof::models::cli {

class Campaign {
 public:
  // What `run` was asked, checked before the first search begins. Throws UsageError.
  explicit Campaign(const RunOptions& options);

  const std::vector<Question>& questions() const { return state_.questions; }
  const SearchOptions& search_options() const { return state_.options; }

  // Who is told, by the number of the question, from 0.
  struct Listener {
    std::function<void(std::size_t question, std::uint64_t executions_before)> begins;
    std::function<void(std::size_t question, const SearchResult& so_far)> looks;  // a few times a second
    std::function<void(std::size_t question, SearchResult result)> done;          // of each, in order
  };
  // A search that was not begun any more is done, and inconclusive.
  void run(const Listener& listener);

  // Where what is left can be found; empty: nothing is, or it is not kept.
  const std::string& checkpoint() const { return left_in_; }

 private:
  using WallClock = std::chrono::steady_clock;

  bool keeps_checkpoints() const;
  SearchResult answer(std::size_t question, const Listener& listener);
  SearchResult ask(std::size_t question, const Listener& listener);
  void looks(std::size_t question, const Progress& progress);
  void write_checkpoint(const Checkpoint& checkpoint) const;
  void settle_checkpoint();
  std::string out_of_time() const;

  const RunOptions& options_;
  Checkpoint state_;
  std::optional<Monitor> monitor_;
  std::optional<VerdictCache> cache_;
  WallClock::time_point last_written_ = WallClock::now();
  bool written_ = false;
  std::string left_in_;
};

}  // namespace wakeproof::models::cli
