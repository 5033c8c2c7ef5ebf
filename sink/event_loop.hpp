// EventLoop: one thread that runs callbacks, sleeping in a selector while there are none.
//
//   call_soon_threadsafe(f)   any thread    queues f and wakes the loop; throws loop_closed after close()
//   call_soon(f)              loop thread   queues f for the next turn
//   call_at(when, f)          loop thread   queues f once `when` has come; cancel(timer) forgets it
//   run(), stop()             loop thread   turns until stopped; stop() ends the turn under way
//   run_until_complete(task)  loop thread   the task's result
//   create_task(coroutine)    loop thread   runs it by itself from the next turn on; see loop_task.hpp
//   sleep(delay)              loop thread   co_await: after `delay`
//   close()                   loop thread   not while running; ends the tasks that are left, and gives the number
//                                           of callbacks dropped
//   running()                 any thread    the loop that runs the caller, or null
//
// [bridge]     A post appends under the lock and then writes one byte to the self-pipe, which the
//              selector watches: a loop that sleeps, or is about to, finds the pipe readable.
// [herd]       A full pipe is fine, a byte is in it already. The loop empties the whole pipe and
//              *then* collects everything posted; the other way round, a post between the two
//              would lose its byte.
// [closed]     The closed flag is checked, and the byte written, under the lock that close() takes:
//              no byte ever goes to a closed or reused descriptor. A post that did not throw has
//              run, or is counted by close().
//
// Join the threads that post, then close the loop. After the self-pipe of CPython's asyncio.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "loop_sleep.hpp"
#include "loop_task.hpp"
#include "platform.hpp"
#include "task.hpp"

namespace wakeproof {

struct loop_closed : std::runtime_error {
  loop_closed() : std::runtime_error("the event loop is closed") {}
};

template <Platform P>
class EventLoop {
 public:
  using Callback = std::function<void()>;
  using TimePoint = typename P::clock::time_point;
  using Timer = std::pair<TimePoint, std::uint64_t>;  // the second tells timers of one moment apart

  EventLoop() { selector_.add(self_pipe_); }
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop() {
    try {
      abandon_tasks();
    } catch (...) {
      // A lock that fails leaves nobody to be told with, and a destructor must not throw.
    }
  }

  static EventLoop* running() { return P::template local<EventLoop>(); }

  void call_soon_threadsafe(Callback callback) {
    typename P::lock_guard lock(lock_);
    if (closed_.get()) throw loop_closed();
    P::run(step("post", [&] { posted_.write().push_back(std::move(callback)); }),
           step("write_byte", [&] { self_pipe_.write_byte(); }));
  }

  void call_soon(Callback callback) { ready_.write().push_back(std::move(callback)); }

  Timer call_at(TimePoint when, Callback callback) {
    const Timer timer{when, ++timers_made_};
    timers_.emplace(timer, std::move(callback));
    return timer;
  }
  void cancel(const Timer& timer) { timers_.erase(timer); }

  void run() {
    if (running() != nullptr) throw std::logic_error("run: this thread already runs an event loop");
    const Running mark(this);
    stopping_ = false;
    while (!stopping_) turn();
  }

  void stop() { stopping_ = true; }

  template <class T>
  T run_until_complete(Task<T> task) {
    Task<bool> whole = stop_after(task);
    call_soon([&whole] { whole.start(); });
    run();
    if (!task.done()) throw std::logic_error("run_until_complete: the loop was stopped before the task ended");
    return task.result();
  }

  template <class T>
  LoopTask<P, T> create_task(Task<T> coroutine) {
    if (closed_.get()) throw loop_closed();
    auto task = std::make_shared<TaskState<P, T>>(std::move(coroutine), tasks_);
    task->enter();
    call_soon([task] { task->start(); });
    return LoopTask<P, T>(*this, std::move(task));
  }

  auto sleep(std::chrono::nanoseconds delay) { return LoopSleep<P>(*this, *deadline_after<P>(delay)); }

  std::size_t close() {
    std::deque<Callback> dropped;  // destroyed without the lock: a callback's end may post
    {
      typename P::lock_guard lock(lock_);
      if (closed_.get()) return 0;
      closed_.set(true);
      dropped.swap(posted_.write());
      self_pipe_.close();
    }
    const std::size_t count = dropped.size() + ready_.read().size();
    ready_.write().clear();
    abandon_tasks();
    return count;
  }

  // For observers, while nothing runs.
  std::size_t peek_posted() const { return posted_.peek().size() + ready_.peek().size(); }

 private:
  class Running {
   public:
    explicit Running(EventLoop* loop) { P::template local<EventLoop>() = loop; }
    ~Running() { P::template local<EventLoop>() = nullptr; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
  };

  void turn() {
    if (selector_.wait_until(sleep_until())) {
      P::run(step("empty_pipe", [&] { self_pipe_.read_all(); }),  // [herd]
             step("collect", [&] { collect(); }));
    }
    fire_timers();
    run_ready();
  }

  Deadline<P> sleep_until() const {
    if (!ready_.read().empty()) return TimePoint{};  // long past: only a look
    if (timers_.empty()) return std::nullopt;
    return timers_.begin()->first.first;
  }

  void collect() {
    typename P::lock_guard lock(lock_);
    if (posted_.read().empty()) return;  // a byte that came with an earlier turn's posts
    std::deque<Callback>& posted = posted_.write();
    std::deque<Callback>& ready = ready_.write();
    while (!posted.empty()) {
      ready.push_back(std::move(posted.front()));
      posted.pop_front();
    }
  }

  void fire_timers() {
    if (timers_.empty()) return;
    const TimePoint now = P::clock::now();
    while (!timers_.empty() && timers_.begin()->first.first <= now) {
      call_soon(std::move(timers_.begin()->second));
      timers_.erase(timers_.begin());
    }
  }

  // Only what was ready when the turn began, so that a callback that queues another cannot keep
  // the loop from its selector.
  void run_ready() {
    for (std::size_t left = ready_.read().size(); left > 0 && !stopping_; --left) {
      const Callback callback = std::move(ready_.write().front());
      ready_.write().pop_front();
      callback();
    }
  }

  void abandon_tasks() { tasks_.abandon(std::make_exception_ptr(loop_closed())); }

  template <class T>
  Task<bool> stop_after(Task<T>& task) {
    co_await task.finished();
    stop();
    co_return true;
  }

  typename P::mutex lock_{"loop_lock"};
  typename P::template plain<bool> closed_{false, "loop_closed"};
  typename P::template plain<std::deque<Callback>> posted_{{}, "posted"};
  typename P::wake_pipe self_pipe_{"self_pipe"};

  // The loop thread's own.
  typename P::selector selector_{"selector"};
  typename P::template plain<std::deque<Callback>> ready_{{}, "ready"};
  std::map<Timer, Callback> timers_;
  std::uint64_t timers_made_ = 0;
  bool stopping_ = false;
  TaskSet<P> tasks_;
};

}  // namespace wakeproof
