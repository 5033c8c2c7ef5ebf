// A scenario's verdict as one line of a Catch2 test, 2.x or 3.x.
//
//   WAKEPROOF_REQUIRE("mailbox/correct", proved);           ends the test where it is another one
//   WAKEPROOF_CHECK("mailbox/late_clear", lost_wakeup);     goes on with it
//   WAKEPROOF_REQUIRE("mailbox/correct", proved, {2, 2});   at these sizes instead of the scenario's own
//
// What a failure prints is the counterexample. See check() for what is compared.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "check.hpp"

#define WAKEPROOF_CATCH_(complain, scenario, verdict, ...)                                                   \
  do {                                                                                                       \
    const auto wakeproof_checked =                                                                           \
        ::wakeproof::models::testing::check(scenario, ::wakeproof::models::Verdict::verdict, {__VA_ARGS__}); \
    if (wakeproof_checked) {                                                                                 \
      SUCCEED();                                                                                             \
    } else {                                                                                                 \
      complain(wakeproof_checked.message);                                                                   \
    }                                                                                                        \
  } while (false)

#define WAKEPROOF_REQUIRE(scenario, ...) WAKEPROOF_CATCH_(FAIL, scenario, __VA_ARGS__)
#define WAKEPROOF_CHECK(scenario, ...) WAKEPROOF_CATCH_(FAIL_CHECK, scenario, __VA_ARGS__)
