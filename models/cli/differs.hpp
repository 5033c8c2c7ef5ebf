// What a mutant differs by, in the source: the lines of the correct subject, and what becomes of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/scenario.hpp"

namespace wakeproof::models::cli {

struct SourceLine {
  std::string file;  // in the tree; empty: not found there
  unsigned line = 0;
  std::string text;
};

struct Difference {
  std::string what;                  // "skip second_drain"
  std::vector<SourceLine> correct;   // as they stand
  std::vector<std::string> mutated;  // as they would have to stand
};

// One for each mutation. Its named step or order is looked for in the files that the subject's own steps
// are in, then in those beside them. `source`: where the files' names lead from.
std::vector<Difference> differences(const Scenario& scenario, const std::filesystem::path& source);

}  // namespace wakeproof::models::cli
