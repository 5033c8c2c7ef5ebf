// The verdicts from Catch2, one line each.
#if __has_include(<catch2/catch_test_macros.hpp>)
#else
#define CATCH_CONFIG_MAIN
#endif
#include <wakeproof/catch2.hpp>

TEST_CASE("the queue loses no wakeup") {
  WAKEPROOF_REQUIRE("own_queue/correct", proved);
  WAKEPROOF_CHECK("own_queue/correct", proved, {2, 1}, {1, 3});
}

TEST_CASE("a put that notifies first loses a wakeup") {
  WAKEPROOF_REQUIRE("own_queue/wakes_early", lost_wakeup);
}

// Fail: consumer.sh asks for them by their tag, and looks at what they print.
TEST_CASE("the bug is taken to be right", "[.][hope]") {
  WAKEPROOF_REQUIRE("own_queue/wakes_early", proved);
}
TEST_CASE("nobody has this name", "[.][nobody]") {
  WAKEPROOF_CHECK("own_queue/nobody", proved);
}
