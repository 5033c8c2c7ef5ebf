// WorkUnit: a part of a search that can be done anywhere: everything below one prefix of choices.
//
// The prefix ends at a node of the tree whose upper levels are expanded fully, every enabled thread
// that does not sleep and every value; what sleeps there goes with it, so that units do not overlap.
//
// A search that is stopped leaves its open frontier as units, one a node that it stands at: what was
// tried there sleeps, and the node is expanded fully, for the races that would have added the rest of
// its branches may be in what the search has left behind. Of a step with several results that was
// under way the results that are left go with it.
#pragma once

#include <cstdint>
#include <vector>

#include "section.hpp"

namespace wakeproof::models {

// An action that was tried, here or where it sleeps since. What it does is its thread's next step.
struct Tried {
  std::uint8_t thread;
  bool failed;
  std::uint16_t value;
  Section section = {};  // that it began, where locks are in order by their data; in no unit

  friend bool operator==(const Tried&, const Tried&) = default;
};

struct WorkUnit {
  int depth = 0;                 // steps of the prefix
  std::vector<unsigned> prefix;  // every choice in them, in order
  std::vector<Tried> asleep;
  int interchangeable = 0;         // threads from the first on that were taken to be: see Symmetry
  bool expand = false;             // the first node fully
  std::vector<Tried> values = {};  // results of one thread's step that are still to be tried there

  friend bool operator==(const WorkUnit&, const WorkUnit&) = default;
};

}  // namespace wakeproof::models
