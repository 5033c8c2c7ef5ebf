// SearchKind: the ways to search, and how they are written on the command line and in reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wakeproof::models {

// How to search. Written `dpor`, `exhaustive`, `random`, `pct=3`, `relacy-full`, `relacy-bound=2`, `relacy-random`.
struct SearchKind {
  enum class Name { dpor, exhaustive, random, pct, relacy_full, relacy_bound, relacy_random };
  Name name = Name::dpor;
  unsigned context_bound = 0;  // of relacy-bound
  unsigned depth = 0;          // of pct: its priority change points and one
  std::uint64_t seed = 1;      // of random and pct
  bool symmetry = true;        // of dpor: makes use of interchangeable producers
  bool locks_by_data = false;  // of dpor: orders no sections that do not touch each other's data

  bool is_stock() const {
    return name == Name::relacy_full || name == Name::relacy_bound || name == Name::relacy_random;
  }
  // Draws executions at random from a seed, of which there is no end.
  bool is_random() const { return name == Name::random || name == Name::pct; }
  std::string text() const;  // with what is not as usual about it
  // Of a name alone.
  static std::optional<SearchKind> parse(const std::string& text);
};
inline constexpr const char* kSearchKinds =
    "dpor, exhaustive, random, pct=D, relacy-full, relacy-bound=N, relacy-random";

}  // namespace wakeproof::models
