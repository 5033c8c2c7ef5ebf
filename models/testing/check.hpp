// check: one scenario, its sizes and a verdict, asked from a test. catch2.hpp and gtest.hpp make one line of it.
#pragma once

#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/verdict.hpp"

namespace wakeproof::models::testing {

// What came of a check: true as a condition where every verdict was as expected.
struct Checked {
  bool as_expected = false;
  std::string message;  // not as expected: why, with the steps of the smallest counterexample; it ends in a newline

  explicit operator bool() const { return as_expected; }
};

// Searches the scenario of this name at its own sizes, or at these, and compares each verdict: `expected` where
// the scenario's fails_from says that it shows, `proved` below. `expected` itself is the test's, whatever
// the scenario expects: with `proved`, every size must be proved. A size that is rejected, a name that nobody
// has and a search that ends early are not as expected either; it throws nothing of its own.
//
// Runs until the searches end, on the calling thread. Not from two threads at a time: a process has one machine.
Checked check(const std::string& scenario, Verdict expected, std::vector<Bounds> sizes = {});

}  // namespace wakeproof::models::testing
