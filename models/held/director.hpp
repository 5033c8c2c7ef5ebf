// Director: holds real threads to a schedule, one step at a time, and then lets them run free.
//
//   take_turn(kind, object)   a script's thread   before each operation: waits for its turn
//   block(deadline, try)      a script's thread   where its operation has to wait, after its turn
//   run(i, body)              a script's thread   the whole of it
//   watch(timeout)            the harness         until all have ended, or nothing moves any more
//   break_off()               the harness         whoever waits, or takes another step, is thrown Ended
//
// held --the last step is over--> free --nothing moves--> broken off --> ended
//
// [alone]    A thread's turn lasts from its operation up to its next one, as on the model: what it does
//            in between nobody sees half done, and objects are made in the same order.
// [real]     The schedule only says when. What an operation does, and whether a wait ends, is up to the
//            real mutexes, events and pipes; a wait looks up now and then whether it is broken off.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "models/mutation.hpp"
#include "models/operation.hpp"
#include "models/script.hpp"
#include "sink/platform.hpp"

namespace wakeproof::models {

class HeldMutex;

struct HeldStep {
  int number = 0;
  ThreadId thread = 0;
  std::string operation = {};  // empty: any
  int object = -1;             // -1: any
  bool failed = false;         // what was tried did not happen, for whatever reason
  bool time_passed = false;    // before it, for nobody could go on
  std::string what = {};       // in words
};

// Thrown into a thread to end it. Not an std::exception, so that a script's handlers let it through.
struct Ended {};

class Director {
 public:
  using Clock = std::chrono::steady_clock;

  struct Plan {
    std::vector<HeldStep> steps;
    int threads = 0;        // that the script names
    int spare_threads = 0;  // that it may start itself
    Mutations mutations;
    std::function<void(int step)> before_step = nullptr;  // on the thread that takes it
    std::function<Account()> account = nullptr;           // asked where no thread of the script runs
    bool one_runs_on = false;                             // at the end only the thread of the last step is let free
  };

  // The one that the platform's objects belong to; there is one at a time.
  explicit Director(Plan plan);
  ~Director();
  Director(const Director&) = delete;
  Director& operator=(const Director&) = delete;
  static Director& current();

  // --- for the platform --------------------------------------------------------------------------------

  ObjectId create(Label label);
  void add_mutex(const char* name, HeldMutex* mutex);
  void remove_mutex(HeldMutex* mutex);
  HeldMutex* mutex_named(const std::string& name);
  const Mutations& mutations() const { return plan_.mutations; }

  // The step whose turn it is; null where the thread runs free, or is not one of the script's. Throws
  // Ended; where a destructor may stand it returns null instead, and the operation is carried out.
  const HeldStep* take_turn(OpKind kind, ObjectId object);

  // Calls try_until(when) until it says true (true), or the deadline has passed (false).
  template <class TryUntil>
  bool block(std::optional<Clock::time_point> give_up, TryUntil try_until) {
    const Blocked mark(*this, give_up.has_value());
    for (;;) {
      auto until = Clock::now() + kLookUp;
      if (give_up && *give_up < until) until = *give_up;
      if (try_until(until)) return true;
      if (give_up && Clock::now() >= *give_up) return false;
      if (broken_off_) throw Ended{};
    }
  }
  // What cannot be held is not run.
  [[noreturn]] void cannot(const char* what);
  void passed_wait();

  ThreadId spare_thread();
  int spare_index(ThreadId thread) const { return thread - plan_.threads; }
  // The whole of a thread, which may be Ended.
  template <class Body>
  void run(ThreadId thread, Body body) {
    begin(thread);
    try {
      body();
    } catch (const Ended&) {
    } catch (const std::exception& error) {
      note_exception(error.what());
    }
    end();
  }

  // --- for the harness ---------------------------------------------------------------------------------

  void await_arrival(ThreadId thread);  // at its first operation, or its end
  void open();                          // every thread of the script has arrived
  void watch(std::chrono::nanoseconds timeout);
  void break_off();

  struct Sleeper {
    ThreadId thread;
    OpKind kind;
    std::string object;
  };
  struct Seen {
    int steps = 0;                     // of the schedule that were taken
    std::string differs;               // not empty: what was not as the schedule says, and the rest was left out
    int differs_at = 0;                // a step
    bool all_ended = false;            // by themselves
    std::vector<Sleeper> sleepers;     // nothing moved any more, and these stood at a wait without an end
    Account at_free;                   // when the last step was over
    Account at_end;                    // when nothing moved, or one that was let run was stopped
    std::optional<Sleeper> overslept;  // in the schedule: time passed, with items queued, until its wait gave up
    Account at_overslept;
    std::uint64_t waits_passed = 0;  // by threads that run free
  };
  const Seen& seen() const { return seen_; }

 private:
  enum class State { absent, arrived, runs, blocked, blocked_for_a_time, ended };
  struct Thread {
    State state = State::absent;
    OpKind kind = OpKind::none;
    ObjectId object = kNoObject;
  };

  class Blocked {
   public:
    Blocked(Director& director, bool timed) : director_(director) {
      director_.set_state(timed ? State::blocked_for_a_time : State::blocked);
    }
    ~Blocked() { director_.set_state(State::runs); }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

   private:
    Director& director_;
  };

  static constexpr std::chrono::milliseconds kLookUp{5};

  void begin(ThreadId thread);
  void end();
  void note_exception(const char* what);
  void set_state(State state);
  bool may_go(ThreadId thread) const;
  void go_on();
  const HeldStep* leave(OpKind kind);
  void differ(const std::string& what);
  bool nothing_moves() const;
  bool all_ended() const;
  void note_end(bool still);
  void note_overslept();

  const Plan plan_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<Thread> threads_;
  std::vector<std::string> objects_;
  std::vector<std::pair<std::string, HeldMutex*>> mutexes_;
  std::size_t next_ = 0;
  ThreadId turn_of_ = kNobody;  // whose step is under way
  bool open_ = false;
  bool free_ = false;
  std::atomic<bool> broken_off_{false};
  std::uint64_t moves_ = 0;
  int spare_threads_ = 0;
  Seen seen_;
  bool account_wanted_ = false;
};

}  // namespace wakeproof::models
