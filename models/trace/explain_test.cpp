// Every mutant can be explained: with words, with what would have ended well, and with its bounds.
#include "explain.hpp"

#include <sstream>

#include "ci/catch2.hpp"
#include "mermaid.hpp"
#include "record.hpp"
#include "text.hpp"

namespace wakeproof::models {

namespace {

const std::vector<Trace>& traces() {
  static const std::vector<Trace> all = [] {
    std::vector<Trace> made;
    for (const Scenario& scenario : catalogue()) {
      if (scenario.expected != Verdict::proved) made.push_back(*explain(scenario, sizes_to_explain(scenario)).trace);
    }
    return made;
  }();
  return all;
}

const Trace& trace_named(const std::string& name) {
  for (const Trace& trace : traces()) {
    if (trace.scenario == name) return trace;
  }
  throw std::out_of_range(name);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string words_of(const Trace& trace) {
  std::string all;
  for (const TraceSentence& sentence : trace.why) all += sentence.word + " " + sentence.text + "\n";
  return all;
}

}  // namespace

TEST_CASE("every mutant: its expected verdict, at the smallest size, with a reason") {
  for (const Trace& trace : traces()) {
    INFO(trace.scenario << "\n" << words_of(trace));
    const Scenario& scenario = *scenario_named(trace.scenario);
    CHECK(trace.verdict == scenario.expected);
    CHECK(scenario.expected_at(trace.bounds) == scenario.expected);
    REQUIRE(trace.minimum);
    CHECK(trace.minimum->established);
    // A fact that does not hold in the end stands for itself.
    CHECK(trace.why.size() >= (scenario.expected == Verdict::assertion_failed ? 1U : 2U));
    CHECK(words_of(trace).find("therefore") != std::string::npos);
  }
}

TEST_CASE("a lost wakeup is told by the put, the wake and who sleeps") {
  for (const Trace& trace : traces()) {
    if (trace.verdict != Verdict::lost_wakeup) continue;
    const std::string words = words_of(trace);
    INFO(trace.scenario << "\n" << words);
    CHECK(trace.why.front().word == "let");
    CHECK(words.find("put an item into the queue") != std::string::npos);
    CHECK(words.find("however ") != std::string::npos);
    CHECK(words.find("therefore after step " + std::to_string(*trace.breaks_at)) != std::string::npos);
  }
}

TEST_CASE("for weak memory: which newer store was missed, and why that was allowed") {
  const std::string words = words_of(trace_named("slot_sink/lower_flag_release"));
  CHECK_THAT(words, testing::contains("had stored a newer one"));
  CHECK_THAT(words, testing::contains("no happens-before edge leads from step"));
  CHECK_THAT(words, testing::contains("the store is release and the load seq_cst"));
}

TEST_CASE("the passing schedule begins like the failing one, differs where it says, and passes") {
  int told = 0;
  for (const Trace& trace : traces()) {
    if (!trace.passing) continue;
    ++told;
    INFO(trace.scenario << ": " << trace.passing->sentence);
    const auto differs = static_cast<std::size_t>(trace.passing->differs_at - 1);
    REQUIRE(differs < trace.steps.size());
    for (std::size_t i = 0; i < differs; ++i) CHECK(trace.passing->steps[i].choices == trace.steps[i].choices);
    CHECK(trace.passing->steps[differs].choices != trace.steps[differs].choices);
    CHECK(record(*scenario_named(trace.scenario), trace.bounds, trace.passing->choices).verdict == Verdict::proved);
    CHECK_THAT(trace.passing->sentence, testing::contains("Had "));
  }
  CHECK(told >= 25);
}

TEST_CASE("the point of no return: below it every completion fails, above it some do not") {
  for (const Trace& trace : traces()) {
    INFO(trace.scenario);
    REQUIRE(trace.no_return);
    const auto& shares = trace.no_return->shares;
    REQUIRE(shares.size() == trace.steps.size() + 1);
    const std::size_t from = trace.no_return->step ? static_cast<std::size_t>(*trace.no_return->step) : 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      CHECK(shares[i].failing > 0);
      CHECK((shares[i].failing == shares[i].all) == (i >= from));
      CHECK((i < from || !shares[i].capped));  // above, one that passes is enough
    }
    CHECK(trace.no_return->step.has_value() == trace.passing.has_value());
    if (trace.no_return->step) {
      CHECK(*trace.no_return->step >= trace.passing->differs_at);
      CHECK_FALSE(trace.no_return->siblings.empty());
    }
  }
}

TEST_CASE("the text fits 100 columns and two screens") {
  for (const Trace& trace : traces()) {
    for (const bool detail : {false, true}) {
      const auto lines = lines_of(as_explanation(trace, {.detail = detail}));
      INFO(trace.scenario);
      for (const std::string& line : lines) CHECK(line.size() <= 100);
      if (!detail && trace.threads.size() == 2) CHECK(lines.size() <= 110);
    }
  }
  const std::string text = as_explanation(trace_named("output_sink/missing_second_drain"));
  CHECK(lines_of(text).size() <= 60);
  CHECK_THAT(text, testing::contains("BROKEN"));
  CHECK_THAT(text, testing::contains("- - - from here on every completion fails - - -"));
  CHECK_THAT(text, testing::contains("Had step 8 (consumer: clear_event: clear data_ready) come before step 7"));
}

TEST_CASE("Mermaid: a message or a note a line, and nothing that it takes for its own") {
  for (const Trace& trace : traces()) {
    INFO(trace.scenario);
    const auto lines = lines_of(as_mermaid(trace));
    CHECK(lines.front() == "sequenceDiagram");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      INFO(line);
      const bool known = line.starts_with("    participant ") || line.starts_with("    Note over T") ||
                         (line.starts_with("    T") && line.find("->>O") != std::string::npos);
      CHECK(known);
      // A `;` ends a statement; only those of its own escapes are left.
      for (std::size_t at = line.find(';'); at != std::string::npos; at = line.find(';', at + 1)) {
        const std::size_t hash = line.rfind('#', at);
        CHECK((hash != std::string::npos && at - hash <= 5));
      }
    }
  }
}

TEST_CASE("a proved scenario has nothing to explain") {
  const Scenario& scenario = *scenario_named("slot_sink/correct");
  const Explanation explanation = explain(scenario, sizes_to_explain(scenario));
  CHECK_FALSE(explanation.trace);
  CHECK(explanation.result.verdict == Verdict::proved);
  CHECK(explanation.sizes.size() == 3);
}

}  // namespace wakeproof::models
