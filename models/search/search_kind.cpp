#include "search_kind.hpp"

#include <charconv>
#include <string_view>

namespace wakeproof::models {

std::string SearchKind::text() const {
  switch (name) {
    case Name::dpor: {
      return std::string("dpor") + (symmetry ? "" : ", symmetry off") + (locks_by_data ? ", lock order by data" : "");
    }
    case Name::exhaustive: return "exhaustive";
    case Name::random: return "random";
    case Name::pct: return "pct=" + std::to_string(depth);
    case Name::relacy_full: return "relacy-full";
    case Name::relacy_bound: return "relacy-bound=" + std::to_string(context_bound);
    case Name::relacy_random: return "relacy-random";
  }
  return {};
}

namespace {

// The number after `prefix` in `text`, when there is nothing else.
std::optional<unsigned> number_after(std::string_view prefix, const std::string& text, unsigned least, unsigned most) {
  if (!text.starts_with(prefix)) return std::nullopt;
  unsigned number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end || number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace

std::optional<SearchKind> SearchKind::parse(const std::string& text) {
  for (const Name name : {Name::dpor, Name::exhaustive, Name::random, Name::relacy_full, Name::relacy_random}) {
    if (const SearchKind kind{name}; kind.text() == text) return kind;
  }
  SearchKind kind;
  if (const auto bound = number_after("relacy-bound=", text, 0, 100)) {
    kind.name = Name::relacy_bound;
    kind.context_bound = *bound;
    return kind;
  }
  if (const auto depth = number_after("pct=", text, 1, 100)) {
    kind.name = Name::pct;
    kind.depth = *depth;
    return kind;
  }
  return std::nullopt;
}

}  // namespace wakeproof::models
