#include "wakeup_tree.hpp"

#include <algorithm>

namespace wakeproof::models {

// `where`: the event's place in the sequence, or kInFront where its thread has none there.
bool WakeupTree::may_begin(const Event& event, const std::vector<Item>& sequence, std::size_t& where, Rules rules) {
  for (where = 0; where < sequence.size(); ++where) {
    const Item& own = sequence[where];
    if (own.event.thread != event.thread) continue;
    if (own.event.value != event.value && own.event.value != kAnyValue && event.value != kAnyValue) return false;
    for (std::size_t before = 0; before < where; ++before) {
      const Item& other = sequence[before];
      if (other.step < own.clock[other.event.thread]) return false;
    }
    return true;
  }
  where = kInFront;
  if (!rules.cover_from_the_front) return false;
  return std::none_of(sequence.begin(), sequence.end(),
                      [&](const Item& other) { return ordered(event, other.event, rules.flaw); });
}

int WakeupTree::insert(Position& siblings, std::vector<Item>& sequence, Rules rules) {
  Position parent = kNone;
  int first = sequence.front().step;
  int last = 0;
  for (Position at = siblings; at != kNone;) {
    std::size_t where = 0;
    if (!may_begin(event(at), sequence, where, rules)) {
      at = next(at);
      continue;
    }
    const int step = where == kInFront ? kNever : sequence[where].step;
    if (parent == kNone) first = step;
    last = std::max(last, step);
    if (where != kInFront) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(where));
    if (children(at) == kNone) return rules.cover_from_the_front ? last : first;  // covered
    if (sequence.empty()) break;                                                  // too
    parent = at;
    at = children(at);
  }
  if (parent == kNone && !sequence.empty()) {
    append(siblings, sequence);
  } else if (!sequence.empty()) {
    Position list = children(parent);
    append(list, sequence);  // not empty, so its head stays
  }
  return rules.cover_from_the_front ? kNever : first;
}

void WakeupTree::append(Position& siblings, const std::vector<Item>& sequence) {
  Position chain = kNone;
  for (std::size_t i = sequence.size(); i-- > 0;) {
    const Position at = allocate(sequence[i].event);
    pool_[static_cast<std::size_t>(at)].children = chain;
    chain = at;
  }
  if (siblings == kNone) {
    siblings = chain;
    return;
  }
  Position last = siblings;
  while (next(last) != kNone) last = next(last);
  pool_[static_cast<std::size_t>(last)].next = chain;
}

void WakeupTree::bring_to_front(Position& siblings, const Event& event) {
  Position before = kNone;
  Position at = siblings;
  while (at != kNone && (this->event(at).thread != event.thread || this->event(at).value != event.value)) {
    before = at;
    at = next(at);
  }
  if (at == kNone) {
    at = allocate(event);
  } else if (before == kNone) {
    return;
  } else {
    pool_[static_cast<std::size_t>(before)].next = next(at);
  }
  pool_[static_cast<std::size_t>(at)].next = siblings;
  siblings = at;
}

WakeupTree::Position WakeupTree::pop(Position& siblings) {
  const Position first = siblings;
  siblings = next(first);
  pool_[static_cast<std::size_t>(first)].next = kNone;
  return first;
}

void WakeupTree::release(Position at) {
  pool_[static_cast<std::size_t>(at)].next = free_;
  free_ = at;
}

void WakeupTree::release_all(Position siblings) {
  while (siblings != kNone) {
    release_all(children(siblings));
    const Position following = next(siblings);
    release(siblings);
    siblings = following;
  }
}

WakeupTree::Position WakeupTree::allocate(const Event& event) {
  if (free_ == kNone) {
    pool_.push_back({event, kNone, kNone});
    return static_cast<Position>(pool_.size()) - 1;
  }
  const Position at = free_;
  free_ = next(at);
  pool_[static_cast<std::size_t>(at)] = {event, kNone, kNone};
  return at;
}

}  // namespace wakeproof::models
