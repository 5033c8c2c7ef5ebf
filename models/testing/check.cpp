#include "check.hpp"

#include <algorithm>

#include "models/scenario.hpp"
#include "models/search/search.hpp"
#include "models/trace/explain.hpp"
#include "models/trace/text.hpp"

namespace wakeproof::models::testing {

namespace {

constexpr int kColumns = 76;  // Catch2 indents a message by two and breaks lines at 80

std::string unknown(const std::string& name) {
  std::string message = "no scenario is named '" + name + "'";
  if (catalogue().empty()) return message + "; none is linked into this program\n";
  message += "; there are:";
  for (const Scenario& scenario : catalogue()) message += " " + scenario.name;
  return message + "\n";
}

// Empty: as expected.
std::string check_size(const Scenario& scenario, const Bounds& bounds) {
  const std::string at = scenario.name + " at " + size_of(bounds) + ": ";
  if (const std::string wrong = scenario.reject(bounds); !wrong.empty()) return at + wrong + "\n";
  const SearchResult result = search(scenario, bounds, {});
  const Verdict expected = scenario.expected_at(bounds);
  if (!result.mutated()) return at + "nothing that it runs is named " + result.unused_mutations.front() + "\n";
  if (result.verdict == expected) return {};
  std::string message =
      at + std::string(name_of(result.verdict)) + ", expected " + std::string(name_of(expected)) + "\n";
  if (!result.detail.empty()) message += "  " + result.detail + "\n";
  if (result.failing.empty()) return message;
  return message + "\n" + as_explanation(tell(scenario, bounds, result.verdict, result.failing), {.columns = kColumns});
}

}  // namespace

Checked check(const std::string& name, Verdict expected, std::vector<Bounds> sizes) {
  const Scenario* found = scenario_named(name);
  if (found == nullptr) return {false, unknown(name)};
  Scenario scenario = *found;
  scenario.expected = expected;
  if (expected == Verdict::proved) scenario.fails_from.clear();
  if (sizes.empty()) {
    sizes = scenario.sizes;
    sizes.insert(sizes.end(), scenario.larger_sizes.begin(), scenario.larger_sizes.end());
  } else {
    for (Bounds& size : sizes) size.ticks = std::max(size.ticks, scenario.ticks);
  }
  for (const Bounds& size : sizes) {
    if (std::string message = check_size(scenario, size); !message.empty()) return {false, std::move(message)};
  }
  return {true, {}};
}

}  // namespace wakeproof::models::testing
