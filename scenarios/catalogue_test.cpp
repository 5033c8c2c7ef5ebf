// The catalogue keeps its word: a full search of each scenario finds its expected verdict and no other.
#include <cstdint>
#include <optional>

#include "ci/catch2.hpp"
#include "models/search/search.hpp"

namespace wakeproof::models {

namespace {

std::string findings_of(const SearchResult& result) {
  std::string names;
  for (int i = 1; i < kVerdicts; ++i) {
    if (result.findings[static_cast<std::size_t>(i)] > 0) names += std::string(name_of(static_cast<Verdict>(i))) + " ";
  }
  return names;
}

SearchResult explore(const Scenario& scenario, const Bounds& bounds, SearchKind::Name kind,
                     std::optional<std::uint64_t> most_executions = {}) {
  SearchOptions options;
  options.max_executions = most_executions;
  options.kind.name = kind;
  options.keep_going = true;
  return search(scenario, bounds, options);
}

}  // namespace

TEST_CASE("names are unique and say subject and fault; stories are told") {
  for (const Scenario& scenario : catalogue()) {
    INFO(scenario.name);
    CHECK(scenario_named(scenario.name) == &scenario);
    CHECK(scenario.name.find('/') != std::string::npos);
    CHECK(scenario.story.size() > 20);
    CHECK((scenario.expected == Verdict::proved) <= scenario.fails_from.empty());
  }
}

TEST_CASE("a full search finds the expected verdict and no other") {
  for (const Scenario& scenario : catalogue()) {
    for (const Bounds& bounds : scenario.sizes) {
      const SearchResult result = explore(scenario, bounds, SearchKind::Name::dpor);
      const Verdict expected = scenario.expected_at(bounds);
      INFO(scenario.name << " at " << size_of(bounds) << ": " << result.detail);
      CHECK(result.verdict == expected);
      CHECK(findings_of(result) == (expected == Verdict::proved ? "" : std::string(name_of(expected)) + " "));
      CHECK(result.exhausted);
    }
  }
}

TEST_CASE("without any reduction the verdicts are the same") {
  int compared = 0;
  for (const Scenario& scenario : catalogue()) {
    const SearchResult result = explore(scenario, {1, 1}, SearchKind::Name::exhaustive, 150'000);
    if (!result.exhausted) continue;  // a third thread, or an end beside the item: a minute each
    ++compared;
    const SearchResult reduced = explore(scenario, {1, 1}, SearchKind::Name::dpor);
    INFO(scenario.name);
    CHECK(result.verdict == reduced.verdict);
    CHECK(findings_of(result) == findings_of(reduced));
    CHECK(result.complete >= reduced.complete);
    // The machine itself leaves an atomic's wait that a notification covers: only these have such waits.
    if (!scenario.name.starts_with("std_names/ring")) CHECK(result.redundant == 0);
  }
  CHECK(compared >= 50);
}

}  // namespace wakeproof::models
