#include "consistent.hpp"

#include "models/operation.hpp"

namespace wakeproof::models {

namespace {

// Keeps the first thing that is wrong.
class Checker {
 public:
  explicit Checker(const Trace& trace)
      : trace_(trace),
        threads_(static_cast<int>(trace.threads.size())),
        objects_(static_cast<int>(trace.objects.size())) {}

  const std::string& wrong() const { return wrong_; }

  void check(bool ok, const std::string& what) {
    if (!ok && wrong_.empty()) wrong_ = what;
  }
  void thread(int number, const std::string& who) {
    check(number >= 0 && number < threads_,
          who + " is of thread " + std::to_string(number) + ", and there are " + std::to_string(threads_));
  }
  void object(int number, const std::string& who) {
    check(number >= 0 && number < objects_,
          who + " is on object " + std::to_string(number) + ", and there are " + std::to_string(objects_));
  }
  void step(int number, int least, int most, const std::string& who) {
    check(number >= least && number <= most, who + " refers to step " + std::to_string(number) +
                                                 ", which is not one of " + std::to_string(least) + " to " +
                                                 std::to_string(most));
  }
  void states(const std::vector<TraceThread>& states, const std::string& who) {
    check(static_cast<int>(states.size()) == threads_, who + " does not say of every thread where it stands");
    for (const TraceThread& state : states) {
      if (state.object != -1) object(state.object, who);
      check(state.state != TraceThread::State::waits || state.object >= 0, who + ": a thread waits for nothing");
      if (state.held_by) thread(*state.held_by, who);
    }
  }

  void steps(const std::vector<TraceStep>& steps, const std::vector<unsigned>& choices) {
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < steps.size() && wrong_.empty(); ++i) {
      const std::string who = "step " + std::to_string(i + 1);
      check(steps[i].number == static_cast<int>(i) + 1, who + " has the number " + std::to_string(steps[i].number));
      one_step(steps[i], who);
      for (const unsigned choice : steps[i].choices) {
        check(chosen < choices.size() && choices[chosen] == choice, who + " is not what the trace's choices say");
        ++chosen;
      }
    }
    check(chosen == choices.size(), "there are more choices than steps");
  }

  void head() {
    check(threads_ >= 1 && threads_ <= kMaxThreads, "it has " + std::to_string(threads_) + " threads");
    check(trace_.bounds.producers >= 1 && trace_.bounds.items >= 1 && trace_.bounds.max_items >= 1 &&
              trace_.bounds.ticks >= 0,
          "its bounds");
    thread(trace_.consumer, "the consumer");
    for (const TraceObject& one : trace_.objects) {
      if (one.watched_by) object(*one.watched_by, "the object " + one.name);
    }
    states(trace_.at_start, "the start");
  }

  void tail() {
    const int last = static_cast<int>(trace_.steps.size());
    if (trace_.found_at) step(*trace_.found_at, 0, last, "the finding");
    if (trace_.breaks_at) step(*trace_.breaks_at, 1, last, "the end of the invariant");
    for (const TraceWaiting& waiting : trace_.waiting) {
      thread(waiting.thread, "a wait");
      object(waiting.object, "a wait");
      if (waiting.last_signal) step(*waiting.last_signal, 1, last, "a wait");
      if (waiting.last_taken) step(*waiting.last_taken, 1, last, "a wait");
      check(waiting.could_have_woken.size() == waiting.but.size(), "a wait that says not of everybody why");
      for (const int waker : waiting.could_have_woken) thread(waker, "a wait");
    }
    for (const TraceSentence& sentence : trace_.why) {
      for (const int number : sentence.steps) step(number, 0, last, "a sentence");
    }
    if (trace_.passing) passing(*trace_.passing, last);
    if (trace_.no_return) no_return(*trace_.no_return, last);
  }

 private:
  void one_step(const TraceStep& one, const std::string& who) {
    thread(one.thread, who);
    object(one.object, who);
    if (one.read_from) step(*one.read_from, 0, one.number - 1, who);
    if (one.missed) step(*one.missed, 0, one.number - 1, who);
    check(!one.missed || one.read_from, who + " misses a store and reads none");
    check(static_cast<int>(one.known.size()) == threads_, who + " does not say what was known of every thread");
    for (const int known : one.known) step(known, 0, one.number - 1, who);
    for (const TraceChange& change : one.changes) object(change.object, who);
    for (const TraceValue& read : one.reads) object(read.object, who);
    for (const int other : one.could_run) thread(other, who);
    for (const TraceStore& store : one.could_read) step(store.step, 0, one.number - 1, who);
    check(one.results >= 1 && one.result >= 0 && one.result < one.results, who + " has a result it cannot have");
    check(!one.choices.empty() && static_cast<int>(one.choices.front()) == one.thread, who + " was not chosen");
    states(one.threads, who);
  }

  void passing(const TracePassing& passing, int last) {
    for (const int number : passing.about) step(number, 0, last, "the passing schedule");
    step(passing.differs_at, 1, static_cast<int>(passing.steps.size()), "the passing schedule");
    steps(passing.steps, passing.choices);
  }

  void no_return(const TraceNoReturn& no_return, int last) {
    if (no_return.step) step(*no_return.step, 1, last, "the point of no return");
    for (const TraceShare& share : no_return.shares) step(share.steps, 0, last, "a share of completions");
    for (const TraceSibling& sibling : no_return.siblings) thread(sibling.thread, "another choice");
  }

  const Trace& trace_;
  int threads_;
  int objects_;
  std::string wrong_;
};

}  // namespace

std::string inconsistency(const Trace& trace) {
  Checker checker(trace);
  checker.head();
  checker.steps(trace.steps, trace.choices);
  checker.tail();
  return checker.wrong();
}

}  // namespace wakeproof::models
