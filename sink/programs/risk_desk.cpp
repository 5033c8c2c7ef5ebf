// wakeproof-risk-desk: threads compute risk figures, the thread of an event loop applies them and cancels orders.
// The same work over each hand-off between the two, with what it costs.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hand_offs.hpp"
#include "risk_day.hpp"
#include "risk_model.hpp"
#include "thread_meter.hpp"

namespace wakeproof::risk {
namespace {

using std::chrono::milliseconds;
using Loop = EventLoop<ThreadPlatform>;

constexpr std::int64_t kMostIdleMs = 5000;
// For what is still under way when the workers have left. Longer than any idle time, which it would cut short.
constexpr milliseconds kPatience{10'000};
static_assert(kPatience.count() > kMostIdleMs);

struct Row {
  std::string hand_off;
  std::size_t updates = 0;
  std::size_t wakes = 0;
  double p50_us = 0;
  double p99_us = 0;
  double cpu_share = 0;
  double idle_wakes_per_s = 0;
  double idle_cpu_share = 0;
  std::size_t cancelled = 0;
  std::uint64_t book = 0;
};

// One desk, over one hand-off. The loop is this thread's.
class Desk {
 public:
  Desk(const Day& day, const std::string& hand_off)
      : day_(day), book_(day.market.orders()), hand_off_(make_hand_off<Update>(hand_off, loop_)) {
    row_.hand_off = hand_off;
  }

  Row run() {
    trade();
    idle();
    loop_.close();  // the workers are joined: nothing can be dropped, and nobody can post any more
    row_.updates = latencies_.count();
    row_.p50_us = latencies_.percentile_us(0.5);
    row_.p99_us = latencies_.percentile_us(0.99);
    row_.cancelled = book_.cancelled();
    row_.book = book_.digest();
    return row_;
  }

 private:
  // The workers compute, the loop applies, until every update is applied.
  void trade() {
    hand_off_->start([this](const Update& update) {
      latencies_.add(steady_clock::now() - update.posted);
      book_.apply(update);
      if (latencies_.count() == day_.options.updates) loop_.stop();
    });
    const ThreadMeter meter;
    at_work_ = day_.options.workers;
    std::vector<std::jthread> workers;
    workers.reserve(at_work_);
    for (std::size_t w = 0; w < day_.options.workers; ++w) {
      workers.emplace_back([this, w, start = steady_clock::now()] {
        work(day_, w, start, *hand_off_);
        loop_.call_soon_threadsafe([this] { leave(); });
      });
    }
    loop_.run();
    row_.cpu_share = meter.cpu_share();
    row_.wakes = hand_off_->wakes();
  }

  // An update that is lost must not keep the desk for ever: the last one at work starts a clock.
  void leave() {
    if (--at_work_ == 0) loop_.call_later(kPatience, [this] { loop_.stop(); });
  }

  // Nothing comes; what does the loop do?
  void idle() {
    const std::size_t wakes = hand_off_->wakes();
    const ThreadMeter meter;
    loop_.call_later(milliseconds(day_.options.idle_ms), [this] { loop_.stop(); });
    loop_.run();
    row_.idle_cpu_share = meter.cpu_share();
    row_.idle_wakes_per_s = static_cast<double>(hand_off_->wakes() - wakes) / meter.wall_s();
  }

  const Day& day_;
  Loop loop_;
  OrderBook book_;
  Latencies latencies_;
  std::size_t at_work_ = 0;
  Row row_;
  std::unique_ptr<HandOff<Update>> hand_off_;
};

void print(const Row& row) {
  std::printf("%-12s %8zu %8zu %12.3f %9.1f %9.1f %7.2f%% %12.0f %8.2f%% %9zu  %016" PRIx64 "\n", row.hand_off.c_str(),
              row.updates, row.wakes, static_cast<double>(row.wakes) / static_cast<double>(row.updates), row.p50_us,
              row.p99_us, 100 * row.cpu_share, row.idle_wakes_per_s, 100 * row.idle_cpu_share, row.cancelled, row.book);
  std::fflush(stdout);
}

// Throws when the hand-off made a difference to the orders.
void compare(const Row& row, const Row& first, const Options& options) {
  if (row.updates != options.updates) {
    throw std::runtime_error(row.hand_off + " applied " + std::to_string(row.updates) + " of " +
                             std::to_string(options.updates) + " updates");
  }
  if (row.cancelled != first.cancelled || row.book != first.book) {
    throw std::runtime_error(row.hand_off + " and " + first.hand_off + " end with different books");
  }
}

void run(const Options& options) {
  const Day day(options);
  std::printf("%-12s %8s %8s %12s %9s %9s %8s %12s %9s %9s  %s\n", "hand-off", "updates", "wakes", "wakes/update",
              "p50 us", "p99 us", "loop cpu", "idle wakes/s", "idle cpu", "cancelled", "book");
  std::vector<Row> rows;
  for (const std::string& name : options.hand_offs) {
    rows.push_back(Desk(day, name).run());
    print(rows.back());
    compare(rows.back(), rows.front(), options);
  }
  std::printf("%zu of %zu orders cancelled, the same over every hand-off\n", rows.front().cancelled, options.orders);
}

}  // namespace
}  // namespace wakeproof::risk

int main(int argc, char** argv) {
  wakeproof::risk::Options options;
  CLI::App app(
      "Threads compute the risk of orders, an event loop's thread applies it and cancels those over their limit:\n"
      "the same work over each way from the threads to the loop, with wakes, latency and the loop thread's CPU.\n"
      "Example: wakeproof-risk-desk --hand-off batched --hand-off polled-10ms --pace 500");
  const auto number = [&](const char* name, auto& value, const char* what, std::int64_t least, std::int64_t most) {
    app.add_option(name, value, what)->check(CLI::Range(least, most))->capture_default_str();
  };
  number("--workers", options.workers, "threads that compute", 1, 256);
  number("--updates", options.updates, "risk figures, over all workers", 1, 10'000'000);
  number("--orders", options.orders, "each is valued anew at every tick of the market", 1, 10'000);
  number("--paths", options.paths, "that the market is simulated on for each figure", 1, 100'000);
  number("--seed", options.seed, "of orders and market", 0, std::numeric_limits<std::int64_t>::max());
  number("--pace", options.pace_us, "microseconds between ticks on average; 0: as fast as can be", 0, 1'000'000);
  number("--idle", options.idle_ms, "milliseconds afterwards in which nothing comes", 1, wakeproof::risk::kMostIdleMs);
  app.add_option("--hand-off", options.hand_offs,
                 "batched, per-update, polled-1ms or polled-10ms; all when none is named")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(wakeproof::kHandOffs), std::end(wakeproof::kHandOffs))))
      ->expected(1)
      ->take_all();
  try {
    app.parse(argc, argv);
    wakeproof::risk::run(options);
    return 0;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wakeproof-risk-desk: %s\n", error.what());
    return 1;
  }
}
