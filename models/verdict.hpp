// Verdict: the one list that scenarios, searches, reports and exit statuses share.
#pragma once

#include <optional>
#include <string_view>

namespace wakeproof::models {

enum class Verdict {
  proved,  // explored completely within the stated bounds, nothing found
  lost_wakeup,
  deadlock,
  data_race,
  busy_spin,
  excess_wakeups,
  item_lost,
  item_duplicated,
  order_violated,
  deadline_missed,
  use_after_free,
  leak,
  assertion_failed,
  inconclusive,  // something ran out first: never reported as proved
};

inline constexpr int kVerdicts = static_cast<int>(Verdict::inconclusive) + 1;

std::string_view name_of(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view name);

}  // namespace wakeproof::models
