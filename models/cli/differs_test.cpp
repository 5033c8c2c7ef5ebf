// What differs is found in the source as it stands, at its line.
#include "differs.hpp"

#include <fstream>

#include "ci/catch2.hpp"

namespace wakeproof::models::cli {

namespace {

Difference only_difference(const std::string& scenario, const std::string& source = WAKEPROOF_SOURCE_DIR) {
  const auto all = differences(*scenario_named(scenario), source);
  REQUIRE(all.size() == 1);
  return all.front();
}

std::string line_in_tree(const SourceLine& where) {
  std::ifstream file(WAKEPROOF_SOURCE_DIR "/" + where.file);
  std::string line;
  for (unsigned number = 0; number < where.line; ++number) std::getline(file, line);
  return line;
}

}  // namespace

TEST_CASE("every named step and order of every mutant is found, at its line") {
  for (const Scenario& scenario : catalogue()) {
    for (const Difference& one : differences(scenario, WAKEPROOF_SOURCE_DIR)) {
      INFO(scenario.name << ": " << one.what);
      CHECK_FALSE(one.correct.empty());
      CHECK_FALSE(one.mutated.empty());
      for (const SourceLine& line : one.correct) {
        const std::string start = line.text.substr(0, line.text.find('"', line.text.find('"') + 1));
        CHECK(line_in_tree(line).find(start) != std::string::npos);
      }
    }
  }
}

TEST_CASE("a step is shown whole, and what becomes of it") {
  const Difference skip = only_difference("output_sink/missing_second_drain");
  CHECK(skip.correct.front().file == "sink/output_sink.hpp");
  CHECK(skip.correct.front().text == R"(step("second_drain", [&] { return queue_.drain(batch, max_items); }))");
  CHECK(skip.mutated.front() == "(left out)");
  const Difference swap = only_difference("output_sink/arm_swapped");
  REQUIRE(swap.correct.size() == 2);
  CHECK(swap.mutated == std::vector<std::string>{swap.correct[1].text, swap.correct[0].text});
  const Difference moved = only_difference("output_sink/event_cleared_before_drain");
  CHECK(moved.correct[0].text.starts_with("step(\"drain\""));
  CHECK(moved.mutated[0].starts_with("step(\"clear_event\""));
  CHECK(only_difference("output_sink/hook_under_lock").mutated[0].starts_with("with flag_lock held: step(\"hook\""));
  const Difference several_lines = only_difference("output_sink/loop/closed_missing_withdraw");
  CHECK(several_lines.correct.front().text == R"(step("withdraw", [&] { if (!rung) flag_.lower(); }))");
}

TEST_CASE("an order is shown before and after") {
  const Difference weaker = only_difference("slot_sink/publish_release");
  CHECK(weaker.correct.front().file == "scenarios/slot_sink/slot_sink.hpp");
  CHECK(weaker.correct.front().text == R"(static constexpr Order publish{"publish", std::memory_order_seq_cst};)");
  CHECK(weaker.mutated.front() == R"(static constexpr Order publish{"publish", std::memory_order_release};)");
}

TEST_CASE("without the source there are still the names") {
  const Difference skip = only_difference("output_sink/missing_second_drain", "/no/such/tree");
  CHECK(skip.correct.front().file.empty());
  CHECK(skip.correct.front().text == "step second_drain");
  CHECK(only_difference("slot_sink/publish_release", "/no/such/tree").mutated.front() ==
        "the order called publish is only release");
}

}  // namespace wakeproof::models::cli
