// bug_reports/ponyc_asio_suspend/*: ponyc pull request 2561, two races of one protocol.
#include "ponyc_asio_suspend.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

template <Platform P>
using FixedScheduler = SuspendingScheduler<P, KnockUntilHeard>;
template <Platform P>
using GivingUpScheduler = SuspendingScheduler<P, KnockAndGiveUp>;

const bool added[] = {
    add<RunTurns, FixedScheduler>({.name = "bug_reports/ponyc_asio_suspend/correct",
                                   .story = "ponyc pull request 2561, the fix: once it is marked as suspended the "
                                            "scheduler looks at the queue again, and the notifier tries for the mutex "
                                            "until it has it."}),
    add<RunTurns, FixedScheduler>({.name = "bug_reports/ponyc_asio_suspend/no_last_look",
                                   .story = "ponyc pull request 2561, first race: the scheduler finds no work, marks "
                                            "itself and sleeps. What was injected before the mark notified nobody.",
                                   .expected = Verdict::lost_wakeup,
                                   .mutations = {models::skip("last_look")}}),
    add<RunTurns, GivingUpScheduler>(
        {.name = "bug_reports/ponyc_asio_suspend/trylock_gives_up",
         .story = "ponyc pull request 2561, second race: the notifier finds the scheduler's mutex held and gives up. "
                  "But the holder is marked, has looked for the last time, and is about to wait.",
         .expected = Verdict::lost_wakeup}),
    models::excuse("bug_reports/ponyc_asio_suspend", "skip look_for_sleeper",
                   "every put notifies then, and a notification that nobody waits for is nothing; the look saves the "
                   "mutex"),
    models::excuse("bug_reports/ponyc_asio_suspend", "swap look_for_sleeper and notify",
                   "as without the look, every put notifies"),
};

}  // namespace
}  // namespace wakeproof
