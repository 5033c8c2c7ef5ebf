// own_queue/hoped: the bug, by somebody who takes it to be right.
#include "own_script.hpp"

namespace own {
namespace {

const bool added = wakeproof::add<PutAndTake, WakesEarly>(
    {.name = "own_queue/hoped", .story = "A put notifies first, which is said to be quicker."});

}  // namespace
}  // namespace own
