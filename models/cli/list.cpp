// wakeproof list
#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>

#include "cli.hpp"
#include "models/report/json.hpp"

namespace wakeproof::models::cli {

std::vector<const Scenario*> select(const std::vector<std::string>& globs) {
  std::vector<const Scenario*> all;
  for (const Scenario& scenario : catalogue()) all.push_back(&scenario);
  std::sort(all.begin(), all.end(), [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  if (all.empty()) throw UsageError("this program has no scenarios");
  if (globs.empty()) return all;
  const auto matches = [](const std::string& glob, const Scenario* scenario) {
    return fnmatch(glob.c_str(), scenario->name.c_str(), 0) == 0;
  };
  for (const std::string& glob : globs) {
    if (std::none_of(all.begin(), all.end(), [&](const Scenario* scenario) { return matches(glob, scenario); })) {
      throw UsageError("no scenario is called '" + glob + "'; wakeproof list shows them all");
    }
  }
  std::erase_if(all, [&](const Scenario* scenario) {
    return std::none_of(globs.begin(), globs.end(), [&](const std::string& glob) { return matches(glob, scenario); });
  });
  return all;
}

int list(const ListOptions& options) {
  const auto scenarios = select(options.globs);
  if (options.json) {
    fmt::print("{}\n", list_as_json(scenarios));
    return kAsExpected;
  }
  std::size_t widest = 0;
  for (const Scenario* scenario : scenarios) widest = std::max(widest, scenario->name.size());
  for (const Scenario* scenario : scenarios) {
    std::string from;
    for (const Bounds& size : scenario->fails_from) from += (from.empty() ? "from " : " or ") + size_of(size);
    fmt::print("{:{}}  {:14}  {}\n{:{}}  {}\n", scenario->name, widest, name_of(scenario->expected), from, "", 4,
               scenario->story);
  }
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
