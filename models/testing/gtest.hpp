// A scenario's verdict as one line of a GoogleTest test.
//
//   WAKEPROOF_ASSERT("mailbox/correct", proved);           ends the test where it is another one
//   WAKEPROOF_EXPECT("mailbox/late_clear", lost_wakeup);   goes on with it
//   WAKEPROOF_EXPECT("mailbox/correct", proved, {2, 2});   at these sizes instead of the scenario's own
//
// What a failure prints is the counterexample. See check() for what is compared.
#pragma once

#include <gtest/gtest.h>

#include "check.hpp"

namespace wakeproof::models::testing {

inline ::testing::AssertionResult gives(const std::string& scenario, Verdict expected, std::vector<Bounds> sizes) {
  const Checked checked = check(scenario, expected, std::move(sizes));
  return checked ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << checked.message;
}

}  // namespace wakeproof::models::testing

#define WAKEPROOF_GIVES_(scenario, verdict, ...) \
  ::wakeproof::models::testing::gives(scenario, ::wakeproof::models::Verdict::verdict, {__VA_ARGS__})

#define WAKEPROOF_ASSERT(scenario, ...) ASSERT_TRUE((WAKEPROOF_GIVES_(scenario, __VA_ARGS__)))
#define WAKEPROOF_EXPECT(scenario, ...) EXPECT_TRUE((WAKEPROOF_GIVES_(scenario, __VA_ARGS__)))
