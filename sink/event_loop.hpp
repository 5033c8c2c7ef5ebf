// EventLoop: one thread that runs callbacks, sleeping in a selector while there are none.
//
//   call_soon_threadsafe(f)   any thread    queues f and wakes the loop; throws loop_closed after close()
//   call_soon(f)              loop thread   queues f for the next turn
//   call_at(when, f)          loop thread   queues f once `when` has come; cancel(timer) forgets it
//   call_later(delay, f)      loop thread   the same, from now on
//   add_reader(fd, f)         loop thread   calls f in every turn in which fd is readable; replaces its earlier reader
//   add_writer(fd, f)         loop thread   likewise writable; remove_reader(fd), remove_writer(fd) forget it
//   run(), stop()             loop thread   turns until stopped; stop() ends the turn under way
//   run_until_complete(task)  loop thread   the task's result
//   create_task(coroutine)    loop thread   runs it by itself from the next turn on; see loop_task.hpp
//   sleep(delay)              loop thread   co_await: after `delay`
//   close()                   loop thread   not while running; ends the tasks that are left, and gives the number
//                                           of posts dropped
//   running()                 any thread    the loop that runs the caller, or null
//
// [bridge]     A post appends under the lock and then writes one byte to the self-pipe, which the
//              selector watches: a loop that sleeps, or is about to, finds the pipe readable.
// [herd]       A full pipe is fine, a byte is in it already. The loop empties the whole pipe and
//              *then* collects everything posted; the other way round, a post between the two
//              would lose its byte.
// [closed]     The closed flag is checked, and the byte written, under the lock that close() takes:
//              no byte ever goes to a closed or reused descriptor. A post that did not throw has
//              run, or is counted by close(); timers, readers and writers are forgotten uncounted.
// [not_ours]   A loop closes none of its users' descriptors. Remove a reader before closing its descriptor.
// [forked]     A child of fork() shares the pipe with its parent: it may destroy its copy of the loop, or
//              close() it, and nothing else.
//
// "loop thread" is the one that runs the loop, and until then the one that made it. Only run() blocks. What a
// callback throws comes out of run(), and the loop may be run again. After close() everything that queues
// throws loop_closed. A loop that is made with LoopDebug looks out for calls from the wrong thread, slow
// callbacks and tasks that nobody awaited (loop_debug.hpp). Readers and writers need a platform with descriptors, which
// the model is not.
//
// Join the threads that post, then close the loop. After the self-pipe of CPython's asyncio.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "descriptor_watchers.hpp"
#include "loop_debug.hpp"
#include "loop_sleep.hpp"
#include "loop_task.hpp"
#include "platform.hpp"
#include "task.hpp"

namespace wakeproof {

// The loop takes nothing more: thrown by calls that would queue something after close().
struct loop_closed : std::runtime_error {
  loop_closed() : std::runtime_error("the event loop is closed") {}
};

template <Platform P>
class EventLoop {
 public:
  using platform = P;
  using Callback = std::function<void()>;
  using TimePoint = typename P::clock::time_point;
  using Where = std::source_location;
  using Timer = std::pair<TimePoint, std::uint64_t>;  // the second tells timers of one moment apart

  // Throws std::system_error where the process has no descriptors left.
  EventLoop() { selector_.add(self_pipe_); }
  explicit EventLoop(LoopDebug debug) : debugger_(std::make_unique<LoopDebugger<P>>(std::move(debug))) {
    selector_.add(self_pipe_);
  }
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

  void call_soon_threadsafe(Callback callback, Where where = Where::current()) {
    callback = watched(std::move(callback), where);
    typename P::lock_guard lock(lock_);
    if (closed_.get()) throw loop_closed();
    P::run(step("post", [&] { posted_.write().push_back(std::move(callback)); }),
           step("write_byte", [&] { self_pipe_.write_byte(); }));
  }

  void call_soon(Callback callback, Where where = Where::current()) {
    check_thread("call_soon");
    check_open();
    ready_.write().push_back(watched(std::move(callback), where));
  }

  Timer call_at(TimePoint when, Callback callback, Where where = Where::current()) {
    check_thread("call_at");
    check_open();
    const Timer timer{when, ++timers_made_};
    timers_.emplace(timer, watched(std::move(callback), where));
    return timer;
  }
  Timer call_later(typename P::clock::duration delay, Callback callback, Where where = Where::current()) {
    return call_at(P::clock::now() + delay, std::move(callback), where);
  }
  // False: it has run, is running, or was cancelled before.
  bool cancel(const Timer& timer) {
    check_thread("cancel");
    return timers_.erase(timer) > 0;
  }

  // The descriptor is best non-blocking: by the time of the call another may have read what there was. Adding
  // throws std::system_error where the system cannot watch the descriptor; removing says whether there was one.
  void add_reader(int descriptor, Callback callback, Where where = Where::current())
    requires DescriptorPlatform<P>
  {
    add_watcher(descriptor, Way::read, watched(std::move(callback), where));
  }
  void add_writer(int descriptor, Callback callback, Where where = Where::current())
    requires DescriptorPlatform<P>
  {
    add_watcher(descriptor, Way::write, watched(std::move(callback), where));
  }
  bool remove_reader(int descriptor)
    requires DescriptorPlatform<P>
  {
    return remove_watcher(descriptor, Way::read);
  }
  bool remove_writer(int descriptor)
    requires DescriptorPlatform<P>
  {
    return remove_watcher(descriptor, Way::write);
  }

  void run() {
    if (running() != nullptr) throw std::logic_error("run: this thread already runs an event loop");
    check_open();
    const Running mark(this);
    stopping_ = false;
    while (!stopping_) turn();
  }

  void stop() {
    check_thread("stop");
    stopping_ = true;
  }

  template <class T>
  T run_until_complete(Task<T> task) {
    const auto whole = std::make_shared<Task<bool>>(stop_after(task));
    // When run() ends by an exception first, the callback stays and finds nobody.
    call_soon([whole = std::weak_ptr(whole)] {
      if (const auto there = whole.lock()) there->start();
    });
    run();
    if (!task.done()) throw std::logic_error("run_until_complete: the loop was stopped before the task ended");
    return task.result();
  }

  template <class T>
  LoopTask<P, T> create_task(Task<T> coroutine) {
    check_thread("create_task");
    check_open();
    auto task = std::make_shared<TaskState<P, T>>(std::move(coroutine), tasks_);
    task->enter();
    call_soon([task] { task->start(); });
    return LoopTask<P, T>(*this, std::move(task));
  }

  auto sleep(std::chrono::nanoseconds delay) { return LoopSleep<P>(*this, *deadline_after<P>(delay)); }

  std::size_t close() {
    if (running() == this) throw std::logic_error("close: the loop is running; stop it first");
    check_thread("close");
    if (closed_.get()) return 0;
    std::deque<Callback> dropped;  // destroyed without the lock: a callback's end may post
    {
      typename P::lock_guard lock(lock_);
      P::run(step("refuse", [&] { closed_.set(true); }),  // [closed]
             step("take_posted", [&] { dropped.swap(posted_.write()); }));
      self_pipe_.close();
    }
    const std::size_t count = dropped.size() + ready_.read().size();
    // What ends here, a coroutine's locals or a callback's captures, may set an event and so queue its waiters.
    abandon_tasks();
    dropped = std::exchange(ready_.write(), {});
    dropped.clear();
    std::exchange(timers_, {}).clear();
    watchers_.clear();
    over_ = true;
    return count;
  }

  // For observers, while nothing runs.
  std::size_t peek_posted() const { return posted_.peek().size() + ready_.peek().size(); }

 private:
  class Running {
   public:
    explicit Running(EventLoop* loop) : debugger_(loop->debugger_.get()) {
      P::template local<EventLoop>() = loop;
      if (debugger_ != nullptr) debugger_->runs(true);
    }
    ~Running() {
      if (debugger_ != nullptr) debugger_->runs(false);
      P::template local<EventLoop>() = nullptr;
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    LoopDebugger<P>* debugger_;
  };

  // In debug mode, while the loop runs. Before and after, the thread that has the loop is its maker's business.
  void check_thread(const char* call) const {
    if (!debugger_ || running() == this || !debugger_->runs()) return;
    throw std::logic_error(std::string(call) +
                           ": this thread does not run the loop, another one does; only call_soon_threadsafe may be "
                           "called from here");
  }
  void check_open() const {
    if (over_) throw loop_closed();
  }

  Callback watched(Callback callback, const Where& where) const {
    if (debugger_) return debugger_->timed(std::move(callback), where);
    return callback;
  }

  void add_watcher(int descriptor, Way way, Callback callback) {
    check_thread(way == Way::read ? "add_reader" : "add_writer");
    check_open();
    watchers_.set(selector_, descriptor, way, std::move(callback));
  }
  bool remove_watcher(int descriptor, Way way) {
    check_thread(way == Way::read ? "remove_reader" : "remove_writer");
    return watchers_.remove(selector_, descriptor, way);
  }

  void turn() {
    if (selector_.wait_until(sleep_until())) {
      P::run(step("empty_pipe", [&] { self_pipe_.read_all(); }),  // [herd]
             step("collect", [&] { collect(); }));
      if constexpr (DescriptorPlatform<P>) watchers_.call_ready(selector_, [&] { return !stopping_; });
    }
    const std::vector<Timer> due = due_timers();
    run_ready();
    run_timers(due);
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

  // Only what was ready when the turn began, so that a callback that queues another cannot keep
  // the loop from its selector.
  void run_ready() {
    for (std::size_t left = ready_.read().size(); left > 0 && !stopping_; --left) {
      const Callback callback = std::move(ready_.write().front());
      ready_.write().pop_front();
      callback();
    }
  }

  // Those that are due when the turn begins: one with no delay that a callback makes is for the next turn.
  std::vector<Timer> due_timers() const {
    std::vector<Timer> due;
    if (timers_.empty()) return due;
    const TimePoint now = P::clock::now();
    for (auto at = timers_.begin(); at != timers_.end() && at->first.first <= now; ++at) due.push_back(at->first);
    return due;
  }

  // One may cancel another. What is left when the loop stops is due in its next turn.
  void run_timers(const std::vector<Timer>& due) {
    for (auto timer = due.begin(); timer != due.end() && !stopping_; ++timer) {
      const auto mine = timers_.extract(*timer);
      if (!mine.empty()) mine.mapped()();
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
  DescriptorWatchers<P> watchers_;
  bool stopping_ = false;
  bool over_ = false;  // closed, and nothing is queued any more

  const std::unique_ptr<LoopDebugger<P>> debugger_;  // null: not in debug mode
  TaskSet<P> tasks_;
};

}  // namespace wakeproof
