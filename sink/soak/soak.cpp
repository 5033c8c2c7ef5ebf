// wakeproof-soak: the sink, the loop and the server under load, with random pauses, closes and restarts, and books in
// which every item must be found again.
//
// It ends with status 0 when everything is accounted for, 1 when something is missing, and by abort() when a round
// hangs. SIGINT ends it after the round.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "chance.hpp"
#include "figures.hpp"
#include "loop_round.hpp"
#include "server_round.hpp"
#include "sink_round.hpp"
#include "watchdog.hpp"

namespace {

using namespace wakeproof::soak;
using Clock = std::chrono::steady_clock;

struct Options {
  double seconds = 300;
  std::uint64_t seed = 0;
  std::string only;
  std::uint64_t first = 0;
  int patience_s = 30;
};

// One of what is soaked. Its rounds have numbers of their own, so that any can be begun again without the others.
struct Subject {
  std::string name;
  Figures (*round)(std::uint64_t seed, Watchdog& dog);
  std::uint64_t next = 0;
  std::size_t rounds = 0;
  Clock::duration spent{};
  Figures figures = {};
};

std::vector<Subject> subjects(const Options& options) {
  std::vector<Subject> all{{"sink", sink_round}, {"loop", loop_round}, {"server", server_round}};
  std::erase_if(all, [&](const Subject& subject) { return !options.only.empty() && subject.name != options.only; });
  for (Subject& subject : all) subject.next = options.first;
  return all;
}

// Blocked from the start, so that it interrupts no thread of a round, and asked for between rounds.
class Interrupt {
 public:
  Interrupt() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  bool came() const {
    const timespec at_once{};
    return ::sigtimedwait(&signals_, nullptr, &at_once) == SIGINT;
  }

 private:
  sigset_t signals_;
};

std::string name_of_round(const Subject& subject, const Options& options) {
  return subject.name + " round " + std::to_string(subject.next) + " of seed " + std::to_string(options.seed) +
         " (again: --seed " + std::to_string(options.seed) + " --only " + subject.name + " --first " +
         std::to_string(subject.next) + ")";
}

void run_round(Subject& subject, const Options& options, Watchdog& dog) {
  const Clock::time_point begin = Clock::now();
  dog.watch(name_of_round(subject, options));
  // The name is part of it, so that no two subjects draw the same.
  subject.figures += subject.round(mixed(mixed(options.seed, subject.next), subject.name.front()), dog);
  subject.spent += Clock::now() - begin;
  ++subject.next;
  ++subject.rounds;
}

void print(const std::vector<Subject>& all, const Options& options, Clock::duration took) {
  std::printf("soaked for %.1f s, seed %llu\n", std::chrono::duration<double>(took).count(),
              static_cast<unsigned long long>(options.seed));
  print_heading();
  for (const Subject& subject : all) print_row(subject.name.c_str(), subject.rounds, subject.figures);
}

// Whichever subject had the least time is next: a round of one takes much longer than a round of another.
int soak(const Options& options, const Interrupt& interrupt) {
  std::vector<Subject> all = subjects(options);
  Watchdog dog(std::chrono::seconds(options.patience_s));
  const Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < std::chrono::duration<double>(options.seconds) && !interrupt.came()) {
    Subject& subject = *std::ranges::min_element(all, {}, &Subject::spent);
    try {
      run_round(subject, options, dog);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "UNACCOUNTED: %s: %s\n", name_of_round(subject, options).c_str(), error.what());
      return 1;
    }
  }
  print(all, options, Clock::now() - begin);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.seed = std::random_device()();
  CLI::App app("The sink, the loop and the server under load; every item is accounted for by number and checksum.");
  app.add_option("--seconds", options.seconds, "how long")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", options.seed, "of all random choices; drawn and printed where none is given");
  app.add_option("--only", options.only, "one subject")->check(CLI::IsMember({"sink", "loop", "server"}));
  app.add_option("--first", options.first, "the number of the first round, to begin a failing one again");
  app.add_option("--patience", options.patience_s, "seconds without any progress that count as a hang")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::fprintf(stderr, "soak: %g s, seed %llu\n", options.seconds, static_cast<unsigned long long>(options.seed));
  return soak(options, Interrupt());
}
