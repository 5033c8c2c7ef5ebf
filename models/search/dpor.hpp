// Dpor: explores one execution of each graph, depth first.
//
// Optimal dynamic partial order reduction: sleep sets and wakeup trees (Abdulla, Aronis, Jonsson,
// Sagonas: Source sets, JACM 64(4), 2017), over events that carry what a load read from, as
// event.hpp relates them. The unit of choice is an action: a thread and the value that its step gets.
//
// At each node a tree of event sequences is still to be tried. A race found in an execution adds the
// sequence that reverses it, unless a sleeping action or a branch of the tree covers it already.
//
// Three strengths:
//   none       every enabled thread and every value is tried at every node
//   read_from  for programs with steps that may get one of several values, or whose result decides
//              what they are ordered with; some executions are begun in vain (redundant)
//   optimal    for programs without such steps: hardly any is begun in vain either (none where nothing
//              waits; with mutexes and events none in the calibrations, and a few in a hundred in
//              random programs). An action covers also a sequence in which it does not occur, if it could
//              come first. Where steps have values that is wrong: two loads would each count on the
//              other's turn for the newer value. So it is where a compare_exchange may fail: that it
//              could come first is seen only after it has failed, and by then the sequence that it
//              covers may stand in the tree as a branch on which others count.
//
// [restart]  A search begins as optimal and, when it meets the first such step, from the beginning as
//            read_from. So it does where nodes are expanded fully, after an execution
//            that was cut or to make work units: a branch that is one action and no longer the sequence
//            that led to it would be taken for covered below.
// [blocked]  An operation that may have to wait can be reversed only with a step before which it
//            could have gone on already: the race of two critical sections is between their locks,
//            not between an unlock and the next lock. An operation that is still waiting when nobody
//            can go on, or whoever can sleeps, does not become a step here, and is looked at then.
// [newer]    A store that a load did not read because it was not there yet: the load must be tried
//            again after it, reading it. The other way round there is nothing to reverse, for all
//            values that a load may read are tried where it stands.
// [values]   All values that a step may get are tried one after the other, before any other branch of
//            their node. So a thread sleeps with all its values, or is the one under way.
// [barrier]  The idle clock passes only when nobody can go on. That comes after all steps before it and
//            before all after it.
// [clock]    The free clock is a thread whose ticks may be tried anywhere. A tick may be what lets a timed
//            wait go on; whether the wait could do without is told by which tick its deadline passed with,
//            and by what it waits for as it is without the steps that come after that tick. Where nothing
//            but time helps the clock has a second result, silence: a barrier follows it. Only there, so a
//            tick that sleeps says nothing of it, nor does one that came before the last of the others had
//            come to rest: then the silence that it kept from happening is offered.
// [section]  Where locks are in order by their data, a simple section is one step: its unlock follows
//            at once and is part of no sequence. An unlock that comes early keeps nobody from anything.
//            What a section does is known when it was run; one that is to be tried earlier than it
//            was may do something else there, and counts as in order with all until then. That goes
//            with an optimal search only, and while [discipline] holds; or else it begins anew.
// [end]      Races are reversed when the execution has ended, with all that it showed to be independent:
//            a shorter sequence could be taken for covered by an action that must come later in it.
// [again]    A race is reversed after every execution that it occurs in: what covers its sequence by
//            an event that followed it there, or by one that could come in front, need not cover it
//            when the execution goes on differently. Done with is a race where that cannot matter. In a
//            read_from search, once what is to be tried begins with a step that was known when the race
//            was found (a source set); in an optimal one, once such steps alone cover the sequence.
// [cut]      After an execution that was left in the middle, races of its unseen rest are unknown:
//            every node of it is expanded fully.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "event.hpp"
#include "models/strategy.hpp"
#include "symmetry.hpp"
#include "wakeup_tree.hpp"
#include "work_unit.hpp"

namespace wakeproof::models {

class Dpor final : public Strategy {
 public:
  enum class Reduction { none, read_from, optimal };

  Dpor(int threads, Reduction reduction, Flaw flaw = Flaw::none)
      : threads_(threads), reduction_(reduction), flaw_(flaw), sections_(flaw) {}

  void begin_execution() override;
  void taken(const TakenStep& step) override;
  ThreadId choose_thread(const Situation& situation) override;
  unsigned choose_value(unsigned count) override;
  bool read_older(int candidate, int older) override;
  void time_passes(const Situation& situation) override;
  void touches_plain(ThreadId thread, ObjectId object, bool writes) override {
    if (by_data_) sections_.access(thread, object, writes);
  }
  void object_made_or_ended() override { sections_.object_made_or_ended(); }
  void stuck(const Situation& situation) override;
  bool end_execution(Ending ending) override;
  const std::string& nondeterminism() const override { return nondeterminism_; }

  // Before the first execution: nodes above `depth` are expanded fully, and where one stands at that
  // depth the execution is left and kept as a unit. What ends above is searched at once.
  void split_at(int depth) {
    split_depth_ = depth;
    full_depth_ = std::max(full_depth_, depth);
    no_longer_optimal();
  }
  const std::vector<WorkUnit>& units() const { return units_; }

  // Before the first execution: the first so many threads do the same. See Symmetry.
  void take_as_interchangeable(int threads) { symmetry_ = Symmetry(threads, flaw_); }

  // Before the first execution: sections of one mutex that do not touch each other's data are in no order.
  // Holds for scripts whose threads share nothing but modelled objects.
  void order_locks_by_data() { by_data_ = reduction_ != Reduction::read_from; }
  // It was asked to, and still does.
  bool orders_locks_by_data() const { return by_data_; }

  // Before the first execution: looks only at what is below the unit's prefix, with the symmetry that
  // the unit was made with.
  void follow(const WorkUnit& unit) {
    unit_ = unit;
    take_as_interchangeable(unit.interchangeable);
    frozen_ = unit.depth;
    full_depth_ = std::max(full_depth_, unit.depth + (unit.expand ? 1 : 0));
    no_longer_optimal();
  }

  // When an execution has ended, before end_execution(): what is left to look at.
  std::vector<WorkUnit> frontier() const;

  // [restart]
  bool restarts_after(Ending ending) const override {
    return restarting_ || in_doubt() || (ending == Ending::cut && reduction_ == Reduction::optimal);
  }

  bool exhausted() const override { return count_ <= frozen_; }
  std::vector<unsigned> choices() const override { return answers_; }

  // The graph of the execution under way or just ended: equal for equivalent ones.
  std::uint64_t graph() const;
  // Equal also where they differ in the order of sections that do not touch each other's data.
  std::uint64_t graph_by_data() const;
  // Equal also where they differ in which of the first so many threads did what.
  std::uint64_t graph_but_for_names_of(int threads) const;

 private:
  using ThreadSet = std::uint8_t;  // bit i: thread i
  // For each thread, how many of the steps so far come before, in the order of the graph.
  using StepClock = std::array<std::uint16_t, kMaxThreads>;

  // How an operation that may have to wait came to go on.
  struct Ready {
    bool now = false;      // what it waits for let it
    bool overdue = false;  // its deadline had passed,
    int due_since = -1;    // with the tick of this step; -1: before
  };

  struct Node {
    ThreadSet enabled = 0;
    bool any_value = false;  // the event's value was not prescribed
    std::array<Operation, kMaxThreads> pending;
    std::vector<Tried> asleep;  // since an earlier node, or tried at this one with everything below
    WakeupTree::Position branches = WakeupTree::kNone;  // still to be tried
    std::size_t answers = 0;                            // the choices before it

    Event event;  // the one under way
    std::uint8_t ready_before = 0;
    Ready ready;
    int barrier = 0;  // the number of steps before time last passed
    StepClock clock{};
    // The step before on the event's object, and on its second one; -1: none.
    int previous_on_object = -1;
    int previous_on_second = -1;

    int previous_on(ObjectId conflict_class) const {
      return event.op.conflict_class == conflict_class ? previous_on_object : previous_on_second;
    }
  };

  using Names = std::array<std::uint8_t, kMaxThreads>;  // what to call each thread

  // Two steps whose order, or what the first one reads, must be tried the other way too.
  struct Race {
    int earlier;
    int later;  // kBlocked: it did not become a step
    bool newer;
  };
  static constexpr int kBlocked = -1;

  Node& node_at(int position) { return nodes_[static_cast<std::size_t>(position)]; }
  const Node& node_at(int position) const { return nodes_[static_cast<std::size_t>(position)]; }

  ThreadId nobody_new(const Situation& situation);
  Node& push_node(const Situation& situation);
  void begin_unit(Node& node);
  void inherit_sleep(Node& node, const Node& parent) const;
  bool begin_branch(Node& node);
  Event event_of(const Node& node, const Tried& tried) const;
  bool sleeps(const Node& node, ThreadId thread, StoreId newest) const;
  bool value_sleeps(const Node& node, ThreadId thread, std::uint16_t value) const;
  ThreadId free_choice(const Node& node, ThreadId running) const;
  bool only_time_helps(const Node& node) const;
  bool repeats(const Node& node, const Situation& situation);
  StoreId store_of(int step) const;

  class StepsBefore;  // the steps on an operation's objects, backwards
  bool overdue_without(int earlier, const Ready& ready) const;
  bool ready_without_tick(int tick, const Event& later, bool ready, int last_on_object) const;
  bool rests_without_tick(int tick, const Node& later) const;
  void offer_silence(int tick, bool ended);
  bool reversible(int earlier, const Event& later, const Ready& ready) const;
  StepClock find_races(const Event& later, const Ready& ready);
  StepClock everything() const;
  bool reverse(const Race& race, const Event& later, const StepClock& clock_of_later);
  void reverse_races();
  void offer_silences(Ending ending);
  void look_at_blocked(const Situation& situation);
  int offer(Node& node, std::vector<WakeupTree::Item>& sequence);
  StoreId newest_store_before(const Node& node, ObjectId conflict_class) const;
  void offer_value(std::uint16_t value);
  void expand_fully(Node& node);
  unsigned enabled_in(const Situation& situation) const;
  bool in_doubt() const { return by_data_ && reduction_ == Reduction::optimal && sections_.in_doubt(); }
  bool in_section() const;
  std::uint64_t graph_by(const Names& names) const;
  bool backtrack();
  bool restart();
  void no_longer_optimal() {
    if (reduction_ == Reduction::optimal) reduction_ = Reduction::read_from;
    by_data_ = false;
  }

  int threads_;
  Reduction reduction_;
  Flaw flaw_;
  Symmetry symmetry_;
  bool by_data_ = false;
  Sections sections_;
  std::string nondeterminism_;

  int full_depth_ = 0;   // nodes above are expanded fully, here or by the search that made the unit
  int split_depth_ = 0;  // nodes there are kept as units
  std::vector<WorkUnit> units_;
  int frozen_ = 0;  // nodes above are the unit's prefix, where nothing else is tried
  WorkUnit unit_;

  std::vector<Node> nodes_;  // one a step; from count_ on kept for their memory only
  int count_ = 0;
  int depth_ = 0;            // steps of the execution under way
  int replayed_ = 0;         // nodes before this one are as in the execution before
  bool pruned_ = false;      // the last step has a result that sleeps
  bool has_values_ = false;  // the step under way was asked for a value
  bool restarting_ = false;
  WakeupTree tree_;
  WakeupTree::Position guide_ = WakeupTree::kNone;  // what the node to come is to try
  std::vector<unsigned> answers_;

  std::array<StepClock, kMaxThreads> clock_of_thread_{};
  std::array<int, kMaxThreads> steps_of_thread_{};
  std::array<int, kMaxObjects> last_on_object_{};
  std::array<StoreId, kMaxObjects> newest_store_{};
  int barrier_ = 0;                         // the number of steps before time last passed
  std::vector<Race> races_;                 // of the execution under way, not done with; by the later step
  std::vector<WakeupTree::Item> sequence_;  // reverse()'s
};

}  // namespace wakeproof::models
