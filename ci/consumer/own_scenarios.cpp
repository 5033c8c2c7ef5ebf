// own_queue/*: the queue, and its bug.
#include "own_script.hpp"

static_assert(WAKEPROOF_VERSION_NUMBER >= 100);

namespace own {
namespace {

using wakeproof::Verdict;

const bool added[] = {
    wakeproof::add<PutAndTake, Correct>(
        {.name = "own_queue/correct", .story = "One condition for both sides, told after each change."}),
    wakeproof::add<PutAndTake, WakesEarly>(
        {.name = "own_queue/wakes_early",
         .story = "A put notifies before its item is there: the consumer begins to wait after that.",
         .expected = Verdict::lost_wakeup}),
};

}  // namespace
}  // namespace own
