// WakeupTree: the sequences of events that are still to be tried, at every node of a search.
//
// All trees of a search live in one pool. A position names the first of a list of siblings; each
// sibling is an event and the list of what may follow it.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "event.hpp"

namespace wakeproof::models {

class WakeupTree {
 public:
  using Position = int;
  static constexpr Position kNone = -1;

  // An event of a sequence to insert, as it stood in the execution that the sequence is taken from.
  struct Item {
    Event event;
    int step = 0;                                    // its number there
    std::array<std::uint16_t, kMaxThreads> clock{};  // for each thread, how many steps come before it
  };

  struct Rules {
    // An event that a sequence does not have covers it when it could as well come first. True only
    // where a thread's next step has one result.
    bool cover_from_the_front = true;
    Flaw flaw = Flaw::none;
  };

  const Event& event(Position at) const { return pool_[static_cast<std::size_t>(at)].event; }
  Position children(Position at) const { return pool_[static_cast<std::size_t>(at)].children; }
  Position next(Position at) const { return pool_[static_cast<std::size_t>(at)].next; }

  // Inserts the sequence below a list of siblings unless a branch covers it already. Events that a
  // branch shares with it are taken out of `sequence`. Gives the last of the steps that make its being
  // covered independent of the rest: of those that its branch begins with, or, where an event may cover from
  // the front, of a branch that covers it by its own events alone. kNever: there is none.
  static constexpr int kNever = std::numeric_limits<int>::max();
  int insert(Position& siblings, std::vector<Item>& sequence, Rules rules);

  // Adds a sequence as the last sibling without looking at the others.
  void append(Position& siblings, const std::vector<Item>& sequence);

  // Makes the branch that begins with this thread and value the first one; adds it where there is none.
  void bring_to_front(Position& siblings, const Event& event);

  // Takes the first sibling out of the list; its children stay.
  Position pop(Position& siblings);
  // Gives the sibling's place back to the pool; its children stay.
  void release(Position at);
  // Gives back everything below a list.
  void release_all(Position siblings);

  // Whether the sequence could begin with this event: nothing in it has to come before. `where`: its
  // place in the sequence, or kInFront where its thread has none there.
  static bool may_begin(const Event& event, const std::vector<Item>& sequence, std::size_t& where, Rules rules);
  static constexpr std::size_t kInFront = static_cast<std::size_t>(-1);

 private:
  struct Entry {
    Event event;
    Position children;
    Position next;
  };
  Position allocate(const Event& event);

  std::vector<Entry> pool_;
  Position free_ = kNone;
};

}  // namespace wakeproof::models
