#include "scenario.hpp"

#include <algorithm>

namespace wakeproof::models {

std::vector<Scenario>& catalogue() {
  static std::vector<Scenario> all;
  return all;
}

const Scenario* scenario_named(const std::string& name) {
  const auto& all = catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Scenario& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Verdict Scenario::expected_at(const Bounds& bounds) const {
  if (fails_from.empty()) return expected;
  const bool large_enough =
      std::any_of(fails_from.begin(), fails_from.end(), [&](const Bounds& minimum) { return covers(bounds, minimum); });
  return large_enough ? expected : Verdict::proved;
}

std::vector<std::string> Scenario::all_tags() const {
  std::vector<std::string> all = tags;
  const auto add = [&](std::string_view tag) {
    if (std::find(all.begin(), all.end(), tag) == all.end()) all.emplace_back(tag);
  };
  add(name_of(expected));
  const auto weakens = [](const Mutation& mutation) { return mutation.kind == Mutation::Kind::weaken; };
  if (std::any_of(mutations.begin(), mutations.end(), weakens)) add("weak_memory");
  if (ticks > 0) add("free_clock");
  return all;
}

std::vector<std::string> Scenario::thread_names(const Bounds& bounds) const {
  std::vector<std::string> names;
  for (int i = 0; i < bounds.producers; ++i) {
    names.push_back(bounds.producers == 1 ? "producer" : "producer " + std::to_string(i + 1));
  }
  names.emplace_back("consumer");
  return names;
}

std::string Scenario::reject(const Bounds& bounds) const {
  const int most_producers = kMaxThreads - 1 - spare_threads - (bounds.ticks > 0 ? 1 : 0);
  const auto outside = [](const char* what, int given, int most) {
    return std::string(what) + " must be 1 to " + std::to_string(most) + ", not " + std::to_string(given);
  };
  if (bounds.producers < 1 || bounds.producers > most_producers) {
    return outside("producers", bounds.producers, most_producers) + " (" + name + ")";
  }
  if (bounds.items < 1 || bounds.items >= kMaxItems) return outside("items", bounds.items, kMaxItems - 1);
  if (bounds.ticks < 0 || bounds.ticks > 100) return "ticks must be 0 to 100, not " + std::to_string(bounds.ticks);
  if (bounds.max_items < 1 || bounds.max_items > 1'000'000) return outside("batch", bounds.max_items, 1'000'000);
  return {};
}

}  // namespace wakeproof::models
