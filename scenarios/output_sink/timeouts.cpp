// output_sink/timeouts, output_sink/loop/timeouts: waits with a timeout, under the free clock.
#include "timeouts.hpp"

namespace wakeproof {
namespace {

using models::skip;

const bool added[] = {
    add<TakeWithTimeouts, TimedSink>({.name = "output_sink/timeouts",
                                      .story = "Waits with a timeout that may pass at any moment: no item is lost or "
                                               "taken twice, and a left-over ring extends none of them (A9).",
                                      .ticks = 2}),
    add<TakeWithTimeouts, TimedSink>({.name = "output_sink/timeouts_missing_second_drain",
                                      .story = "The same without the second look at the queue: only the timeout "
                                               "delivers (P1).",
                                      .expected = Verdict::lost_wakeup,
                                      .mutations = {skip("second_drain")},
                                      .ticks = 1}),
    add<TakeWithTimeouts, RestartedTimedSink>({.name = "output_sink/timeouts_restarted",
                                               .story = "The whole timeout is computed anew on every turn: a ring "
                                                        "that comes when a part of it is over extends the wait (P7).",
                                               .expected = Verdict::deadline_missed,
                                               .ticks = 1}),
    add<TakeWithTimeoutsOnLoop, LoopSink>({.name = "output_sink/loop/timeouts",
                                           .story = "The same on a loop: the timeout against the ring, in one turn "
                                                    "or in two (A9).",
                                           .ticks = 1}),
};

}  // namespace
}  // namespace wakeproof
