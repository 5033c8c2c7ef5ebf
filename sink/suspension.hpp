// Suspension: a point where a coroutine on an event loop waits, and from which it goes on once.
//
// The base of everything that is awaited on a loop. Every member is for the loop's thread alone.
//
//   begin(coroutine)   await_suspend   false: do not suspend, the task was cancelled before it came here
//   end()              await_resume    throws cancelled, if that is how the wait ended
//   wake()             what it waits for   goes on next turn; more than once is as good as once
//   go_on()            a callback of the loop   goes on at once
//   cancel()       the task's owner    false: what it waits for is over, so the task must remember the request
//   withdraw()         the derived class, overridden   takes it out of whatever would wake it
//
// fresh --begin--> waiting --wake, cancel: next turn--> over
//                     \------------go_on------------/
//
// [once]       What goes on is the coroutine that the ticket holds, and taking it leaves the ticket empty. A set
//              and a timeout in one turn, or a cancellation beside either, resume it once.
// [destroyed]  A coroutine may be destroyed where it waits: the derived class's destructor withdraws, and the
//              ticket of a wake under way is emptied. The loop must be there yet.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

#include "outcome.hpp"
#include "platform.hpp"

namespace wakeproof {

template <Platform P>
class EventLoop;
template <Platform P>
class Suspension;

// A task as its suspensions see it; without its result's type.
template <Platform P>
class TaskBase : public std::enable_shared_from_this<TaskBase<P>> {
 public:
  TaskBase() = default;
  TaskBase(const TaskBase&) = delete;
  TaskBase& operator=(const TaskBase&) = delete;
  virtual ~TaskBase() = default;

  // The task whose coroutine the calling thread is running; null: none.
  static TaskBase*& current() { return P::template local<TaskBase>(); }

  bool done() const { return done_; }

  // False: it has ended. True: the coroutine meets `cancelled` where it waits, or where it will next.
  bool cancel() {
    if (done_) return false;
    if (at_ == nullptr || !at_->cancel()) cancel_requested_ = true;
    return true;
  }

  // The loop ends before the task: the coroutine is destroyed where it waits, `why` is the outcome.
  virtual void abandon(std::exception_ptr why) = 0;

  // Runs a piece of the coroutine, up to where it waits or ends.
  template <class Piece>
  void run(Piece piece) {
    const auto alive = this->shared_from_this();
    {
      const Running mark(this);
      piece();
    }
    settle();
  }

 protected:
  // After each piece: if the coroutine has ended, so has the task.
  virtual void settle() = 0;

  bool take_cancel_request() { return std::exchange(cancel_requested_, false); }

  bool done_ = false;

 private:
  friend class Suspension<P>;

  class Running {
   public:
    explicit Running(TaskBase* task) : before_(std::exchange(current(), task)) {}
    ~Running() { current() = before_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    TaskBase* before_;
  };

  Suspension<P>* at_ = nullptr;
  bool cancel_requested_ = false;
};

template <Platform P>
class Suspension {
 public:
  explicit Suspension(EventLoop<P>& loop) : loop_(loop) {}
  Suspension(const Suspension&) = delete;
  Suspension& operator=(const Suspension&) = delete;

  virtual bool cancel() {
    if (!waiting()) return false;
    withdraw();
    cancelled_ = true;
    wake();
    return true;
  }

  void wake() {
    if (!waiting()) return;
    loop_.call_soon([ticket = ticket_] { Ticket::use(*ticket); });
  }

 protected:
  ~Suspension() { leave(); }

  bool begin(std::coroutine_handle<> coroutine) {
    task_ = TaskBase<P>::current();
    cancelled_ = take_cancel_request();
    if (cancelled_) return false;
    if (task_ != nullptr) task_->at_ = this;
    ticket_ = std::make_shared<Ticket>(coroutine, task_);
    return true;
  }

  void end() {
    if (ticket_) {
      leave();
      cancelled_ |= take_cancel_request();  // came when what it waited for was over, and before this turn
    }
    if (cancelled_) throw cancelled();
  }

  void go_on() {
    const auto ticket = ticket_;  // `this` is gone when the coroutine has gone on
    Ticket::use(*ticket);
  }

  virtual void withdraw() = 0;

  // Also while a wake is under way.
  bool waiting() const { return ticket_ && ticket_->coroutine; }

  // Asks the running task: true once for a request that found it not waiting.
  static bool take_cancel_request() {
    TaskBase<P>* const task = TaskBase<P>::current();
    return task != nullptr && task->take_cancel_request();
  }

  // A callback for a timer, which may be on its way when this has gone on or is no more.
  template <class Call>
  auto while_waiting(Call call) {
    return [ticket = ticket_, call = std::move(call)] {
      if (ticket->coroutine) call();
    };
  }

  EventLoop<P>& loop() const { return loop_; }

 private:
  // Outlives the suspension where a callback that was queued for it does. Empty: it has gone on or is no more.
  struct Ticket {
    Ticket(std::coroutine_handle<> at, TaskBase<P>* in) : coroutine(at), task(in) {}

    static void use(Ticket& ticket) {
      const std::coroutine_handle<> coroutine = std::exchange(ticket.coroutine, {});
      if (!coroutine) return;
      if (ticket.task == nullptr) return coroutine.resume();
      ticket.task->run([coroutine] { coroutine.resume(); });
    }

    std::coroutine_handle<> coroutine;
    TaskBase<P>* task;  // there as long as its coroutine is
  };

  void leave() {
    if (!ticket_) return;
    ticket_->coroutine = {};
    ticket_.reset();
    if (task_ != nullptr && task_->at_ == this) task_->at_ = nullptr;
  }

  EventLoop<P>& loop_;
  TaskBase<P>* task_ = nullptr;
  std::shared_ptr<Ticket> ticket_;
  bool cancelled_ = false;
};

}  // namespace wakeproof
