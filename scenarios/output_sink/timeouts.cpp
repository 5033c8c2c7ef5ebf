// output_sink/timeouts, output_sink/loop/timeouts: waits with a timeout, under the free clock; and overdue on a loop.
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
    add<TakeOverdueOnLoop, HeldLoopSink>({.name = "output_sink/loop/overdue",
                                          .story = "A producer is held up between append and ring; the coroutine's "
                                                   "wait times out and takes the item all the same (A9)."}),
    add<TakeOverdueOnLoop, HeldLoopSink>({.name = "output_sink/loop/overdue_missing_last_drain",
                                          .story = "The coroutine's wait times out and says that nothing is there, "
                                                   "but an item is.",
                                          .expected = Verdict::assertion_failed,
                                          .mutations = {skip("last_drain")}}),
};

}  // namespace
}  // namespace wakeproof
