// The verdicts from GoogleTest, one line each.
#include <wakeproof/gtest.hpp>

TEST(OwnQueue, LosesNoWakeup) {
  WAKEPROOF_ASSERT("own_queue/correct", proved);
  WAKEPROOF_EXPECT("own_queue/correct", proved, {2, 1}, {1, 3});
}

TEST(OwnQueue, LosesOneWhereItWakesEarly) {
  WAKEPROOF_EXPECT("own_queue/wakes_early", lost_wakeup);
}

// Fail: consumer.sh asks for them by name, and looks at what they print.
TEST(OwnQueue, DISABLED_HopedRight) {
  WAKEPROOF_ASSERT("own_queue/wakes_early", proved);
}
TEST(OwnQueue, DISABLED_Nobody) {
  WAKEPROOF_EXPECT("own_queue/nobody", proved);
}
