// wakeproof list
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "cli.hpp"
#include "models/report/json.hpp"
#include "select.hpp"

namespace wakeproof::models::cli {

int list(const ListOptions& options) {
  const auto scenarios = select(options.selection);
  if (options.names) {
    for (const Scenario* scenario : scenarios) fmt::print("{}\n", scenario->name);
    return kAsExpected;
  }
  if (options.json) {
    fmt::print("{}\n", list_as_json(scenarios));
    return kAsExpected;
  }
  std::size_t widest = 0;
  for (const Scenario* scenario : scenarios) widest = std::max(widest, scenario->name.size());
  for (const Scenario* scenario : scenarios) {
    std::string from;
    for (const Bounds& size : scenario->fails_from) from += (from.empty() ? "from " : " or ") + size_of(size);
    std::string tags = fmt::format("{}", fmt::join(scenario->tags, ", "));
    if (!tags.empty()) tags = " [" + tags + "]";
    fmt::print("{:{}}  {:14}  {}\n{:{}}  {}{}\n", scenario->name, widest, name_of(scenario->expected), from, "", 4,
               scenario->story, tags);
  }
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
