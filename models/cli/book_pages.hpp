// The pages of the book: an index, and one for each scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "differs.hpp"
#include "models/search/search.hpp"
#include "models/trace/trace.hpp"

namespace wakeproof::models::cli {

struct Proof {
  Bounds bounds;
  SearchResult result;
};

struct BookEntry {
  const Scenario* scenario = nullptr;
  std::optional<Trace> trace;           // its counterexample
  std::vector<Difference> differences;  // to the correct subject
  std::vector<Proof> proofs;            // of the correct subject
  std::string correct;                  // a scenario that is the correct subject; empty: the same without mutations
};

// "output_sink.loop.correct": what its files are called, without their ending.
std::string file_name_of(const std::string& scenario);

std::string index_page(const std::vector<BookEntry>& entries);
std::string scenario_page(const std::vector<BookEntry>& entries, std::size_t at);

// What the book is about, moment by moment, with links into the counterexample. Empty where the catalogue
// does not have that.
std::string lost_wakeup_figure(const std::vector<BookEntry>& entries);

}  // namespace wakeproof::models::cli
