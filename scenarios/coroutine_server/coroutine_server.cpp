// coroutine_server/*: a finished future is handed from a pool thread to the loop that sleeps in its selector (C3, C4).
//
// Each producer is a pool thread, and a put is one piece of work that it takes and finishes. For each there is a
// connection: a task that submits its items one after the other and waits for each, as the server's tasks do.
#include "models/handoff.hpp"
#include "sink/coroutine_scheduler.hpp"
#include "sink/pipe_selector.hpp"
#include "sink/worker_pool.hpp"

namespace wakeproof {
namespace {

template <class Scheduler>
class FutureHandOff {
 public:
  using P = typename Scheduler::platform;

  FutureHandOff(const Bounds& bounds, Ledger& ledger) : ledger_(ledger), items_(bounds.items) {
    for (int number = 0; number < bounds.producers; ++number) scheduler_.spawn(connection(number));
  }

  void put(int, int) { pool_.work_one(); }
  void consumer() {
    scheduler_.run();
    // Whoever still waits for work is let go, and the judge sees what is missing.
    if (ledger_.taken() < ledger_.expected()) pool_.close();
  }
  void judge() {}
  // Also what no queue holds: a result that nobody was told of.
  Observation observe() const {
    const models::Account account = ledger_.account();
    return {account.puts - account.takes, scheduler_.peek_notice()};
  }

 protected:
  Scheduler& scheduler() { return scheduler_; }

 private:
  Task<bool> connection(int number) {
    for (int i = 0; i < items_; ++i) {
      const int item = Ledger::item(number, i);
      const auto future = pool_.submit([item] { return item; });
      ledger_.took(co_await scheduler_.done(future));
    }
    co_return true;
  }

  Ledger& ledger_;
  int items_;
  WorkerPool<P> pool_;
  Scheduler scheduler_;
};

// A monitor that takes one byte where there may be many.
template <Platform P>
class OneByteNotice : public FutureNotice<P> {
 public:
  void receive() { this->pipe().read_byte(); }
};

// A pair with room for one byte, whose send waits for room.
template <Platform P>
class BlockingNotice : public FutureNotice<P> {
 public:
  void send() {
    room_.acquire();
    FutureNotice<P>::send();
  }
  void receive() {
    const std::size_t bytes = this->pipe().read_all();
    if (bytes > 0) room_.release(static_cast<unsigned>(bytes));
  }
  void hang_up(int senders) { room_.release(static_cast<unsigned>(senders)); }

 private:
  typename P::semaphore room_{1U, "room_in_pair"};
};

// When the loop has ended its end of the pair is closed, which lets go of whoever still waits for room: only
// a loop that has not ended is a stall.
template <class Scheduler>
class BlockingHandOff : public FutureHandOff<Scheduler> {
 public:
  BlockingHandOff(const Bounds& bounds, Ledger& ledger)
      : FutureHandOff<Scheduler>(bounds, ledger), senders_(bounds.producers) {}

  void consumer() {
    FutureHandOff<Scheduler>::consumer();
    this->scheduler().notice().hang_up(senders_);
  }

 private:
  int senders_;
};

struct NoGuard {
  explicit NoGuard(const auto&) {}
};

template <Platform P>
using Server = CoroutineScheduler<P, PipeSelector<P>>;
template <Platform P>
using OneByteServer = CoroutineScheduler<P, PipeSelector<P>, OneByteNotice<P>>;
template <Platform P>
using BlockingServer = CoroutineScheduler<P, PipeSelector<P>, BlockingNotice<P>>;
template <Platform P>
using UnguardedServer = CoroutineScheduler<P, PipeSelector<P>, FutureNotice<P>, RunQueue<P, Routine, NoGuard>>;

}  // namespace

namespace models {
template <>
inline constexpr bool kProducersInterchangeable<FutureHandOff> = true;
template <>
inline constexpr bool kProducersInterchangeable<BlockingHandOff> = true;
}  // namespace models

namespace {

using models::skip;
using models::swap;

const std::vector<Bounds> kSecondFuture{{1, 2}, {2, 1}};

constexpr const char* kAnyWork =
    "either kind of work keeps the loop running, and both were counted in one critical section before they are asked";

const bool added[] = {
    add<FutureHandOff, Server>({.name = "coroutine_server/correct",
                                .story = "A pool thread puts the task back on the run queue, then writes a byte, for "
                                         "which future_monitor waits in the selector (C3)."}),
    add<FutureHandOff, Server>({.name = "coroutine_server/futures_not_counted",
                                .story = "The run loop does not count pending futures as work, and ends while an "
                                         "answer is due (C4).",
                                .expected = Verdict::item_lost,
                                .mutations = {skip("count_futures")}}),
    add<FutureHandOff, Server>({.name = "coroutine_server/no_socket_pair",
                                .story = "The task is on the run queue, but nothing tells the loop, which sleeps in "
                                         "its selector until some other traffic comes (C4).",
                                .expected = Verdict::lost_wakeup,
                                .mutations = {skip("notify")}}),
    add<FutureHandOff, Server>({.name = "coroutine_server/byte_before_append",
                                .story = "The byte is written before the task is on the run queue: it is read, "
                                         "nothing is there, the loop sleeps (C4).",
                                .expected = Verdict::lost_wakeup,
                                .mutations = {swap("append", "notify")}}),
    add<FutureHandOff, OneByteServer>({.name = "coroutine_server/one_byte_a_time",
                                       .story = "The monitor reads one byte where many wait: correct, for the pipe "
                                                "stays readable and only turns of the loop are wasted (C4)."}),
    add<BlockingHandOff, BlockingServer>({.name = "coroutine_server/blocking_send",
                                          .story = "The send waits for room in a full pair. Where the future was done "
                                                   "before anybody waited for it, the loop itself sends, and nobody "
                                                   "is left to read (C4).",
                                          .expected = Verdict::lost_wakeup,
                                          .fails_from = kSecondFuture}),
    add<FutureHandOff, Server>({.name = "coroutine_server/call_before_record",
                                .story = "The call is registered before the task is recorded: a future that is done "
                                         "in between finds nobody (C4).",
                                .expected = Verdict::lost_wakeup,
                                .mutations = {swap("record", "register")}}),
    add<FutureHandOff, UnguardedServer>({.name = "coroutine_server/unguarded_run_queue",
                                         .story = "Pool threads append to the run queue without a lock (C4).",
                                         .expected = Verdict::data_race}),
    add<FutureHandOff, Server>({.name = "coroutine_server/notice_never_read",
                                .story = "The monitor leaves the byte where it is, and the loop never sleeps again.",
                                .expected = Verdict::busy_spin,
                                .fails_from = kSecondFuture,
                                .mutations = {skip("read_notice")}}),
    models::excuse("coroutine_server", "swap count_tasks and count_futures", kAnyWork),
    models::excuse("coroutine_server/correct", "swap count_tasks and count_futures", kAnyWork),
};

}  // namespace
}  // namespace wakeproof
