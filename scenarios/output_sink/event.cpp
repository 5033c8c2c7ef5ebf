// output_sink/*: the sink with a consumer that blocks its thread.
#include "atomic_flag.hpp"
#include "late_ring.hpp"
#include "scripts.hpp"

namespace wakeproof {
namespace {

using models::hold;
using models::move_before;
using models::skip;
using models::swap;

template <Platform P>
using RelaxedFlagSink = OutputSink<P, int, CountedWake<EventWake<P>>, AtomicFlag<P>>;

// As in `lock_guard<mutex>(lock_);`, which names nothing and ends with its own line.
template <Platform P>
struct UnnamedGuard {
  explicit UnnamedGuard(typename P::mutex& mutex) { const typename P::lock_guard ended(mutex); }
};

template <Platform P>
using UnguardedQueueSink =
    OutputSink<P, int, CountedWake<EventWake<P>>, WakeFlag<P>, LockedQueue<P, int, UnnamedGuard<P>>>;

// A second producer's item would wait for the pause of the first one's ring, which is a wake that time delivers.
const std::vector<Bounds> kOneProducer = {{1, 1}, {1, 2}};

const bool added[] = {
    add<HandOff, EventSink>({.name = "output_sink/correct",  //
                             .story = "Append, then look at the flag; lower the flag, then look at the queue.",
                             .larger_sizes = {{1, 3}, {1, 4}, {2, 2}, {3, 1}}}),
    add<HandOff, EventSink>({.name = "output_sink/missing_second_drain",
                             .story = "The consumer sleeps after arming without looking at the queue again (P1).",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {skip("second_drain")}}),
    add<HandOff, EventSink>({.name = "output_sink/ring_on_every_put",
                             .story = "Every put rings, whether or not a wake is in flight (P2).",
                             .expected = Verdict::excess_wakeups,
                             .fails_from = {{1, 2}, {2, 1}},
                             .mutations = {swap("claim_wake", "ring")}}),
    add<HandOff, EventSink>({.name = "output_sink/check_flag_before_append",
                             .story = "The flag is looked at, and the bell rung, before the item is there (P3).",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {swap("append", "notify")}}),
    add<PutInEventHook, EventSink>(
        {.name = "output_sink/put_in_hook", .story = "A put between the empty drain and the arming is taken at once."}),
    add<PutInEventHook, EventSink>(
        {.name = "output_sink/put_in_hook_missing_second_drain",
         .story = "A put between the empty drain and the arming, and nobody looks again (P1).",
         .expected = Verdict::lost_wakeup,
         .mutations = {skip("second_drain")}}),
    add<PutInEventHook, EventSink>({.name = "output_sink/hook_under_lock",
                                    .story = "The hook is called with the flag's lock held; it waits for a put (P5a).",
                                    .expected = Verdict::deadlock,
                                    .mutations = {hold("flag_lock", "hook")}}),
    add<HandOff, EventSink>({.name = "output_sink/wait_under_lock",
                             .story = "The consumer waits with the flag's lock held (P5b).",
                             .expected = Verdict::deadlock,
                             .mutations = {hold("flag_lock", "wait")}}),
    add<HandOff, EventSink>({.name = "output_sink/event_never_cleared",
                             .story = "The event stays set: a wait returns at once with nothing there (P6).",
                             .expected = Verdict::busy_spin,
                             .fails_from = {{1, 2}, {2, 1}},
                             .mutations = {skip("clear_event")}}),
    add<HandOff, EventSink>({.name = "output_sink/event_cleared_before_drain",
                             .story = "The event is cleared before the first drain: immaterial, for the second drain "
                                      "sees whatever that ring announced (P6b).",
                             .mutations = {move_before("clear_event", "drain")}}),
    add<HandOff, EventSink>({.name = "output_sink/arm_swapped",
                             .story = "The flag is lowered before the event is cleared: a late ring for an item long "
                                      "taken falls in between and is wiped out, while its flag stays raised (P6b).",
                             .expected = Verdict::lost_wakeup,
                             .fails_from = {{1, 2}, {2, 1}},
                             .mutations = {swap("clear_event", "lower_flag")}}),
    add<HandOff, RelaxedFlagSink>({.name = "output_sink/flag_relaxed",
                                   .story = "The flag is a relaxed atomic: enough, because the queue's mutex orders "
                                            "append and drain, and with them the flag.",
                                   .tags = {"weak_memory"}}),
    add<HandOff, UnguardedQueueSink>({.name = "output_sink/queue_not_guarded",
                                      .story = "The guard has no name, so the lock is given back before the queue is "
                                               "touched: no queue for threads (P4a).",
                                      .expected = Verdict::data_race}),
    add<WaitPastRings, LateRingSink>({.name = "output_sink/late_ring",
                                      .story = "A ring comes long after its item was taken: it costs a turn, and "
                                               "the wait still ends at its deadline (A9).",
                                      .sizes = kOneProducer}),
    add<WaitPastRings, RestartedSink>({.name = "output_sink/late_ring_restarts_timeout",
                                       .story = "The timeout is computed anew on every turn, so that a late ring "
                                                "extends the wait (P7).",
                                       .expected = Verdict::deadline_missed,
                                       .sizes = kOneProducer}),
    add<TakeLateByEvent, EventSink>({.name = "output_sink/take_late",
                                     .story =
                                         "Many puts before the first batch: one wake, and the consumer takes without "
                                         "arming (A10)."}),
    add<TakeLateByEvent, EventSink>(
        {.name = "output_sink/take_late_missing_drain",
         .story = "The consumer arms without having looked: the hook is called for nothing.",
         .expected = Verdict::assertion_failed,
         .mutations = {skip("drain")}}),
    add<TakeOverdue, HeldSink>({.name = "output_sink/overdue",
                                .story = "A producer is held up between append and ring; the wait times out and takes "
                                         "the item all the same (A9)."}),
    add<TakeOverdue, HeldSink>({.name = "output_sink/overdue_missing_last_drain",
                                .story = "The wait times out and says that nothing is there, but an item is.",
                                .expected = Verdict::assertion_failed,
                                .mutations = {skip("last_drain")}}),
    add<TimedHandOff, EventSink>(
        {.name = "output_sink/timed", .story = "Waits with a timeout: it ends none while an item is queued."}),
    add<TimedHandOff, EventSink>({.name = "output_sink/timed_missing_second_drain",
                                  .story = "The timeout delivers what the wake should have: late, and a lost wakeup.",
                                  .expected = Verdict::lost_wakeup,
                                  .mutations = {skip("second_drain")}}),
    models::excuse("output_sink", "swap hook and clear_event",
                   "nobody but the consumer looks at the event before the flag is lowered, so a put from the hook "
                   "rings or not as before, and the second drain takes its item; the hook comes first because a "
                   "reader expects no half-done arming in it"),
};

}  // namespace
}  // namespace wakeproof
