// The document: complete, valid by its schema, read back as it was, and refused when it is not whole.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ci/catch2.hpp"
#include "explain.hpp"
#include "json.hpp"
#include "models/handoff.hpp"
#include "record.hpp"

namespace wakeproof::models {

namespace {

// Two threads that write the same plain value: found before the first step, or after one or two.
template <class Sink>
class RaceAfter {
 public:
  RaceAfter(const Bounds& bounds, Ledger&) : steps_(bounds.items) {}
  void put(int, int) {
    if (!std::exchange(raced_, true)) value_.set(1);
  }
  void consumer() {
    for (int i = 1; i < steps_; ++i) event_.set();
    value_.set(2);
  }
  void judge() {}

 private:
  int steps_;
  bool raced_ = false;
  typename Sink::platform::event event_{"event"};
  typename Sink::template value<int> value_{0, "value"};
};

template <Platform P>
struct Values {
  using platform = P;
  template <class T>
  using value = typename P::template plain<T>;
};

Scenario race() {
  Scenario scenario{.name = "test/race", .story = "Two threads write one value.", .expected = Verdict::data_race};
  scenario.on_model = [](const Bounds& bounds) -> std::unique_ptr<Script> {
    return std::make_unique<HandOffScript<RaceAfter<Values<ModelPlatform>>>>(bounds, Ledger::Kind::model);
  };
  return scenario;
}

const std::vector<Trace>& traces() {
  static const std::vector<Trace> all = [] {
    std::vector<Trace> made;
    for (const Scenario& scenario : catalogue()) {
      if (scenario.expected == Verdict::proved) continue;
      made.push_back(*explain(scenario, sizes_to_explain(scenario)).trace);
    }
    const Scenario short_one = race();
    for (const int items : {1, 2, 3}) made.push_back(*explain(short_one, {{1, items}}).trace);
    return made;
  }();
  return all;
}

// A folder that goes with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("wakeproof_traces_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const { std::ofstream(path_ / name) << content; }

 private:
  std::filesystem::path path_;
};

std::string refusal(const std::string& document) {
  try {
    trace_from_json(document);
  } catch (const BadTrace& bad) {
    return bad.what();
  }
  return {};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("traces of no, one and two steps") {
  std::size_t steps = 0;
  for (const Trace& trace : traces()) {
    if (trace.scenario == "test/race") CHECK(trace.steps.size() == steps++);
  }
  CHECK(steps == 3);
}

TEST_CASE("the trace of every mutant is valid by the schema in the tree") {
  const Folder folder;
  int written = 0;
  for (const Trace& trace : traces()) folder.write(std::to_string(written++) + ".json", as_json(trace));
  CHECK(written >= 30);
  const std::string command =
      std::string("python3 " WAKEPROOF_SOURCE_DIR "/ci/validate_traces.py ") + folder.path().string();
  CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("read back and written again: the same bytes") {
  for (const Trace& trace : traces()) {
    const std::string document = as_json(trace);
    INFO(trace.scenario);
    CHECK(as_json(trace_from_json(document)) == document);
  }
}

TEST_CASE("explained twice: the same bytes") {
  for (const char* name : {"output_sink/missing_second_drain", "slot_sink/publish_release"}) {
    const Scenario& scenario = *scenario_named(name);
    CHECK(as_json(*explain(scenario, sizes_to_explain(scenario)).trace) ==
          as_json(*explain(scenario, sizes_to_explain(scenario)).trace));
  }
}

TEST_CASE("a document that is cut off anywhere is refused") {
  const std::string document = as_json(traces().front());
  for (std::size_t size = 0; size + 3 < document.size(); size += 101)
    CHECK_THAT(refusal(document.substr(0, size)), testing::contains("damaged: no whole JSON document"));
}

TEST_CASE("what is wrong with a document is said in one sentence") {
  const std::string document = as_json(traces().front());
  CHECK_THAT(refusal("{}"), testing::contains("'schema' is missing"));
  CHECK_THAT(refusal("[1, 2]"), testing::contains("'the document' is not an object"));
  CHECK_THAT(refusal(R"({"schema": 2})"), testing::contains("made for schema 2; this program reads schema 1"));
  CHECK_THAT(refusal(R"({"schema": 1, "scenario": 7})"), testing::contains("'scenario' is not a text"));
  CHECK_THAT(refusal(R"({"schema": 1e400})"), testing::contains("damaged"));
  CHECK_THAT(refusal(std::string(100'000, '[')), testing::contains("damaged"));
  CHECK_THAT(refusal(replaced(document, "\"verdict\": \"", "\"verdict\": \"very_")), testing::contains("'verdict'"));
  CHECK_THAT(refusal(replaced(document, "\"consumer\": 1", "\"consumer\": 7")), testing::contains("thread 7"));
  CHECK_THAT(refusal(replaced(document, "\"number\": 2", "\"number\": 3")), testing::contains("has the number 3"));
  CHECK_THAT(refusal(replaced(document, "\"producers\": 1", "\"producers\": 99999999999")),
             testing::contains("'bounds.producers' is not a number of that size"));
  CHECK_THAT(refusal(replaced(document, "\"producers\": 1", "\"producers\": 1.5")),
             testing::contains("a whole number"));
  CHECK_THAT(refusal(replaced(document, "\"holds\": true", "\"holds\": false")), testing::contains("contradicts"));
}

TEST_CASE("a document with any byte changed is read or refused, and never wrong in itself") {
  const std::string document = as_json(traces().front());
  for (std::size_t at = 0; at < document.size(); at += 37) {
    std::string damaged = document;
    damaged[at] = static_cast<char>('0' + at % 10);
    const std::string why = refusal(damaged);
    if (why.empty()) CHECK_FALSE(as_json(trace_from_json(damaged)).empty());
  }
}

TEST_CASE("a very wide value and many thousand steps") {
  Trace trace = traces().front();
  trace.objects.front().initial = std::string(1'000'000, 'x');
  trace.objects.front().name = "\xff not UTF-8";
  trace.passing.reset();
  const TraceStep step = trace.steps.front();
  trace.choices.clear();
  trace.steps.clear();
  for (int number = 1; number <= 20'000; ++number) {
    trace.steps.push_back(step);
    trace.steps.back().number = number;
    trace.steps.back().choices = {static_cast<unsigned>(step.thread)};
    trace.choices.push_back(static_cast<unsigned>(step.thread));
  }
  trace.no_return.reset();
  CHECK(trace_from_json(as_json(trace)).steps.size() == 20'000);
}

}  // namespace wakeproof::models
