// CoroutineScheduler: one thread that runs coroutines, each until it says what it waits for.
//
//   spawn(task)            loop thread, or before run()   owned by the scheduler until it ends
//   co_await readable(s)   within a task                  true: s is readable; false: waits were cancelled
//   co_await writable(s)   within a task                  likewise
//   co_await done(future)  within a task                  its value
//   run()                  one thread                     returns when no task has anything to wait for
//
// A task:  on the run queue --resumed--> waits for a descriptor --ready--> on the run queue
//                                    \-> waits for a future --hand_over--> on the run queue
//
// [monitor]  The loop sleeps in its selector, which knows of no future. A pool thread puts the task on the
//            run queue and *then* writes a byte into the notice, for which the task `future_monitor` waits
//            like for any other descriptor: a loop that sleeps, or is about to, finds it readable. The
//            other way round the byte may be read before the task is there.
// [full]     A full notice is fine, a byte is in it already. A write that waited for room would wait for
//            ever where the loop itself makes it: for a future that was done before anybody waited for it.
// [due]      A pending future is work: without it the loop would end while an answer is due.
// [record]   The task is recorded before the call is registered, or a future that is done by then finds
//            nobody.
// [lifetime] hand_over() writes its byte when the task may run already. So join the pool's threads before
//            the scheduler goes.
//
// After D. Beazley's fib server (PyCon 2015), whose future_monitor() this is.
#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>
#include <list>
#include <utility>

#include "future.hpp"
#include "platform.hpp"
#include "run_queue.hpp"
#include "task.hpp"

namespace wakeproof {

// A task of a scheduler, and where it goes on. `granted` is what the wait gives it.
struct Routine {
  Task<bool> task;
  std::coroutine_handle<> at = {};
  std::list<Routine>::iterator self = {};
  bool granted = true;
};

enum class Readiness { readable, writable };

// The socket pair, as a pipe: its one end is written by pool threads, the other read by `future_monitor`.
template <Platform P>
class FutureNotice {
 public:
  typename P::wake_pipe& pipe() { return pipe_; }
  std::size_t peek_bytes() const { return pipe_.pending(); }
  void send() { pipe_.write_byte(); }
  void receive() { pipe_.read_all(); }

 private:
  typename P::wake_pipe pipe_{"notice"};
};

// `Selector` waits for descriptors: sockets.hpp, or pipe_selector.hpp for the pipes of any platform.
template <Platform P, class Selector, class Notice = FutureNotice<P>, class Queue = RunQueue<P, Routine>>
class CoroutineScheduler {
 public:
  using platform = P;
  using Source = typename Selector::Source;

  template <class... Args>
  explicit CoroutineScheduler(Args&&... args) : notice_(std::forward<Args>(args)...) {
    spawn(future_monitor());
  }
  CoroutineScheduler(const CoroutineScheduler&) = delete;
  CoroutineScheduler& operator=(const CoroutineScheduler&) = delete;

  void spawn(Task<bool> task) {
    Routine& routine = routines_.emplace_back(Routine{std::move(task)});
    routine.self = std::prev(routines_.end());
    next_.push_back(&routine);
  }

  auto readable(Source source) { return SourceWait{*this, source, Readiness::readable, false}; }
  auto writable(Source source) { return SourceWait{*this, source, Readiness::writable, false}; }
  template <class Result>
  auto done(Result future) {
    return FutureWait<Result>{*this, std::move(future)};
  }

  // Ends the waits for descriptors for which which(source, readiness), not granted; never the monitor's.
  template <class Which>
  void cancel_waits(Which which) {
    selector_.cancel(which, [&](Routine* routine) {
      routine->granted = false;
      next_.push_back(routine);
    });
  }

  void run() {
    while (work_left()) turn();
  }

  Selector& selector() { return selector_; }
  Notice& notice() { return notice_; }
  bool peek_notice() const { return notice_.peek_bytes() > 0; }

 private:
  struct SourceWait {
    CoroutineScheduler& scheduler;
    Source source;
    Readiness what;
    bool in_background;
    Routine* routine = nullptr;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> at) {
      routine = scheduler.suspend(at);
      scheduler.selector_.wait_for(source, what, routine, in_background);
    }
    bool await_resume() const noexcept { return routine->granted; }
  };

  template <class Result>
  struct FutureWait {
    CoroutineScheduler& scheduler;
    Result future;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> at) { scheduler.await_future(future.get(), scheduler.suspend(at)); }
    auto await_resume() { return future->get(); }
  };

  Routine* suspend(std::coroutine_handle<> at) {
    current_->at = at;
    current_->granted = true;
    return current_;
  }

  template <class Awaited>
  void await_future(Awaited* future, Routine* routine) {
    P::run(step("record", [&] { queue_.record(future, routine); }),
           step("register", [&] { future->on_done([this, future] { hand_over(future); }); }));
  }

  // On the pool thread that finished the future; on the loop's where it was finished before.
  void hand_over(const void* future) {
    P::run(step("append", [&] { queue_.hand_over(future); }),  // [monitor]
           step("notify", [&] { notice_.send(); }));
  }

  Task<bool> future_monitor() {
    for (;;) {
      co_await SourceWait{*this, selector_.source_of(notice_.pipe()), Readiness::readable, true};
      P::run(step("read_notice", [&] { notice_.receive(); }));
    }
  }

  bool work_left() {
    const auto counts = queue_.look();
    may_sleep_ = counts.ready == 0 && next_.empty();
    return P::run(step("count_tasks", [&] { return !may_sleep_ || selector_.foreground() > 0; }),
                  step("count_futures", [&] { return counts.waiting > 0; }));  // [due]
  }

  void turn() {
    // What is to run first was ready first: it does not overtake in favour of descriptors.
    std::deque<Routine*> now = std::exchange(next_, {});
    selector_.wait(may_sleep_, [&](Routine* routine) { now.push_back(routine); });
    for (Routine* routine : queue_.take()) now.push_back(routine);
    for (Routine* routine : now) resume(*routine);
  }

  void resume(Routine& routine) {
    current_ = &routine;
    if (routine.at) {
      std::exchange(routine.at, {}).resume();
    } else {
      routine.task.start();
    }
    if (routine.task.done()) routines_.erase(routine.self);
  }

  Notice notice_;
  Queue queue_;

  // The loop thread's own.
  Selector selector_;
  std::deque<Routine*> next_;
  std::list<Routine> routines_;
  Routine* current_ = nullptr;
  bool may_sleep_ = true;
};

}  // namespace wakeproof
