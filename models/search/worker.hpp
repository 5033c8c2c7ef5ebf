// Worker: a process that searches one work unit after another for its parent.
//
// Relacy has one context a process, so cores are shared out by processes. A worker has the scenario
// from the fork; units and results go through pipes.
#pragma once

#include <sys/types.h>

#include <optional>

#include "parts.hpp"

namespace wakeproof::models {

class Worker {
 public:
  Worker(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options);
  ~Worker();  // ends the process, whatever it is at
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `most_executions`: then the unit is given back.
  void order(const WorkUnit& unit, std::optional<std::uint64_t> most_executions);
  // Becomes readable when there is a result, or the process is gone.
  int results() const { return results_; }
  // Nothing: the process is gone.
  std::optional<SearchResult> result();
  // The unit under way is to be left; its result says what is open. May be asked any number of times.
  void ask_back() const;

 private:
  [[noreturn]] static void work(const Scenario& scenario, const Bounds& bounds, SearchOptions options, int orders,
                                int results);

  pid_t process_ = -1;
  int orders_ = -1;
  int results_ = -1;
};

}  // namespace wakeproof::models
