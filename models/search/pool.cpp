#include "pool.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <system_error>

#include "models/report/unit_document.hpp"

namespace wakeproof::models {

namespace {

constexpr std::size_t kUnitsPerWorker = 40;  // so that the last ones end at about the same time
constexpr int kMostDeathsOfAUnit = 3;
constexpr std::size_t kNoUnit = static_cast<std::size_t>(-1);

bool write_all(int file, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const auto written = ::write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const auto got = ::read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// The parent's side of a worker: the numbers of units go there, a line of result comes back for each.
struct Worker {
  pid_t process = -1;
  int orders = -1;
  int results = -1;
  std::size_t unit = kNoUnit;
};

class Pool {
 public:
  Pool(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, Split split)
      : scenario_(scenario), bounds_(bounds), options_(options), split_(std::move(split)) {
    for (std::size_t i = 0; i < split_.units.size(); ++i) queue_.push_back(i);
    deaths_.assign(split_.units.size(), 0);
    results_.push_back(std::move(split_.above));
  }
  ~Pool() {
    for (Worker& worker : workers_) end(worker);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  SearchResult run(int workers) {
    workers_.resize(static_cast<std::size_t>(workers));
    for (Worker& worker : workers_) {
      begin(worker);
      hand_out(worker);
    }
    while (under_way() > 0 && !enough()) collect();
    return combine(std::move(results_), options_);
  }

 private:
  void begin(Worker& worker) {
    int orders[2];
    int results[2];
    if (::pipe(orders) != 0 || ::pipe(results) != 0) fail("pipe");
    std::fflush(nullptr);
    worker.process = ::fork();
    if (worker.process < 0) fail("fork");
    if (worker.process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a parent that was killed
      ::close(orders[1]);
      ::close(results[0]);
      work(orders[0], results[1]);
    }
    ::close(orders[0]);
    ::close(results[1]);
    worker.orders = orders[1];
    worker.results = results[0];
    worker.unit = kNoUnit;
  }

  [[noreturn]] void work(int orders, int results) {
    std::size_t unit = 0;
    while (read_all(orders, &unit, sizeof unit)) {
      const std::string line = result_as_line(search_unit(scenario_, bounds_, options_, split_.units[unit]));
      const std::size_t size = line.size();
      if (!write_all(results, &size, sizeof size) || !write_all(results, line.data(), size)) break;
    }
    ::_exit(0);
  }

  static void end(Worker& worker) {
    if (worker.process < 0) return;
    ::kill(worker.process, SIGKILL);
    ::waitpid(worker.process, nullptr, 0);
    ::close(worker.orders);
    ::close(worker.results);
    worker.process = -1;
  }

  void hand_out(Worker& worker) {
    worker.unit = kNoUnit;
    if (queue_.empty()) return;
    worker.unit = queue_.front();
    queue_.pop_front();
    // A worker that is gone already is noticed where its result is read.
    static_cast<void>(write_all(worker.orders, &worker.unit, sizeof worker.unit));
  }

  void collect() {
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) {
      waiting.push_back({worker.unit == kNoUnit ? -1 : worker.results, POLLIN, 0});
    }
    if (::poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno == EINTR) return;
      fail("poll");
    }
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (waiting[i].revents != 0) take_result(workers_[i]);
    }
  }

  void take_result(Worker& worker) {
    std::size_t size = 0;
    std::string line;
    bool whole = read_all(worker.results, &size, sizeof size);
    if (whole) {
      line.resize(size);
      whole = read_all(worker.results, line.data(), size);
    }
    if (whole) {
      results_.push_back(parse_plain_result(line));
    } else {
      give_back(worker);
    }
    hand_out(worker);
  }

  void give_back(Worker& worker) {
    if (++deaths_[worker.unit] == kMostDeathsOfAUnit) {
      throw std::runtime_error("work unit " + std::to_string(worker.unit + 1) + " of " +
                               std::to_string(split_.units.size()) + " has killed " +
                               std::to_string(kMostDeathsOfAUnit) + " worker processes");
    }
    queue_.push_front(worker.unit);
    end(worker);
    begin(worker);
  }

  std::size_t under_way() const {
    std::size_t count = 0;
    for (const Worker& worker : workers_) count += worker.unit != kNoUnit;
    return count;
  }

  bool enough() const {
    const SearchResult& last = results_.back();
    const bool found = last.verdict != Verdict::proved && last.verdict != Verdict::inconclusive;
    return (found && !options_.keep_going) || !last.exhausted;
  }

  [[noreturn]] static void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

  const Scenario& scenario_;
  const Bounds& bounds_;
  const SearchOptions& options_;
  Split split_;
  std::deque<std::size_t> queue_;
  std::vector<int> deaths_;
  std::vector<Worker> workers_;
  std::vector<SearchResult> results_;
};

}  // namespace

SearchResult search_in_parallel(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                                int workers) {
  const auto begin = std::chrono::steady_clock::now();
  Split parts = split(scenario, bounds, options, kUnitsPerWorker * static_cast<std::size_t>(workers));
  const bool over = parts.units.empty() || !parts.above.exhausted;
  std::signal(SIGPIPE, SIG_IGN);
  SearchResult result =
      over ? combine({parts.above}, options) : Pool(scenario, bounds, options, std::move(parts)).run(workers);
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace wakeproof::models
