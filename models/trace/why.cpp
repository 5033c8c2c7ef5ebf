#include "why.hpp"

#include <algorithm>

#include "queries.hpp"
#include "rows.hpp"
#include "waiting.hpp"

namespace wakeproof::models {

namespace {

std::string number(int step) {
  return std::to_string(step);
}

class Teller : TraceQueries {
 public:
  explicit Teller(const Trace& trace) : TraceQueries(trace) {}

  std::vector<TraceSentence> tell() {
    switch (trace_.verdict) {
      case Verdict::lost_wakeup: lost_wakeup(); break;
      case Verdict::deadlock: deadlock(); break;
      case Verdict::busy_spin: busy_spin(); break;
      case Verdict::excess_wakeups: excess_wakeups(); break;
      case Verdict::data_race: data_race(); break;
      default: fact(); break;
    }
    mutant();
    return std::move(story_);
  }

 private:
  void say(const char* word, const std::string& text, std::vector<int> steps) {
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    story_.push_back({word, text, std::move(steps)});
  }

  // "step 7 (ring: set data_ready, by producer)"
  std::string cited(int at) const {
    return "step " + number(at) + " (" + briefly(trace_, step(at)) + ", by " + thread(step(at).thread) + ")";
  }

  const TraceWaiting* consumers_wait() const {
    for (const TraceWaiting& waiting : trace_.waiting) {
      if (waiting.thread == trace_.consumer) return &waiting;
    }
    return nullptr;
  }
  // What the consumer stands at after a step, if it sleeps there; otherwise -1.
  int sleeps_on(int at) const {
    const TraceThread& consumer = step(at).threads[static_cast<std::size_t>(trace_.consumer)];
    return consumer.state == TraceThread::State::waits ? consumer.object : -1;
  }

  void lost_wakeup();
  void the_look_that_missed_it(int put, int broken);
  void the_wake_that_was_lost(int put, int broken, int waits_for);
  void the_ring_that_was_not(int put, int broken, int waits_for, int ring, int wiped);
  void stale_reads();
  void how_it_ends(int broken);
  void deadlock();
  void busy_spin();
  void excess_wakeups();
  void data_race();
  void fact();
  void mutant();

  std::vector<TraceSentence> story_;
};

void Teller::lost_wakeup() {
  const int broken = trace_.breaks_at.value_or(last_);
  if (broken == 0) return fact();
  const int put = put_before(broken);
  say("let",
      cited(put) +
          " put an item into the queue. From then on the consumer must be awake, or a wake must be on its way, "
          "until the item is taken.",
      {put});
  the_look_that_missed_it(put, broken);
  stale_reads();
  the_wake_that_was_lost(put, broken, sleeps_on(broken));
  say("therefore",
      "after step " + number(broken) +
          " the queue is not empty, the consumer sleeps, no wake is in flight and no put is under way: nothing that "
          "has "
          "been begun will wake it.",
      {broken});
  how_it_ends(broken);
}

// The consumer's last look at what the put changed.
void Teller::the_look_that_missed_it(int put, int broken) {
  const auto looked = [&](const TraceStep& one) {
    if (one.thread != trace_.consumer || one.missed) return false;
    if (one.read_from && changed(step(put), one.object)) return true;
    return std::any_of(one.reads.begin(), one.reads.end(),
                       [&](const TraceValue& read) { return changed(step(put), read.object); });
  };
  const int look = last_before(broken + 1, looked);
  if (look == 0 || look > put) return;
  say("because",
      "the consumer's last look at the queue was " + cited(look) +
          ": the item was not there yet, so it found nothing and went on to sleep.",
      {look, put});
}

void Teller::the_wake_that_was_lost(int put, int broken, int waits_for) {
  if (waits_for < 0) return;
  const auto rings = [&](const TraceStep& one) { return signals(trace_, one, waits_for); };
  const int ring = last_before(broken + 1, rings);
  const int wiped = first_after(ring, [&](const TraceStep& one) { return takes_back(trace_, one, waits_for); });
  if (ring > put && wiped > 0 && wiped <= broken) {
    return say("however",
               "the wake for it was sent, by " + cited(ring) + ", and wiped out by " + cited(wiped) +
                   " before the consumer came to wait for it.",
               {ring, wiped});
  }
  if (ring > 0 && ring < put && in_one_put(ring, put)) {
    return say("however",
               "the wake came too early: " + cited(ring) + " sent it before the item was there, and " +
                   (wiped > 0 ? cited(wiped) + " took it." : "it was used up."),
               wiped > 0 ? std::vector<int>{ring, put, wiped} : std::vector<int>{ring, put});
  }
  the_ring_that_was_not(put, broken, waits_for, ring, wiped);
}

// The put decided not to ring. What had it looked at last?
void Teller::the_ring_that_was_not(int put, int broken, int waits_for, int ring, int wiped) {
  const int producer = step(put).thread;
  const int decided = last_before(broken + 1, [&](const TraceStep& one) {
    return one.thread == producer && one.number >= put && (!one.reads.empty() || one.read_from);
  });
  if (decided == 0 || producer == trace_.consumer)
    return say("however", "no wake was sent to " + object(waits_for) + " for it.", {put});
  const TraceStep& one = step(decided);
  const std::string saw = one.read_from ? object(one.object) + " = " + one.value
                                        : object(one.reads.front().object) + " = " + one.reads.front().value;
  std::string text = "no wake was sent to " + object(waits_for) + " for it: the last that its put looked at was " +
                     saw + ", in step " + number(decided);
  std::vector<int> steps{decided};
  if (ring > 0 && wiped > 0) {
    text += ", so it left the waking to an earlier wake, that of step " + number(ring) +
            ". That one was gone: " + cited(wiped) + " had taken it back";
    steps.push_back(ring);
    steps.push_back(wiped);
  }
  say("however", text + ".", steps);
}

void Teller::stale_reads() {
  int told = -1;  // the store of the sentence before
  for (const TraceStep& one : trace_.steps) {
    if (!one.missed) continue;
    const TraceStep& store = step(std::max(1, *one.missed));
    const std::string got = cited(one.number) + " got " +
                            (*one.read_from == 0 ? "the initial value" : "the value of step " + number(*one.read_from));
    const std::vector<int> steps{one.number, store.number, *one.read_from};
    if (told == store.number) {
      say("because", got + " for the same reason.", steps);
      continue;
    }
    told = store.number;
    const int known = one.known[static_cast<std::size_t>(store.thread)];
    std::string text = got + ", although step " + number(store.number) +
                       " had stored a newer one. That is allowed: " + "no happens-before edge leads from step " +
                       number(store.number) + " to it (of " + thread(store.thread) + "'s steps it knew " +
                       (known == 0 ? "none" : "those up to step " + number(known)) + ")";
    if (store.order != "seq_cst" || one.order != "seq_cst") {
      text += ", and the store is " + store.order + " and the load " + one.order +
              ": only two sequentially consistent ones have one order that both threads see";
    }
    say("because", text + ".", steps);
  }
}

void Teller::how_it_ends(int broken) {
  if (const TraceWaiting* waiting = consumers_wait()) {
    std::string text = thread(waiting->thread) + " waits for " + object(waiting->object) + " for ever";
    std::vector<int> steps;
    if (waiting->last_signal) {
      text += "; it was last set at step " + number(*waiting->last_signal) + " by " +
              thread(step(*waiting->last_signal).thread);
      steps.push_back(*waiting->last_signal);
    }
    if (waiting->last_taken && waiting->last_taken > waiting->last_signal) {
      const int by = step(*waiting->last_taken).thread;
      text += std::string(waiting->last_signal ? "," : "; it was") + " cleared at step " +
              number(*waiting->last_taken) + " by " + (by == waiting->thread ? "itself" : thread(by));
      steps.push_back(*waiting->last_taken);
    }
    for (std::size_t i = 0; i < waiting->but.size(); ++i)
      text += (i == 0 ? "; " : ", ") + thread(waiting->could_have_woken[i]) + " " + waiting->but[i];
    return say("finally", text + ".", steps);
  }
  const int passed = first_after(broken, [](const TraceStep& one) { return one.time_passed; });
  if (passed > 0)
    say("finally",
        "only its timeout ended the wait: nobody else could go on, so time passed before step " + number(passed) +
            ". Without a timeout it would have slept for ever.",
        {passed});
}

void Teller::deadlock() {
  for (const TraceWaiting& waiting : trace_.waiting) {
    const std::string who = thread(waiting.thread) + " waits for " + object(waiting.object);
    if (waiting.operation == "lock" && waiting.last_taken) {
      say("let",
          cited(*waiting.last_taken) + " take " + object(waiting.object) + "; it is not given back before the end.",
          {*waiting.last_taken});
      say("because",
          who + ", which " + thread(step(*waiting.last_taken).thread) + " has since step " +
              number(*waiting.last_taken) + ".",
          {*waiting.last_taken});
      continue;
    }
    std::string text = who;
    for (std::size_t i = 0; i < waiting.but.size(); ++i)
      text += (i == 0 ? ", but " : ", and ") + thread(waiting.could_have_woken[i]) + " " + waiting.but[i];
    say("because", text + ".", waiting.last_signal ? std::vector<int>{*waiting.last_signal} : std::vector<int>{});
  }
  say("therefore",
      "after step " + number(last_) + " each of them waits for what only another one of them could do, " +
          "and nobody goes on.",
      {last_});
}

void Teller::busy_spin() {
  const int who = last_ > 0 ? step(last_).thread : trace_.consumer;
  const TraceStep& end = step(last_);
  const auto same = [&](const TraceStep& one) {
    return one.thread == who && one.object == end.object && one.operation == end.operation && !one.failed;
  };
  const int before = last_before(last_, same);
  const int ring = last_before(last_ + 1, [&](const TraceStep& one) { return signals(trace_, one, end.object); });
  if (ring > 0)
    say("let",
        cited(ring) + " let the wait for " + object(end.object) +
            " go on. That was for an item, and the item is taken.",
        {ring});
  say("because",
      "nothing takes that back: " +
          (before > 0 ? "in step " + number(before) + " and again in step " + number(last_)
                      : "in step " + number(last_)) +
          " " + thread(who) + " passes the same wait, finds nothing, and changes nothing in between.",
      before > 0 ? std::vector<int>{before, last_} : std::vector<int>{last_});
  say("therefore", "it goes round and round, and never sleeps until the next put.", {last_});
}

void Teller::excess_wakeups() {
  std::vector<int> rings;
  std::string list;
  for (const TraceStep& one : trace_.steps) {
    const bool rung = std::find(one.protocol.begin(), one.protocol.end(), "ring") != one.protocol.end();
    const bool does = one.operation == "set" || one.operation == "write_byte" || one.operation == "notify_one" ||
                      one.operation == "notify_all";
    if (!rung || !does) continue;
    rings.push_back(one.number);
    list += (list.empty() ? "step " : " and step ") + number(one.number);
  }
  if (rings.size() < 2) return fact();
  say("let", cited(rings.front()) + " wake the consumer.", {rings.front()});
  say("because",
      list + (rings.size() == 2 ? " both" : " all") +
          " ring, and between them the consumer has not lowered the flag as often: some ring while " +
          "a wake is in flight already.",
      rings);
  say("therefore", trace_.detail + ": the consumer is woken, or its event set, for nothing.", rings);
}

void Teller::data_race() {
  if (last_ == 0) return fact();
  const TraceStep& end = step(last_);
  const auto others = [&](const TraceStep& one) {
    return one.thread != end.thread && one.number > end.known[static_cast<std::size_t>(one.thread)];
  };
  const int unordered = last_before(last_, others);
  say("let", "after " + cited(last_) + ": " + trace_.detail + ".", {last_});
  if (unordered > 0)
    say("because",
        "no happens-before edge leads from " + cited(unordered) + " to it: what that thread did is not " +
            "ordered with it by any lock, event or atomic.",
        {unordered, last_});
  say("therefore", "on real threads the two accesses may overlap, and what is read may be neither the old nor the new.",
      {last_});
}

// A fact that does not hold, told by the script itself.
void Teller::fact() {
  stale_reads();
  const int at = trace_.found_at.value_or(last_);
  if (at == 0) {
    say("let", "every thread begin: each runs to its first operation, before there is anything to choose.", {});
    return say("therefore", trace_.detail + ".", {});
  }
  const int passed = last_before(at + 1, [](const TraceStep& one) { return one.time_passed; });
  if (passed > 0)
    say("let", "nobody go on before " + cited(passed) + ", so that time passes and the wait gives up.", {passed});
  const int tick = last_before(at, [](const TraceStep& one) { return one.operation == "tick" && !one.failed; });
  if (tick > 0) say("let", "a millisecond pass at step " + number(tick) + ".", {tick});
  if (step(at).invariant.queue_nonempty || full_before(at)) {
    const int put = full_since(full_before(at) ? at - 1 : at);
    const int item = std::max(put, 1);
    say("because", "since " + cited(item) + " there is an item in the queue.", {item});
  }
  const std::string when = trace_.found_at ? "after " + cited(at) : "when every thread has finished";
  say("therefore", when + ": " + trace_.detail + ".", {at});
}

void Teller::mutant() {
  if (trace_.mutations.empty()) return;
  std::string all;
  for (const std::string& mutation : trace_.mutations) all += (all.empty() ? "" : ", ") + mutation;
  say("finally", "this differs from the correct subject by: " + all + ".", {});
}

}  // namespace

std::vector<TraceSentence> why(const Trace& trace) {
  return Teller(trace).tell();
}

}  // namespace wakeproof::models
