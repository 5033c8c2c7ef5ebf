// The audit: every named step and order of the sinks changes a verdict, or an excuse says why not.
#include "audit.hpp"

#include <algorithm>

#include "ci/catch2.hpp"
#include "models/handoff.hpp"

namespace wakeproof::models {

namespace {

AuditReport audit_of(const std::string& subject) {
  return audit(subject, correct_scenarios_of(subject), {});
}

// Checks that the audit of a subject leaves nothing open, and says how many changes it made.
std::size_t changes_without_survivors(const std::string& subject) {
  const AuditReport report = audit_of(subject);
  for (const AuditedChange& change : report.changes) {
    INFO(subject << ": " << describe(change.change) << " is " << name_of(change.fate) << ", " << change.result.detail);
    CHECK(change.fate != Fate::survived);
    CHECK(change.fate != Fate::undecided);
    CHECK(change.searches > 0);
    CHECK((change.fate == Fate::excused) == (change.why.size() > 20));
  }
  for (const std::string& complaint : report.complaints) FAIL_CHECK(complaint);
  CHECK(report.clean());
  return report.changes.size();
}

const AuditedChange& change_named(const AuditReport& report, const std::string& name) {
  for (const AuditedChange& change : report.changes) {
    if (describe(change.change) == name) return change;
  }
  throw std::out_of_range("no change is called " + name);
}

// Hands over one item a put through a slot for each producer; `polish` does nothing that anybody needs.
template <Platform P>
class OverdoneSink {
 public:
  void put(int producer, int item) {
    P::run(step("fill", [&] { slot_[producer].store(item + 1, Order("fill", std::memory_order_release)); }),
           step("polish", [&] { polished_.exchange(1, Order("polish", std::memory_order_acq_rel)); }),
           step("ring", [&] { full_[producer].set(); }));
  }
  int take(int producer) {
    full_[producer].wait();
    return slot_[producer].load(Order("take", std::memory_order_acquire)) - 1;
  }

 private:
  typename P::template atomic<int> slot_[2]{typename P::template atomic<int>{0, "slot"},
                                            typename P::template atomic<int>{0, "slot"}};
  typename P::template atomic<int> polished_{0, "polished"};
  typename P::event full_[2]{typename P::event{"full"}, typename P::event{"full"}};
};

template <class Sink>
class OneEach {
 public:
  OneEach(const Bounds& bounds, Ledger& ledger) : producers_(bounds.producers), ledger_(ledger) {}
  void put(int producer, int item) { sink_.put(producer, item); }
  void consumer() {
    for (int producer = 0; producer < producers_; ++producer) ledger_.took(sink_.take(producer));
  }
  void judge() {}

 private:
  int producers_;
  Ledger& ledger_;
  Sink sink_;
};

Scenario overdone() {
  Scenario scenario{.name = "overdone/correct", .story = "A step that nobody needs.", .sizes = {{1, 1}, {2, 1}}};
  scenario.on_model = [](const Bounds& bounds) -> std::unique_ptr<Script> {
    return std::make_unique<HandOffScript<OneEach<OverdoneSink<ModelPlatform>>>>(bounds, Ledger::Kind::model);
  };
  return scenario;
}

// Excuses for the time of one test.
class Excused {
 public:
  explicit Excused(std::vector<Excuse> more) : kept_(excuses()) {
    excuses().insert(excuses().end(), more.begin(), more.end());
  }
  ~Excused() { excuses() = kept_; }
  Excused(const Excused&) = delete;
  Excused& operator=(const Excused&) = delete;

 private:
  std::vector<Excuse> kept_;
};

}  // namespace

TEST_CASE("no change of a sink survives without an excuse, and no excuse is stale") {
  for (const std::string subject :
       {"bounded_queue", "coroutine_server", "event_loop", "output_sink", "output_sink/loop", "several_consumers",
        "slot_sink", "tasks", "calibration/tagged_sink"}) {
    CHECK(changes_without_survivors(subject) >= 5);
  }
}

TEST_CASE("nor does one of what fixed a reported bug") {
  for (const std::string report :
       {"asyncio_semaphore_cancel", "coreclr_thread_request_order", "cpython_trip_signal_order",
        "dbmail_drain_before_read", "libuv_async_pending_trample", "netty_wakenup_stale", "ponyc_asio_suspend",
        "silk_stop_not_rechecked"}) {
    CHECK(changes_without_survivors("bug_reports/" + report) >= 3);
  }
}

TEST_CASE("every sequentially consistent order of slot_sink is needed") {
  const AuditReport report = audit_of("slot_sink");
  for (const std::string change : {"weaken publish to release", "weaken look_for_sleeper to acquire",
                                   "weaken lower_flag to release", "weaken look_for_item to acquire"}) {
    INFO(change);
    CHECK(change_named(report, change).fate == Fate::noticed);
    CHECK(change_named(report, change).result.verdict == Verdict::lost_wakeup);
  }
}

TEST_CASE("what notices is the smallest scenario that does, with its verdict") {
  const AuditReport report = audit_of("output_sink");
  const AuditedChange& second_drain = change_named(report, "skip second_drain");
  CHECK(second_drain.result.verdict == Verdict::lost_wakeup);
  CHECK(second_drain.bounds == Bounds{1, 1});
  const AuditedChange& swapped = change_named(report, "swap clear_event and lower_flag");
  // The end is put like an item: with it, one item is enough for a late ring to be wiped out.
  CHECK(swapped.scenario->name == "output_sink/end");
  CHECK(swapped.result.verdict == Verdict::deadlock);
  CHECK(swapped.bounds == Bounds{1, 1});
  // Without the wait the consumer goes round for ever, which no verdict says.
  CHECK(change_named(report, "skip wait").fate == Fate::endless);
  // A whole search of the unchanged scenario needs more than finding its fault does.
  CHECK(second_drain.result.executions() < 20);
}

TEST_CASE("a step and an order that nobody needs survive; an excuse holds only for what it names") {
  const Scenario scenario = overdone();
  const AuditReport report = audit("overdone", {&scenario}, {});
  CHECK(change_named(report, "skip polish").fate == Fate::survived);
  CHECK(change_named(report, "swap fill and polish").fate == Fate::survived);
  CHECK(change_named(report, "weaken polish to acquire").fate == Fate::survived);
  CHECK(change_named(report, "weaken polish to release").fate == Fate::survived);
  CHECK(change_named(report, "skip ring").fate == Fate::noticed);
  CHECK(change_named(report, "skip fill").fate == Fate::noticed);
  CHECK_FALSE(report.clean());

  const Excused excused({{"overdone", "skip polish", "it shines"},
                         {"overdone", "skip ring", "it is loud"},
                         {"overdone", "skip brooms", "there are none"},
                         {"another", "swap fill and polish", "of another subject"}});
  const AuditReport again = audit("overdone", {&scenario}, {});
  CHECK(change_named(again, "skip polish").fate == Fate::excused);
  CHECK(change_named(again, "skip polish").why == "it shines");
  CHECK(change_named(again, "swap fill and polish").fate == Fate::survived);
  REQUIRE(again.complaints.size() == 2);
  CHECK_THAT(again.complaints[0], testing::contains("'skip ring' of overdone is not needed"));
  CHECK_THAT(again.complaints[1], testing::contains("'skip brooms' of overdone excuses nothing"));
}

TEST_CASE("a scenario that is wrong unchanged is named, and nothing is concluded from it") {
  const AuditReport report = audit("wrong", {scenario_named("output_sink/missing_second_drain")}, {});
  REQUIRE_FALSE(report.complaints.empty());
  CHECK_THAT(report.complaints.front(), testing::contains("output_sink/missing_second_drain at 1x1 is wrong"));
  CHECK(report.changes.empty());
}

TEST_CASE("a budget that runs out leaves changes undecided") {
  AuditOptions options;
  options.bounds = Bounds{2, 1};
  options.on_change = [&](const AuditedChange&) { options.deadline = std::chrono::steady_clock::now(); };
  const AuditReport report = audit("slot_sink", correct_scenarios_of("slot_sink"), options);
  CHECK(report.count(Fate::undecided) > 0);
  CHECK(report.undecided());
  options.deadline = std::chrono::steady_clock::now();
  const AuditReport nothing = audit("slot_sink", correct_scenarios_of("slot_sink"), options);
  CHECK(nothing.changes.empty());
  CHECK(nothing.undecided());
  CHECK_FALSE(nothing.wrong());
}

TEST_CASE("the changes of a survey: one notch at a time, neighbours only, each once") {
  const auto seq_cst = std::memory_order_seq_cst;
  Survey survey;
  for (int twice = 0; twice < 2; ++twice) {
    survey.note(Survey::Sequence{"a", "b", "c"});
    survey.note(Survey::Sequence{"a", "b"});
    survey.note(NamedOrder{"read", seq_cst, OrderUse::load});
    survey.note(NamedOrder{"write", seq_cst, OrderUse::store});
    survey.note(NamedOrder{"both", seq_cst, OrderUse::modify});
    survey.note(NamedOrder{"link", std::memory_order_acq_rel, OrderUse::modify});
    survey.note(NamedOrder{"take", std::memory_order_acquire, OrderUse::modify});
    survey.note(NamedOrder{"guess", std::memory_order_relaxed, OrderUse::load});
  }
  std::vector<std::string> names;
  for (const Mutation& change : changes_of(survey)) names.push_back(describe(change));
  CHECK(names == std::vector<std::string>{"skip a", "skip b", "skip c", "swap a and b", "swap b and c",
                                          "weaken read to acquire", "weaken write to release", "weaken both to acq_rel",
                                          "weaken link to acquire", "weaken link to release",
                                          "weaken take to relaxed"});
}

TEST_CASE("a subject is a name, what is below it, or a glob; only correct scenarios count") {
  CHECK(correct_scenarios_of("calibration/tagged_sink").size() == 1);
  CHECK(correct_scenarios_of("output").empty());
  const auto loop = correct_scenarios_of("output_sink/loop");
  CHECK(loop.size() >= 3);
  CHECK(correct_scenarios_of("output_sink/loop*") == loop);
  for (const Scenario* scenario : loop) CHECK(scenario->mutations.empty());
}

}  // namespace wakeproof::models
