// The page as text: whole, escaped, small, and the same for the same trace. What it does in a browser is
// for page/page_test.mjs.
#include "html.hpp"

#include <fstream>
#include <sstream>

#include "ci/catch2.hpp"
#include "explain.hpp"
#include "html_text.hpp"
#include "json.hpp"

namespace wakeproof::models {

namespace {

constexpr std::size_t kMostBytes = 400'000;

Trace from_corpus(const std::string& name) {
  std::stringstream document;
  document << std::ifstream(WAKEPROOF_SOURCE_DIR "/models/trace/corpus/" + name + ".json").rdbuf();
  return trace_from_json(document.str());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("text for a page stays text") {
  CHECK(html_escaped("<a href='x'>\"&") == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
  CHECK(html_escaped("a\xff\xc0\x80z") == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
  CHECK(html_escaped("\xe2\x82\xac \xf0\x9f\x94\x94") == "\xe2\x82\xac \xf0\x9f\x94\x94");
  CHECK(html_escaped("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(html_escaped(std::string("\0\x1b", 2)) == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(html_escaped("\xe2\x82") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(html_clipped(std::string(1'000'000, 'x')).size() < 450);
}

TEST_CASE("steps that there are become links") {
  CHECK(html_with_links("of step 2; missed step 10", 10) ==
        "of <a href=\"#step-2\">step 2</a>; missed <a href=\"#step-10\">step 10</a>");
  for (const char* none : {"step 11", "step 0", "misstep 2", "step", "step ", "step two", "step 99999999999999999999"})
    CHECK(html_with_links(none, 10) == none);
}

TEST_CASE("a page has a row for each step, fetches nothing, and is small") {
  for (const char* name : {"output_sink/missing_second_drain", "slot_sink/look_for_sleeper_acquire"}) {
    const Scenario& scenario = *scenario_named(name);
    const Trace trace = *explain(scenario, sizes_to_explain(scenario)).trace;
    const std::string page = as_html(trace);
    CHECK(page == as_html(trace));
    CHECK(page.size() < kMostBytes);
    CHECK(count(page, "<tr id=\"step-") == trace.steps.size() + 1);
    CHECK(count(page, "http:") + count(page, "https:") + count(page, " src=") + count(page, "@import") == 0);
    CHECK(count(page, "</script>") == 2);
    CHECK(count(page, "first difference") == (trace.passing ? 2 : 0));
  }
}

TEST_CASE("traces of no, one and two steps have a page") {
  for (const char* name : {"no_step", "one_step", "two_steps", "weak_memory"}) {
    const Trace trace = from_corpus(name);
    const std::string page = as_html(trace);
    INFO(name);
    CHECK(count(page, "<tr id=\"step-") == trace.steps.size() + 1);
    CHECK(page.ends_with("</html>\n"));
  }
}

TEST_CASE("names that are markup end neither the page nor its script") {
  Trace trace = from_corpus("two_steps");
  trace.scenario = trace.story = trace.threads.front() = trace.objects.front().name = "</script><script>alert(1)";
  const std::string page = as_html(trace);
  CHECK(count(page, "</script>") == 2);
  CHECK(count(page, "<script>alert") == 0);
}

TEST_CASE("more threads than columns, and wide values") {
  Trace trace = from_corpus("two_steps");
  while (trace.threads.size() < 8) {
    trace.threads.push_back("thread " + std::to_string(trace.threads.size()));
    trace.at_start.emplace_back();
    for (TraceStep& step : trace.steps) step.threads.emplace_back();
  }
  trace.objects.front().initial = std::string(1'000'000, 'x');
  const std::string page = as_html(trace);
  CHECK(count(page, "thread and what it does") == 1);
  CHECK(page.size() < 1'000'000 + kMostBytes);
}

}  // namespace wakeproof::models
