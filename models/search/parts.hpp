// A search in parts, for many processes or machines.
//
// Its result is that of the part above together with that of every unit; which of them was searched
// where, and in what order, makes no difference to the counts of complete and stuck executions, to
// the distinct graphs or to the verdict. What is redundant may differ.
#pragma once

#include "search.hpp"

namespace wakeproof::models {

struct Split {
  int depth = 0;
  SearchResult above;  // executions that end before that depth
  std::vector<WorkUnit> units;
};

// At least `wanted` units, where the tree is large enough. Only for dpor.
Split split(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, std::size_t wanted);

// The unit that is all of the search.
WorkUnit whole_tree(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options);

// The units so many steps below a unit's prefix, and what ends before.
Split split_below(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options, const WorkUnit& unit,
                  int steps);

// Everything below the unit's prefix. When it is stopped, `open` of its result are the units that are left.
SearchResult search_unit(const Scenario& scenario, const Bounds& bounds, const SearchOptions& options,
                         const WorkUnit& unit);

// The units that a stopped part left open are looked after by others from here on: the part's own
// result is whole without them.
std::vector<WorkUnit> give_back(SearchResult& part);

bool found_something(const SearchResult& result);

// Adds parts up.
class PartSum {
 public:
  void add(SearchResult part);
  // Nobody looks at these units: the search was stopped.
  void leave_open(std::vector<WorkUnit> units, const std::string& why);
  const SearchResult& so_far() const { return whole_; }
  SearchResult result(const SearchOptions& options);

 private:
  SearchResult whole_;
  bool first_ = true;
};

SearchResult combine(std::vector<SearchResult> parts, const SearchOptions& options);

}  // namespace wakeproof::models
