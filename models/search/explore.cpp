#include "explore.hpp"

#include <algorithm>
#include <limits>

#include "dpor.hpp"
#include "models/contexts.hpp"

namespace wakeproof::models {

namespace {

using WallClock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = std::chrono::milliseconds(250);

void count(SearchResult& result, const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::complete: ++result.complete; break;
    case Ending::stuck: ++result.stuck; break;
    case Ending::redundant: ++result.redundant; break;
    case Ending::cut: ++result.cut; break;
  }
  result.steps_max = std::max(result.steps_max, outcome.steps);
  if (outcome.finding) ++result.findings[static_cast<std::size_t>(outcome.finding.verdict)];
}

const char* why_a_stock_search_proves_nothing(bool parked) {
  return parked ? "a thread parks, and after every wake this search leaves out legal schedules"
                : "this search reads at most one old value a load, and not every one that is allowed";
}

StockOptions stock_options(const SearchKind& kind, std::uint64_t executions) {
  StockOptions stock;
  stock.context_bound = kind.context_bound;
  stock.executions = executions;
  switch (kind.name) {
    case SearchKind::Name::relacy_full: stock.search = StockSearch::full; break;
    case SearchKind::Name::relacy_bound: stock.search = StockSearch::bound; break;
    case SearchKind::Name::relacy_random: stock.search = StockSearch::random; break;
    default: break;
  }
  return stock;
}

// How many executions a search may run; the largest number: as many as there are.
std::uint64_t limit_of(const SearchOptions& options) {
  const bool endless = options.kind.is_random() || options.kind.name == SearchKind::Name::relacy_random;
  const auto usual = endless ? kRandomExecutions : std::numeric_limits<std::uint64_t>::max();
  return options.max_executions.value_or(usual);
}

class Exploration {
 public:
  Exploration(const SearchOptions& options, Strategy* strategy, const Dpor* dpor)
      : options_(options),
        strategy_(strategy),
        dpor_(dpor),
        limit_(limit_of(options)),
        next_look_(begin_ + kBetweenLooks) {}

  SearchResult run(const Program& program) {
    Machine::Run run;
    run.program = &program;
    run.strategy = strategy_;
    run.max_steps = options_.max_steps;
    run.survey = options_.survey;
    run.outcome = [this](const Outcome& outcome) { return goes_on_after(outcome); };
    run_executions(run, stock_options(options_.kind, limit_));
    result_.exhausted = strategy_ != nullptr ? strategy_->exhausted() : !found_ && stopped_by_.empty();
    if (result_.exhausted) result_.open.clear();
    result_.locks_by_data = dpor_ != nullptr && dpor_->orders_locks_by_data();
    result_.unused_mutations = machine().unused_mutations();
    if (!result_.exhausted && result_.detail.empty()) result_.detail = stopped_by_;
    conclude(result_, options_);
    machine().end_run();
    result_.wall_s = std::chrono::duration<double>(WallClock::now() - begin_).count();
    return std::move(result_);
  }

 private:
  bool goes_on_after(const Outcome& outcome) {
    if (strategy_ != nullptr && strategy_->restarts_after(outcome.ending)) {
      result_ = {};
      return true;
    }
    count(result_, outcome);
    if (options_.graphs && dpor_ != nullptr && outcome.ending == Ending::complete) {
      result_.graphs.push_back(dpor_->graph());
    }
    if (outcome.finding) {
      note(outcome.finding);
      if (!options_.keep_going || outcome.finding.verdict == Verdict::inconclusive) return false;
    }
    look_around();
    if (stopped_by_.empty()) return true;
    result_.open = open();
    return false;
  }

  void note(const Finding& finding) {
    if (found_) return;
    found_ = true;
    result_.verdict = finding.verdict;
    result_.detail = finding.detail;
    if (strategy_ != nullptr) result_.failing = strategy_->choices();
  }

  void look_around() {
    const std::uint64_t executions = result_.executions();
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      stopped_by_ = "interrupted";
    } else if (executions >= limit_ && !options_.kind.is_random()) {
      stopped_by_ = "more than the " + std::to_string(executions) + " executions that were allowed are needed";
    } else if (executions >= limit_) {
      stopped_by_ = "nothing found in " + std::to_string(executions) + " executions drawn at random with seed " +
                    std::to_string(options_.kind.seed) + ", which proves nothing";
    } else if (executions % 16 == 0) {  // reading the clock takes a good part of a short execution
      look_at_clock();
    }
  }

  void look_at_clock() {
    const auto now = WallClock::now();
    if (options_.deadline && now >= *options_.deadline) stopped_by_ = options_.deadline_of + " ran out first";
    if (!options_.progress || now < next_look_) return;
    next_look_ = now + kBetweenLooks;
    options_.progress({result_, [this] { return open(); }});
  }

  // Units order locks as usual, so a search that does not cannot go on as units.
  std::vector<WorkUnit> open() const {
    const bool goes_on = options_.kind.name == SearchKind::Name::dpor && !options_.kind.locks_by_data;
    return goes_on ? dpor_->frontier() : std::vector<WorkUnit>();
  }

  const SearchOptions& options_;
  Strategy* const strategy_;
  const Dpor* const dpor_;
  const std::uint64_t limit_;
  const WallClock::time_point begin_ = WallClock::now();
  WallClock::time_point next_look_;
  SearchResult result_;
  bool found_ = false;
  std::string stopped_by_;
};

}  // namespace

void conclude(SearchResult& result, const SearchOptions& options) {
  if (!result.detail.empty()) return;  // found something, or stopped
  if (!result.mutated()) {
    result.detail = "the mutation '" + result.unused_mutations.front() + "' applies to nothing that the script runs";
  } else if (options.kind.is_stock()) {
    result.detail = why_a_stock_search_proves_nothing(machine().parked());
  } else if (result.exhausted) {
    result.verdict = Verdict::proved;
  }
}

SearchResult explore(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, Strategy* strategy,
                     const Dpor* dpor) {
  const Program program = program_of(scenario, bounds);
  return Exploration(options, strategy, dpor).run(program);
}

}  // namespace wakeproof::models
