// run --traces: one document for each verdict that was not expected, and none for the others.
#include "traces.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ci/catch2.hpp"
#include "cli.hpp"
#include "models/report/story.hpp"
#include "models/trace/html.hpp"
#include "models/trace/json.hpp"

namespace wakeproof::models::cli {

TEST_CASE("only unexpected verdicts are written, whole, and named after scenario and size") {
  const auto folder = std::filesystem::temp_directory_path() / ("wakeproof_run_" + std::to_string(getpid()));
  prepare_folder((folder / "deep" / "er").string());
  std::vector<Answer> answers;
  for (const Verdict expected : {Verdict::proved, Verdict::lost_wakeup}) {
    const Scenario* scenario = scenario_named("output_sink/loop/check_flag_before_append");
    answers.push_back({scenario, {1, 1}, {}, expected, search(*scenario, {1, 1}, {})});
  }
  for (Answer& answer : answers) {
    CHECK(tell_story(answer).empty());
    write_trace(folder.string(), answer);
  }
  CHECK(answers[0].trace == (folder / "output_sink.loop.check_flag_before_append.1x1.json").string());
  CHECK(answers[1].trace.empty());
  std::stringstream document;
  document << std::ifstream(answers[0].trace).rdbuf();
  CHECK(trace_from_json(document.str()).verdict == Verdict::lost_wakeup);
  std::stringstream page;
  page << std::ifstream(folder / "output_sink.loop.check_flag_before_append.1x1.html").rdbuf();
  CHECK(page.str() == as_html(trace_from_json(document.str())));
  CHECK(results_as_json(answers).find("check_flag_before_append.1x1.json") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a folder that cannot be made is refused") {
  CHECK_THROWS_AS(prepare_folder("/dev/null/traces"), UsageError);
  CHECK_THROWS_AS(prepare_folder("/dev/null"), UsageError);
}

}  // namespace wakeproof::models::cli
