// bug_reports/netty_wakenup_stale/*: Netty issues 8644 and 9782.
#include "netty_wakenup_stale.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

const bool added[] = {
    add<RunTurns, StaleWakeLoop>({.name = "bug_reports/netty_wakenup_stale/correct",
                                  .story = "Netty issue 8644, the fix: a loop that took the selector's token and finds "
                                           "the flag raised wakes the selector itself, once more."}),
    add<RunTurns, StaleWakeLoop>(
        {.name = "bug_reports/netty_wakenup_stale/token_not_renewed",
         .story = "Netty issues 8644 and 9782: a wake that comes between the lowering of the flag and the select ends "
                  "that select, and leaves the flag raised for the whole turn. Whoever adds a task then relies on "
                  "a token that is gone.",
         .expected = Verdict::lost_wakeup,
         .fails_from = kSecondPut,
         .mutations = {models::skip("renew_token")}}),
    models::excuse("bug_reports/netty_wakenup_stale", "skip claim_wake",
                   "every put wakes the selector then, and a selector that is awake is not harmed; the claim saves "
                   "the wakes"),
    models::excuse("bug_reports/netty_wakenup_stale", "swap claim_wake and wake_selector",
                   "as without the claim, every put wakes the selector"),
    models::excuse("bug_reports/netty_wakenup_stale", "swap renew_token and run_tasks",
                   "the token is needed at the next select, and the flag is lowered after either step"),
};

}  // namespace
}  // namespace wakeproof
