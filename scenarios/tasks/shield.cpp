// tasks/shield, tasks/wait_for: what must come to its end although nobody waits for it any more, and a thread
// that waits for so long and no longer (B5, B5b).
#include "sink/shield.hpp"
#include "scripts.hpp"

namespace wakeproof {
namespace {

using models::skip;

// --- shield ---------------------------------------------------------------------------------------------

// Awaits the task itself in place of its shield: a cancellation is passed on.
template <Platform P>
struct Unshielded : Futures<P> {
  static auto wait_for(const LoopTask<P, int>& task) { return task; }
};

template <Platform P>
struct Shielded : Futures<P> {
  static auto wait_for(const LoopTask<P, int>& task) { return shield(task); }
};

// A thread cancels what waits for a clean-up, at any moment: the clean-up, once begun, comes to its end.
template <class Subject>
class CancelCleanUp : public OnLoop<Subject> {
 public:
  CancelCleanUp(const Bounds& bounds, Ledger& ledger) : OnLoop<Subject>(bounds, ledger) {}

  void put(int, int item) {
    const auto future = this->run(wait_for_clean_up(item));
    future.cancel();
    const std::optional<int> outcome = this->outcome_of(future);
    this->ledger_.check(outcome.value_or(item) == item, "a future gives the value of another's task");
    this->ledger_.took_by_any(item);
    this->loop_.call_soon_threadsafe([this] { is_through(); });
  }
  void judge() { this->ledger_.check(cleaned_up_ == begun_, "a clean-up that was begun is not done"); }

 private:
  using P = typename OnLoop<Subject>::P;

  Task<int> wait_for_clean_up(int item) {
    ++begun_;
    auto task = this->loop_.create_task(clean_up(item));
    co_return co_await Subject::wait_for(task);
  }
  Task<int> clean_up(int item) {
    co_await this->loop_.sleep(std::chrono::nanoseconds(0));
    ++cleaned_up_;
    co_return item;
  }
  // Leaves the clean-ups two turns more than they take.
  void is_through() {
    if (++through_ < this->ledger_.expected()) return;
    this->loop_.call_later(std::chrono::milliseconds(1), [this] { this->loop_.stop(); });
  }

  // The loop thread's own.
  int begun_ = 0;
  int cleaned_up_ = 0;
  int through_ = 0;
};

// --- wait_for -------------------------------------------------------------------------------------------

// A thread waits for a millisecond and then cancels: the outcome is the task's, whichever was first.
template <class Subject>
class WaitThenCancel : public OneOutcome<Subject> {
 public:
  using OneOutcome<Subject>::OneOutcome;

  void put(int, int item) {
    const auto future = this->begin(item);
    const bool ended = future.wait_for(std::chrono::milliseconds(1));
    if (!ended) future.cancel();
    const std::optional<int> outcome = this->end(future, item);
    this->ledger_.check(!ended || outcome, "a task that had ended in time was cancelled");
  }
};

const std::vector<Bounds> kOneThread{{1, 1}, {1, 2}};

const bool added[] = {
    add<CancelCleanUp, Shielded>({.name = "tasks/shield/correct",
                                  .story = "A thread cancels a coroutine that waits for a clean-up behind a shield: "
                                           "the waiting ends, the clean-up goes on to its end (B5b).",
                                  .sizes = kOneThread}),
    add<CancelCleanUp, Unshielded>({.name = "tasks/shield/not_shielded",
                                    .story = "The clean-up itself is awaited, so that the cancellation is passed on "
                                             "to it (B5b).",
                                    .expected = Verdict::assertion_failed,
                                    .sizes = kOneThread}),
    add<WaitThenCancel, Futures>({.name = "tasks/wait_for/correct",
                                  .story = "A thread waits for its task for a millisecond, which may pass at any "
                                           "moment, and then cancels it: there is one outcome (B5).",
                                  .sizes = kOneThread,
                                  .ticks = 1}),
    add<WaitThenCancel, Futures>({.name = "tasks/wait_for/end_not_told",
                                  .story = "The task ends and its thread is not told: the wait gives up, the "
                                           "cancellation comes too late, and the thread waits for ever.",
                                  .expected = Verdict::deadlock,
                                  .mutations = {skip("call_on_end")},
                                  .sizes = kOneThread,
                                  .ticks = 1}),
    add<WaitThenCancel, AnsweringFutures>({.name = "tasks/wait_for/answered_at_once",
                                           .story = "The future says that it is cancelled before the task is: the "
                                                    "task may have come to its end in the same moment.",
                                           .expected = Verdict::assertion_failed,
                                           .sizes = kOneThread,
                                           .ticks = 1}),
};

}  // namespace
}  // namespace wakeproof
