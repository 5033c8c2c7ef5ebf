// bug_reports/libuv_async_pending_trample/*: libuv pull request 50, landed as 197 and 189.
#include "libuv_async_pending_trample.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

template <Platform P>
using FixedHandle = AsyncHandle<P, ExchangedPending<P>>;
template <Platform P>
using TrampledHandle = AsyncHandle<P, TrampledPending<P>>;

Scenario loses_wakeup(std::string name, std::string story, models::Mutations mutations) {
  return {.name = "bug_reports/libuv_async_pending_trample/" + std::move(name),
          .story = std::move(story),
          .expected = Verdict::lost_wakeup,
          .fails_from = kSecondPut,
          .mutations = std::move(mutations)};
}

using models::weaken;

const bool added[] = {
    // Three puts tell which comes first, the reading of the byte or the lowering: a byte that is read after the
    // lowering may be that of the next wake, which the third put then relies on.
    add<RunTurns, FixedHandle>({.name = "bug_reports/libuv_async_pending_trample/correct",
                                .story = "libuv pull request 50 (landed as 197), the fix: the loop lowers `pending` by "
                                         "a read-modify-write, which reads the last send and acquires what it posted.",
                                .sizes = {{1, 1}, {1, 2}, {2, 1}, {1, 3}}}),
    add<RunTurns, TrampledHandle>(
        loses_wakeup("load_then_store",
                     "libuv 0.10, pull request 50: the loop looks at `pending` and then overwrites it. A send in "
                     "between relies on the wake it found; the callback may still read what was posted before it.",
                     {})),
    add<RunTurns, FixedHandle>(loses_wakeup("clear_relaxed",
                                            "The fix of libuv pull request 50 without its acquire: the exchange "
                                            "reads the last send, but sees nothing of what that posted.",
                                            {weaken("clear_pending", std::memory_order_relaxed)})),
    add<RunTurns, FixedHandle>(loses_wakeup("send_relaxed",
                                            "The fix of libuv pull request 50 with a send that does not release: "
                                            "`pending` arrives before what was posted.",
                                            {weaken("send", std::memory_order_relaxed)})),
};

}  // namespace
}  // namespace wakeproof
