// bug_reports/coreclr_thread_request_order/*: CoreCLR pull request 14015.
#include "coreclr_thread_request_order.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

const bool added[] = {
    add<RunTurns, RequestedWorker>(
        {.name = "bug_reports/coreclr_thread_request_order/correct",
         .story = "CoreCLR pull request 14015, the fix: a worker marks the request that brought it satisfied before "
                  "it looks at the queue."}),
    add<RunTurns, RequestedWorker>(
        {.name = "bug_reports/coreclr_thread_request_order/satisfied_after_dequeue",
         .story = "CoreCLR pull request 14015: the worker looks at the queue first and then marks its request "
                  "satisfied. An item queued in between found the request outstanding and asked for nobody.",
         .expected = Verdict::lost_wakeup,
         .fails_from = kSecondPut,
         .mutations = {models::swap("mark_satisfied", "dequeue")}}),
};

}  // namespace
}  // namespace wakeproof
