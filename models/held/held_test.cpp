// Real threads, held to a schedule that is written down here: also under ThreadSanitizer, where there is no
// model to make one.
#include "ci/catch2.hpp"
#include "run_held.hpp"

namespace wakeproof::models {

namespace {

using namespace std::chrono_literals;

// The thread of each step, a digit each; whatever it does.
std::vector<HeldStep> turns(const std::string& threads) {
  std::vector<HeldStep> steps;
  for (const char thread : threads) steps.push_back({static_cast<int>(steps.size()) + 1, thread - '0'});
  return steps;
}

HeldResult held(const std::string& name, const std::string& threads, const HeldOptions& options = {.timeout = 200ms}) {
  return run_held(*scenario_named(name), {1, 1}, turns(threads), options);
}

// The consumer looks, the producer puts and rings, the consumer arms.
const std::string kLost = "1100000111";

}  // namespace

TEST_CASE("without the second drain the consumer really sleeps on a full queue") {
  const HeldResult result = held("output_sink/missing_second_drain", kLost);
  CHECK(result.words == "consumer slept through 0.2 s with 1 item queued: lost wakeup, for real");
  CHECK(result.finding.verdict == Verdict::lost_wakeup);
  CHECK(result.seen.steps == 10);
}

TEST_CASE("with it nobody sleeps, after the same turns") {
  const HeldResult result = held("output_sink/correct", kLost);
  CHECK(result.words == "nobody slept: every thread came to its end, 1 item taken");
  CHECK(result.seen.all_ended);
}

TEST_CASE("the same on an event loop, where the wake is a byte in a pipe") {
  CHECK(run_held(*scenario_named("output_sink/loop/no_byte_written"), {1, 1}, turns("111111"), {.timeout = 200ms})
            .finding.verdict == Verdict::lost_wakeup);
  CHECK(run_held(*scenario_named("output_sink/loop/correct"), {1, 1}, turns("111111"), {.timeout = 200ms})
            .seen.all_ended);
}

TEST_CASE("a deadlock on real mutexes is seen, and its threads are ended") {
  const HeldResult result = held("output_sink/wait_under_lock", "");
  CHECK((result.finding.verdict == Verdict::deadlock || result.seen.all_ended));
  const HeldResult asleep = held("output_sink/wait_under_lock", "11111111");
  CHECK(asleep.finding.verdict == Verdict::deadlock);
  CHECK_THAT(asleep.words, testing::contains("producer waits for flag_lock"));
}

TEST_CASE("no schedule at all: threads run free, and end") {
  for (const Scenario& scenario : catalogue()) {
    if (scenario.expected != Verdict::proved || !scenario.mutations.empty() || !scenario.on_held_threads) continue;
    // Their condition variables cannot be held, which is said in words; what runs on then orders nothing.
    if (scenario.name.starts_with("bounded_queue/") || scenario.name.starts_with("tasks/") ||
        scenario.name.starts_with("bug_reports/ponyc_")) {
      continue;
    }
    for (const Bounds& bounds : {Bounds{1, 1}, Bounds{2, 3}}) {
      const HeldResult result = run_held(scenario, bounds, {}, {.timeout = 5s});
      INFO(scenario.name << " at " << size_of(bounds) << ": " << result.words);
      CHECK(result.seen.all_ended);
    }
  }
}

TEST_CASE("a step that the threads do not take is told, and everybody ends") {
  std::vector<HeldStep> schedule = turns(kLost);
  schedule[4].operation = "set";
  schedule[4].what = "producer: set data_ready";
  const HeldResult result = run_held(*scenario_named("output_sink/correct"), {1, 1}, schedule, {.timeout = 200ms});
  CHECK(result.words ==
        "real threads do not follow: step 5: the schedule says 'producer: set data_ready', the thread does "
        "'lock flag_lock'");
  // The producer ends before its turns do; a consumer that has to wait when its turn has come stands still.
  CHECK_THAT(held("output_sink/correct", "00000000").words, testing::contains("that thread has ended"));
  CHECK_THAT(held("output_sink/correct", "111111111").words, testing::contains("does not come to its end"));
}

TEST_CASE("the callback is called before each step, in order") {
  std::vector<int> steps;
  held("output_sink/correct", kLost, {.timeout = 200ms, .before_step = [&](int step) { steps.push_back(step); }});
  CHECK(steps == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

}  // namespace wakeproof::models
