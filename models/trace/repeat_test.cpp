// A trace is taken again from its document: every mutant's, and none that is not the scenario's any more.
#include "repeat.hpp"

#include "ci/catch2.hpp"
#include "explain.hpp"
#include "json.hpp"
#include "record.hpp"

namespace wakeproof::models {

namespace {

Trace told(const std::string& name) {
  const Scenario& scenario = *scenario_named(name);
  return *explain(scenario, sizes_to_explain(scenario)).trace;
}

// The catalogue with one scenario in another version, as long as it lives.
class OtherVersion {
 public:
  OtherVersion(const std::string& name, Mutations mutations) : scenario_(const_cast<Scenario&>(*scenario_named(name))) {
    std::swap(mutations, scenario_.mutations);
    before_ = std::move(mutations);
  }
  ~OtherVersion() { scenario_.mutations = before_; }

 private:
  Scenario& scenario_;
  Mutations before_;
};

}  // namespace

TEST_CASE("the document of every mutant reproduces its verdict, step by step") {
  int repeated = 0;
  for (const Scenario& scenario : catalogue()) {
    if (scenario.expected == Verdict::proved) continue;
    const Trace trace = trace_from_json(as_json(told(scenario.name)));
    const Repeated again = repeat(scenario_of(trace), trace);
    INFO(scenario.name << (again.misfit ? ": " + in_words(*again.misfit) : ""));
    CHECK_FALSE(again.misfit);
    CHECK(again.now.verdict == scenario.expected);
    CHECK(again.now.steps.size() == trace.steps.size());
    ++repeated;
  }
  CHECK(repeated >= 25);
}

TEST_CASE("an edited step is refused by its number, with what the scenario does there") {
  const Trace trace = told("output_sink/missing_second_drain");
  const Scenario& scenario = *scenario_named(trace.scenario);
  const auto edited = [&](auto edit) {
    Trace other = trace;
    edit(other);
    const auto misfit = repeat(scenario, other).misfit;
    return misfit ? in_words(*misfit) : "it fits";
  };
  CHECK(edited([](Trace&) {}) == "it fits");
  CHECK(edited([](Trace& t) { t.steps[6].file = "elsewhere.hpp"; }) == "it fits");
  CHECK(edited([](Trace& t) { t.steps[6].operation = "clear"; }) ==
        "step 7 no longer fits: the trace says 'producer: ring: clear data_ready', the scenario does "
        "'producer: ring: set data_ready'");
  CHECK_THAT(edited([](Trace& t) { t.steps[2].changes.clear(); }),
             testing::contains("step 3 no longer fits: the trace says 'changes: nothing', the scenario does 'changes: "
                               "queue_lock  free -> held by producer"));
  CHECK_THAT(edited([](Trace& t) { t.steps[4].protocol.back() = "append"; }), testing::contains("step 5 no longer"));
  CHECK_THAT(edited([](Trace& t) { t.steps[4].known[1] = 0; }), testing::contains("step 5 no longer"));
  CHECK_THAT(edited([](Trace& t) { t.steps[8].invariant.put_under_way = true; }),
             testing::contains("step 9 no longer"));
  CHECK_THAT(edited([](Trace& t) { t.steps[5].threads[1].state = TraceThread::State::done; }),
             testing::contains("step 6 no longer fits: the trace says 'afterwards: "));
  CHECK_THAT(edited([](Trace& t) { t.verdict = Verdict::deadlock; }),
             testing::contains("the trace says 'deadlock: consumer waits for data_ready for ever"));
  CHECK_THAT(edited([](Trace& t) { t.objects[1].name = "other_lock"; }), testing::contains("step 1 no longer"));
}

TEST_CASE("a trace that ends too early, or goes on too long, is refused after the last common step") {
  const Trace trace = told("output_sink/missing_second_drain");
  const Scenario& scenario = *scenario_named(trace.scenario);
  Trace cut = trace;
  const auto last = static_cast<int>(cut.steps.size());
  cut.steps.pop_back();
  cut.choices.pop_back();
  CHECK(repeat(scenario, cut).misfit->step == last);
  Trace longer = trace;
  longer.steps.push_back(longer.steps.front());
  longer.steps.back().number = last + 1;
  longer.choices.push_back(longer.choices.front());
  CHECK(repeat(scenario, longer).misfit->step == last + 1);
}

TEST_CASE("another version of the scenario: the first step that is another one") {
  const Trace trace = told("output_sink/missing_second_drain");
  const Scenario& scenario = *scenario_named(trace.scenario);
  // With its second drain the consumer goes on where the mutant sleeps for ever.
  {
    const OtherVersion correct(trace.scenario, {});
    const Repeated again = repeat(scenario, trace);
    REQUIRE(again.misfit);
    CHECK(again.misfit->step == static_cast<int>(trace.steps.size()) + 1);
    CHECK(again.now.steps.size() == trace.steps.size());
    CHECK_THAT(in_words(*again.misfit),
               testing::contains("step 11 no longer fits: the trace says 'the end: lost_wakeup'"
                                 ", the scenario does 'consumer: second_drain: lock"));
  }
  {
    const OtherVersion reordered(trace.scenario, {swap("append", "notify"), skip("second_drain")});
    CHECK_THAT(in_words(*repeat(scenario, trace).misfit),
               testing::contains("step 3 no longer fits: the trace says 'producer: append: lock queue_lock', the "
                                 "scenario does 'producer: claim_wake: lock flag_lock"));
  }
  const OtherVersion weaker(trace.scenario, {skip("second_drain"), weaken("nothing_here", std::memory_order_relaxed)});
  CHECK_THAT(in_words(*repeat(scenario, trace).misfit), testing::contains("weaken nothing_here"));
}

TEST_CASE("a trace that cannot be tried at all is refused in one line") {
  const Trace trace = told("output_sink/missing_second_drain");
  const auto refusal = [](const Trace& other) {
    try {
      scenario_of(other);
    } catch (const CannotRepeat& cannot) {
      return std::string(cannot.what());
    }
    return std::string("none");
  };
  Trace foreign = trace;
  foreign.scenario = "mailbox/late_clear";
  CHECK_THAT(refusal(foreign), testing::contains("'mailbox/late_clear' is no scenario of this program"));
  Trace large = trace;
  large.bounds.producers = 9;
  CHECK_THAT(refusal(large), testing::contains("the trace's bounds: producers must be 1 to 7, not 9"));
  large.bounds.producers = 2;
  CHECK_THAT(refusal(large), testing::contains("the trace has 2 threads, the scenario 3 of that size"));
  CHECK(refusal(trace) == "none");
}

TEST_CASE("choices out of all bounds are refused, not followed") {
  Trace trace = told("slot_sink/flag_acquire_release");
  const Scenario& scenario = *scenario_named(trace.scenario);
  REQUIRE_FALSE(repeat(scenario, trace).misfit);
  for (std::size_t i = 0; i < trace.choices.size(); ++i) {
    Trace wild = trace;
    wild.choices[i] = 4'000'000'000U;
    CHECK(repeat(scenario, wild).misfit);
  }
}

TEST_CASE("the turns of a mutant on the correct subject, as far as they fit, end well") {
  const Trace trace = told("output_sink/missing_second_drain");
  int fitted = 0;
  const Trace now = follow(*scenario_named("output_sink/correct"), trace, fitted);
  CHECK(now.verdict == Verdict::proved);
  CHECK(fitted == static_cast<int>(trace.steps.size()));
  CHECK(now.steps.size() > trace.steps.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) CHECK(now.steps[i].thread == trace.steps[i].thread);
}

TEST_CASE("a schedule of many thousand steps is recorded and repeated") {
  const Scenario& scenario = *scenario_named("output_sink/correct");
  const Bounds bounds{2, 999};
  const Trace trace = record_as_far(scenario, bounds, {}, {.max_steps = 100'000}).trace;
  CHECK(trace.verdict == Verdict::proved);
  CHECK(trace.steps.size() > kMaxSteps);
  CHECK_FALSE(repeat(scenario, trace).misfit);
  const Trace cut = record_as_far(scenario, bounds, {}, {.max_steps = 500}).trace;
  CHECK(cut.verdict == Verdict::inconclusive);
  CHECK_FALSE(repeat(scenario, cut).misfit);
}

}  // namespace wakeproof::models
