#include "select.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "changed.hpp"

namespace wakeproof::models::cli {

namespace {

bool matches_one(const std::vector<std::string>& globs, const std::string& name) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return fnmatch(glob.c_str(), name.c_str(), 0) == 0; });
}

bool has_one(const std::vector<std::string>& tags, const Scenario& scenario) {
  const std::vector<std::string> its = scenario.all_tags();
  return std::find_first_of(its.begin(), its.end(), tags.begin(), tags.end()) != its.end();
}

bool is_wanted(const Selection& selection, const Scenario& scenario) {
  return (selection.globs.empty() || matches_one(selection.globs, scenario.name)) &&
         (selection.tags.empty() || has_one(selection.tags, scenario)) &&
         !matches_one(selection.excluded, scenario.name) && !has_one(selection.excluded_tags, scenario);
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

// Of several as close the one with the fewest parts, and of these the first by name: however they are linked.
std::tuple<std::size_t, std::ptrdiff_t, std::string> closeness(const std::string& name, const std::string& wanted) {
  return {distance_to(name, wanted), std::count(name.begin(), name.end(), '/'), name};
}

// Empty: nothing is close enough to be meant.
std::string closest_to(const std::string& wanted) {
  const auto& all = catalogue();
  const auto closest = std::min_element(all.begin(), all.end(), [&](const Scenario& a, const Scenario& b) {
    return closeness(a.name, wanted) < closeness(b.name, wanted);
  });
  const bool close = closest != all.end() && distance_to(closest->name, wanted) <= 1 + wanted.size() / 4;
  return close ? closest->name : "";
}

UsageError none_called(const std::string& name) {
  const std::string closest = closest_to(name);
  return UsageError(fmt::format("no scenario is called '{}'; {}wakeproof list shows them all", name,
                                closest.empty() ? "" : fmt::format("did you mean '{}'? ", closest)));
}

void look_at_globs(const Selection& selection, const std::vector<const Scenario*>& all) {
  for (const auto* globs : {&selection.globs, &selection.excluded}) {
    for (const std::string& glob : *globs) {
      const auto match = [&](const Scenario* scenario) { return matches_one({glob}, scenario->name); };
      if (std::none_of(all.begin(), all.end(), match)) throw none_called(glob);
    }
  }
}

void look_at_tags(const Selection& selection, const std::vector<const Scenario*>& all) {
  std::set<std::string> known;
  for (const Scenario* scenario : all) {
    for (std::string& tag : scenario->all_tags()) known.insert(std::move(tag));
  }
  for (const auto* tags : {&selection.tags, &selection.excluded_tags}) {
    for (const std::string& tag : *tags) {
      if (!known.contains(tag)) {
        throw UsageError(fmt::format("no scenario has the tag '{}'; there are {}", tag, fmt::join(known, ", ")));
      }
    }
  }
}

}  // namespace

std::vector<const Scenario*> select(const Selection& selection) {
  std::vector<const Scenario*> all;
  for (const Scenario& scenario : catalogue()) all.push_back(&scenario);
  std::sort(all.begin(), all.end(), [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  if (all.empty()) throw UsageError("this program has no scenarios");
  look_at_globs(selection, all);
  look_at_tags(selection, all);
  std::erase_if(all, [&](const Scenario* scenario) { return !is_wanted(selection, *scenario); });
  if (all.empty()) throw UsageError("nothing is left: every scenario that was asked for is excluded");
  if (selection.changed_since.empty()) return all;
  return changed_since(selection.changed_since, selection.build, all);
}

const Scenario& scenario_called(const std::string& name) {
  const Scenario* scenario = scenario_named(name);
  if (scenario == nullptr) throw none_called(name);
  return *scenario;
}

}  // namespace wakeproof::models::cli
