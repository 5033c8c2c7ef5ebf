#include "worker.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "models/report/unit_document.hpp"

namespace wakeproof::models {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

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

bool send(int file, const std::string& line) {
  const std::size_t size = line.size();
  return write_all(file, &size, sizeof size) && write_all(file, line.data(), size);
}

std::optional<std::string> receive(int file) {
  std::size_t size = 0;
  if (!read_all(file, &size, sizeof size)) return std::nullopt;
  std::string line(size, '\0');
  if (!read_all(file, line.data(), size)) return std::nullopt;
  return line;
}

std::atomic<bool> asked_back{false};

// Ctrl-C reaches the whole process group: a worker answers it like its parent's question.
void answer_signals() {
  struct sigaction action{};
  action.sa_handler = [](int) { asked_back.store(true, std::memory_order_relaxed); };
  for (const int signal : {SIGUSR1, SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

Worker::Worker(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options) {
  int orders[2];
  int results[2];
  if (::pipe(orders) != 0 || ::pipe(results) != 0) fail("pipe");
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a parent that was killed
    ::close(orders[1]);
    ::close(results[0]);
    work(scenario, bounds, options, orders[0], results[1]);
  }
  ::close(orders[0]);
  ::close(results[1]);
  orders_ = orders[1];
  results_ = results[0];
}

Worker::~Worker() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  ::close(orders_);
  ::close(results_);
}

void Worker::work(const Scenario& scenario, const Bounds& bounds, SearchOptions options, int orders, int results) {
  answer_signals();
  options.interrupt = &asked_back;
  options.progress = {};
  while (const auto order = receive(orders)) {
    // A question that comes now is lost: it is asked again.
    asked_back.store(false, std::memory_order_relaxed);
    const PlainOrder wanted = parse_plain_order(*order);
    options.max_executions = wanted.most_executions;
    if (!send(results, result_as_line(search_unit(scenario, bounds, options, wanted.unit)))) break;
  }
  ::_exit(0);
}

// A worker that is gone already is noticed where its result is read.
void Worker::order(const WorkUnit& unit, std::optional<std::uint64_t> most_executions) {
  static_cast<void>(send(orders_, order_as_line({unit, most_executions})));
}

std::optional<SearchResult> Worker::result() {
  const auto line = receive(results_);
  if (!line) return std::nullopt;
  return parse_plain_result(*line);
}

void Worker::ask_back() const {
  ::kill(process_, SIGUSR1);
}

}  // namespace wakeproof::models
