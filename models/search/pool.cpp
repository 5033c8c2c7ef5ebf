#include "pool.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "worker.hpp"

namespace wakeproof::models {

namespace {

using WallClock = std::chrono::steady_clock;

constexpr std::size_t kUnitsPerWorker = 16;
constexpr int kMostDeathsOfAUnit = 3;
constexpr int kTick_ms = 100;
// What a unit has cost at least before a share of it is asked for: replaying its prefix is not free.
constexpr auto kWorthSharing = std::chrono::milliseconds(200);

class Pool {
 public:
  Pool(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options)
      : scenario_(scenario), bounds_(bounds), options_(options), allowed_(options.max_executions) {}

  SearchResult run(SearchResult done, std::vector<WorkUnit> open, int workers) {
    sum_.add(std::move(done));
    for (WorkUnit& unit : open) queue_.push_back({std::move(unit), 0});
    desks_.resize(static_cast<std::size_t>(workers));
    while (!enough_) {
      hand_out();
      if (under_way() == 0) break;
      collect();
      share();
      report();
    }
    return result();
  }

 private:
  struct Task {
    WorkUnit unit;
    int deaths = 0;  // of workers
  };
  struct Desk {
    std::unique_ptr<Worker> worker;
    std::optional<Task> task;
    std::uint64_t reserved = 0;   // executions, where they are limited
    WallClock::time_point since;  // when the unit was begun, or last asked for a share
  };

  std::string stopped_by() const {
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) return "interrupted";
    if (options_.deadline && WallClock::now() >= *options_.deadline) return options_.deadline_of + " ran out first";
    if (allowed_ && *allowed_ == 0) {
      return "more than the " + std::to_string(sum_.so_far().executions()) + " executions that were allowed are needed";
    }
    return {};
  }

  void spend(std::uint64_t executions) {
    if (allowed_) *allowed_ -= std::min(*allowed_, executions);
  }

  void hand_out() {
    for (Desk& desk : desks_) {
      if (desk.task || queue_.empty() || !stopped_by().empty()) continue;
      if (!desk.worker) desk.worker = std::make_unique<Worker>(scenario_, bounds_, options_);
      desk.task = std::move(queue_.front());
      queue_.pop_front();
      desk.since = WallClock::now();
      if (allowed_) {
        desk.reserved = std::max<std::uint64_t>(1, *allowed_ / (2 * desks_.size()));
        spend(desk.reserved);
      }
      desk.worker->order(desk.task->unit, allowed_ ? std::optional(desk.reserved) : std::nullopt);
    }
  }

  void collect() {
    std::vector<pollfd> waiting;
    for (const Desk& desk : desks_) waiting.push_back({desk.task ? desk.worker->results() : -1, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), kTick_ms) < 0) {
      if (errno == EINTR) return;
      throw std::system_error(errno, std::generic_category(), "poll");
    }
    for (std::size_t i = 0; i < desks_.size() && !enough_; ++i) {
      if (waiting[i].revents != 0) take_result(desks_[i]);
    }
  }

  void take_result(Desk& desk) {
    std::optional<SearchResult> part = desk.worker->result();
    if (!part) return put_back(desk);
    if (allowed_) *allowed_ += desk.reserved - std::min(desk.reserved, part->executions());
    desk.task.reset();
    for (WorkUnit& unit : give_back(*part)) queue_.push_back({std::move(unit), 0});
    enough_ = (found_something(*part) && !options_.keep_going) || !part->exhausted;
    sum_.add(std::move(*part));
  }

  void put_back(Desk& desk) {
    if (allowed_) *allowed_ += desk.reserved;
    desk.worker.reset();
    if (++desk.task->deaths == kMostDeathsOfAUnit) {
      throw std::runtime_error("a work unit at step " + std::to_string(desk.task->unit.depth) + " has killed " +
                               std::to_string(kMostDeathsOfAUnit) + " worker processes");
    }
    queue_.push_front(std::move(*desk.task));
    desk.task.reset();
  }

  // Asks for units back: all of them when the search is to stop, otherwise the oldest one for a worker
  // that has nothing to do.
  void share() {
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      for (const Desk& desk : desks_) {
        if (desk.task) desk.worker->ask_back();
      }
      return;
    }
    if (!queue_.empty() || under_way() == desks_.size()) return;
    Desk* oldest = nullptr;
    for (Desk& desk : desks_) {
      if (desk.task && (oldest == nullptr || desk.since < oldest->since)) oldest = &desk;
    }
    if (oldest == nullptr || WallClock::now() - oldest->since < kWorthSharing) return;
    oldest->worker->ask_back();
    oldest->since = WallClock::now();
  }

  void report() {
    if (!options_.progress) return;
    options_.progress({sum_.so_far(), [this] { return left(); }});
  }

  // In the order in which they would be handed out, those under way first: from their beginning.
  std::vector<WorkUnit> left() const {
    std::vector<WorkUnit> open;
    for (const Desk& desk : desks_) {
      if (desk.task) open.push_back(desk.task->unit);
    }
    for (const Task& task : queue_) open.push_back(task.unit);
    return open;
  }

  SearchResult result() {
    const std::string reason = stopped_by();
    if (!enough_) {
      std::vector<WorkUnit> open = left();
      if (!open.empty()) sum_.leave_open(std::move(open), reason);
    }
    return sum_.result(options_);
  }

  std::size_t under_way() const {
    return static_cast<std::size_t>(
        std::count_if(desks_.begin(), desks_.end(), [](const Desk& desk) { return desk.task.has_value(); }));
  }

  const Scenario& scenario_;
  const Bounds& bounds_;
  const SearchOptions& options_;
  std::optional<std::uint64_t> allowed_;  // executions that are left to hand out
  std::deque<Task> queue_;
  std::vector<Desk> desks_;
  PartSum sum_;
  bool enough_ = false;
};

}  // namespace

SearchResult search_rest(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         SearchResult done, std::vector<WorkUnit> open, int workers) {
  const auto begin = WallClock::now();
  const double before_s = done.wall_s;
  std::signal(SIGPIPE, SIG_IGN);
  SearchResult result = Pool(scenario, bounds, options).run(std::move(done), std::move(open), workers);
  result.wall_s = before_s + std::chrono::duration<double>(WallClock::now() - begin).count();
  return result;
}

SearchResult search_in_parallel(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                                int workers) {
  Split parts = split(scenario, bounds, options, kUnitsPerWorker * static_cast<std::size_t>(workers));
  if (parts.units.empty() || !parts.above.exhausted) return std::move(parts.above);
  SearchOptions below = options;
  if (below.max_executions) *below.max_executions -= std::min(*below.max_executions, parts.above.executions());
  return search_rest(scenario, bounds, below, std::move(parts.above), std::move(parts.units), workers);
}

}  // namespace wakeproof::models
