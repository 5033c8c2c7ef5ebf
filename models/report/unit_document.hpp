// Work units and their results as one line of JSON each, to travel between processes and machines.
#pragma once

#include <stdexcept>
#include <string>

#include "models/search/parts.hpp"

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
  std::vector<std::size_t> given_back = {};  // of the unit so far: its place among what was given back, from 0
  WorkUnit unit;

  // "unit 3 of 66 of output_sink/correct at 2x1", counted from 1; the second one that it gave back is 3.2
  std::string name() const;
  friend bool operator==(const UnitOrder&, const UnitOrder&) = default;
};

struct UnitResult {
  UnitOrder order;
  SearchResult result;
};

// What a unit that was stopped gave back, to be searched like other units.
std::vector<UnitOrder> orders_given_back(const UnitResult& result);

std::string as_line(const UnitOrder& order);
std::string as_line(const UnitResult& result);
UnitOrder parse_order(const std::string& line);
UnitResult parse_result(const std::string& text);

// Without what identifies them, for the processes of one search and for what holds several.
struct PlainOrder {
  WorkUnit unit;
  std::optional<std::uint64_t> most_executions;
};
std::string order_as_line(const PlainOrder& order);
PlainOrder parse_plain_order(const std::string& line);
std::string result_as_line(const SearchResult& result);
SearchResult parse_plain_result(const std::string& line);

}  // namespace wakeproof::models
