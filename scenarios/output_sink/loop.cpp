// output_sink/loop/*: the sink with a consumer that is a coroutine on an event loop.
//
// Waiting under a lock (P5b) makes no sense here: a suspended coroutine holds its thread's locks
// while other callbacks run, which is the same deadlock one floor up.
#include "direct_wake.hpp"
#include "scripts.hpp"
#include "suspends.hpp"

namespace wakeproof {
namespace {

using models::hold;
using models::move_before;
using models::skip;
using models::swap;

template <Platform P>
using DirectSink = OutputSink<P, int, CountedWake<DirectWake<P>>>;
template <Platform P>
using GuardedDirectSink = OutputSink<P, int, CountedWake<GuardedDirectWake<P>>>;

constexpr const char* kOneLock =
    "both are under the loop's lock, which the loop takes after the byte has woken it and before it looks at what was "
    "posted";

const bool added[] = {
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/correct",
                                .story = "The ring is a callback, posted under the loop's lock with one byte to its "
                                         "self-pipe.",
                                .larger_sizes = {{1, 3}, {1, 4}, {2, 2}, {3, 1}}}),
    add<BindLate, LoopSink>({.name = "output_sink/loop/bind_late",
                             .story = "The loop is bound while producers put already: what came before is only "
                                      "queued, and the first batch finds it (A7)."}),
    add<BindLate, LoopSink>({.name = "output_sink/loop/bind_late_never_looks",
                             .story = "The first batch waits for a ring without a look at the queue: for what was put "
                                      "before the loop was bound nobody rings (A7).",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {skip("drain"), skip("second_drain")}}),
    add<LoopHandOff, SuspendingSink>({.name = "output_sink/loop/suspends_while_arming",
                                      .story = "The coroutine suspends between lowering the flag and clearing the "
                                               "event: a ring that comes in between is wiped out (A5).",
                                      .expected = Verdict::lost_wakeup,
                                      .fails_from = {{1, 2}, {2, 1}}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/missing_second_drain",
                                .story = "The coroutine suspends after arming without looking at the queue again (P1).",
                                .expected = Verdict::lost_wakeup,
                                .fails_from = {{1, 2}, {2, 1}},
                                .mutations = {skip("second_drain")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/ring_on_every_put",
                                .story = "Every put posts to the loop, whether or not a wake is in flight (P2).",
                                .expected = Verdict::excess_wakeups,
                                .fails_from = {{1, 2}, {2, 1}},
                                .mutations = {swap("claim_wake", "ring")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/check_flag_before_append",
                                .story = "The flag is looked at, and the loop woken, before the item is there (P3).",
                                .expected = Verdict::lost_wakeup,
                                .mutations = {swap("append", "notify")}}),
    add<PutInLoopHook, LoopSink>({.name = "output_sink/loop/put_in_hook",
                                  .story = "A put between the empty drain and the arming is taken at once."}),
    add<PutInLoopHook, LoopSink>({.name = "output_sink/loop/hook_under_lock",
                                  .story = "The hook is called with the flag's lock held; it waits for a put (P5a).",
                                  .expected = Verdict::deadlock,
                                  .mutations = {hold("flag_lock", "hook")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/event_never_cleared",
                                .story = "The event stays set: the coroutine never suspends again and starves the "
                                         "loop (P6).",
                                .expected = Verdict::busy_spin,
                                .fails_from = {{1, 2}, {2, 1}},
                                .mutations = {skip("clear_event")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/event_cleared_before_drain",
                                .story = "The event is cleared before the first drain: immaterial (P6b).",
                                .mutations = {move_before("clear_event", "drain")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/arm_swapped",
                                .story =
                                    "The flag is lowered before the event is cleared: immaterial here, for a ring is a "
                                    "callback, and none runs before the coroutine suspends (P6b).",
                                .mutations = {swap("clear_event", "lower_flag")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/no_byte_written",
                                .story = "The callback is queued under the lock, but the sleeping loop gets no byte "
                                         "(P4c).",
                                .expected = Verdict::lost_wakeup,
                                .mutations = {skip("write_byte")}}),
    add<LoopHandOff, DirectSink>({.name = "output_sink/loop/event_set_directly",
                                  .story = "A producer sets the loop's event itself, not by a callback (P4b).",
                                  .expected = Verdict::data_race}),
    add<LoopHandOff, GuardedDirectSink>(
        {.name = "output_sink/loop/event_set_directly_guarded",
         .story = "The event has a lock of its own and the waiter is queued under the loop's, so nothing races; but "
                  "nobody interrupts the loop's sleep (P4b).",
         .expected = Verdict::lost_wakeup,
         .mutations = {skip("write_byte")}}),
    add<LoopHandOff, LoopSink>({.name = "output_sink/loop/pipe_never_emptied",
                                .story = "The loop leaves the byte in its pipe, and never sleeps again.",
                                .expected = Verdict::busy_spin,
                                .fails_from = {{1, 2}, {2, 1}},
                                .mutations = {skip("empty_pipe")}}),
    add<TwoSinks, LoopSink>({.name = "output_sink/loop/two_sinks",
                             .story = "Two sinks share a loop: one is rung while the loop wakes for the other."}),
    add<TwoSinks, LoopSink>({.name = "output_sink/loop/two_sinks_emptied_late",
                             .story = "The loop collects what was posted and then empties its pipe: a post in between "
                                      "loses its byte.",
                             .expected = Verdict::lost_wakeup,
                             .fails_from = {{2, 1}},
                             .mutations = {swap("empty_pipe", "collect")}}),
    add<TakeLateOnLoop, LoopSink>({.name = "output_sink/loop/take_late",
                                   .story = "Many puts before the first batch: one callback, and the coroutine takes "
                                            "without arming (A10)."}),
    add<CloseEarly, LoopSink>({.name = "output_sink/loop/closed",
                               .story = "The loop is closed while threads put: the flag comes down again, and a second "
                                        "loop takes what was queued (A8).",
                               .tags = {"closing"}}),
    add<CloseEarly, LoopSink>({.name = "output_sink/loop/closed_missing_withdraw",
                               .story = "The ring fails because the loop is closed, and the flag stays raised for "
                                        "ever.",
                               .expected = Verdict::assertion_failed,
                               .mutations = {skip("withdraw")},
                               .tags = {"closing"}}),
    models::excuse("output_sink", "swap post and write_byte", kOneLock),
    models::excuse("output_sink/loop", "swap post and write_byte", kOneLock),
    models::excuse("output_sink/loop", "swap clear_event and lower_flag",
                   "a ring is a callback, and none runs between two steps of the loop's own thread (P6b); for a "
                   "consumer that blocks the order matters"),
    models::excuse("output_sink/loop", "swap hook and clear_event",
                   "the event is the loop's own, and no callback sets it before the coroutine suspends"),
};

}  // namespace
}  // namespace wakeproof
