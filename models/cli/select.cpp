#include "select.hpp"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>

#include "cli.hpp"

namespace wakeproof::models::cli {

namespace {

bool matches(const std::string& glob, const Scenario* scenario) {
  return fnmatch(glob.c_str(), scenario->name.c_str(), 0) == 0;
}

// How many characters are to be put in, taken out or exchanged (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row[b.size()];
}

// Of the whole name, or of its last part alone: who writes `missing_second_drain` means one of the sinks'.
std::size_t distance_to(const std::string& name, const std::string& wanted) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return std::min(distance(name, wanted), distance(last, wanted) + 1);
}

// Empty: nothing is close enough to be meant.
std::string closest_to(const std::string& wanted) {
  const auto& all = catalogue();
  const auto closest = std::min_element(all.begin(), all.end(), [&](const Scenario& a, const Scenario& b) {
    return distance_to(a.name, wanted) < distance_to(b.name, wanted);
  });
  const bool close = closest != all.end() && distance_to(closest->name, wanted) <= 1 + wanted.size() / 4;
  return close ? closest->name : "";
}

UsageError none_called(const std::string& name) {
  const std::string closest = closest_to(name);
  return UsageError(fmt::format("no scenario is called '{}'; {}wakeproof list shows them all", name,
                                closest.empty() ? "" : fmt::format("did you mean '{}'? ", closest)));
}

}  // namespace

std::vector<const Scenario*> select(const std::vector<std::string>& globs, const std::vector<std::string>& excluded) {
  std::vector<const Scenario*> all;
  for (const Scenario& scenario : catalogue()) all.push_back(&scenario);
  std::sort(all.begin(), all.end(), [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  if (all.empty()) throw UsageError("this program has no scenarios");
  for (const auto* each : {&globs, &excluded}) {
    for (const std::string& glob : *each) {
      const auto match = [&](const Scenario* scenario) { return matches(glob, scenario); };
      if (std::none_of(all.begin(), all.end(), match)) throw none_called(glob);
    }
  }
  std::erase_if(all, [&](const Scenario* scenario) {
    const auto match = [&](const std::string& glob) { return matches(glob, scenario); };
    const bool wanted = globs.empty() || std::any_of(globs.begin(), globs.end(), match);
    return !wanted || std::any_of(excluded.begin(), excluded.end(), match);
  });
  if (all.empty()) throw UsageError("nothing is left: every scenario that was asked for is excluded");
  return all;
}

const Scenario& scenario_called(const std::string& name) {
  const Scenario* scenario = scenario_named(name);
  if (scenario == nullptr) throw none_called(name);
  return *scenario;
}

}  // namespace wakeproof::models::cli
