// Work units and their results as one line of JSON each, to travel between processes and machines.
#pragma once

#include <stdexcept>
#include <string>

#include "models/search/search.hpp"

namespace wakeproof::models {

// A document that is damaged, or belongs to another scenario, size or version: one line that says which.
struct BadDocument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A unit with all that is needed to search it: which of which split of which scenario at which size.
struct UnitOrder {
  std::string scenario;
  Bounds bounds;
  std::size_t wanted = 0;  // what split() was asked for
  std::size_t index = 0;   // among the split's units, from 0
  std::size_t of = 0;
  WorkUnit unit;

  // "unit 3 of 66 of output_sink/correct at 2x1", counted from 1
  std::string name() const;
  friend bool operator==(const UnitOrder&, const UnitOrder&) = default;
};

struct UnitResult {
  UnitOrder order;
  SearchResult result;
};

std::string as_line(const UnitOrder& order);
std::string as_line(const UnitResult& result);
UnitOrder parse_order(const std::string& line);
UnitResult parse_result(const std::string& text);

// The counts and the finding alone, for the processes of one search.
std::string result_as_line(const SearchResult& result);
SearchResult parse_plain_result(const std::string& line);

}  // namespace wakeproof::models
