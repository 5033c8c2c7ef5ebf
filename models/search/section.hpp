// Section: what a critical section does, as far as the order of two of them on one mutex may matter.
//
// A section is simple when its thread takes no other step in it than the lock and the unlock, and all
// it touches is plain data that was there before the threads began. The order of two simple sections
// matters only where one of them writes what the other touches. Every other section is in order with all.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "flaw.hpp"
#include "models/operation.hpp"
#include "models/strategy.hpp"

namespace wakeproof::models {

struct Section {
  bool simple = false;
  // Bit i: of the plain objects whose numbers are i modulo 32. Two that share a bit order more than need be.
  std::uint32_t read = 0;
  std::uint32_t written = 0;

  friend bool operator==(const Section&, const Section&) = default;
};

constexpr bool immaterial(const Section& a, const Section& b) {
  if (!a.simple || !b.simple) return false;
  return (a.written & (b.read | b.written)) == 0 && (b.written & a.read) == 0;
}

// Watches the steps of a search: which section each lock begins, and whether one may go by the data at all.
//
// [discipline]  Two sections that are not in order publish nothing to each other, so nothing else may
//               rely on it: whatever plain object two threads touch and one writes is only ever touched
//               with one certain mutex held. Otherwise a race, or who sees what, could depend on an
//               order that is not tried. One access that keeps to no such mutex puts the search in doubt.
class Sections {
 public:
  explicit Sections(Flaw flaw = Flaw::none) : flaw_(flaw) {}

  void begin_execution() {
    for (auto& held : held_) held.reset();
    inside_.fill(false);
    touched_ = {};
  }
  void begin_step(ThreadId thread, const Operation& op) {
    touched_ = {};
    MutexSet& held = held_[static_cast<std::size_t>(thread)];
    if (op.kind == OpKind::lock) held.set(op.object);
    if (op.kind == OpKind::unlock) held.reset(op.object);
    if (op.second_class != kNoObject) held.reset(op.second_class);
  }
  void access(ThreadId thread, ObjectId object, bool writes);
  void object_made_or_ended() { in_doubt_ = true; }

  // The section that the step begins, or ends; not a simple one: neither.
  Section end_step(const TakenStep& taken);

  bool in_doubt() const { return in_doubt_; }

 private:
  using MutexSet = std::bitset<kMaxObjects>;
  struct Discipline {
    unsigned threads = 0;  // bit i: thread i touches it
    bool written = false;
    MutexSet mutexes;  // held at every access so far
  };

  Flaw flaw_;
  bool in_doubt_ = false;
  std::array<Discipline, kMaxObjects> disciplines_{};  // of all executions
  std::array<MutexSet, kMaxThreads> held_{};
  std::array<bool, kMaxThreads> inside_{};  // a simple section
  Section touched_;                         // in the step under way
};

inline void Sections::access(ThreadId thread, ObjectId object, bool writes) {
  const std::uint32_t bit = 1U << object % 32U;
  if (writes) {
    touched_.written |= bit;
  } else if (flaw_ != Flaw::forgotten_reads) {
    touched_.read |= bit;
  }
  Discipline& discipline = disciplines_[object];
  const MutexSet& held = held_[static_cast<std::size_t>(thread)];
  discipline.mutexes = discipline.threads == 0 ? held : discipline.mutexes & held;
  discipline.threads |= 1U << thread;
  discipline.written |= writes;
  const bool shared = (discipline.threads & (discipline.threads - 1)) != 0;
  in_doubt_ |= shared && discipline.written && discipline.mutexes.none() && flaw_ != Flaw::no_discipline;
}

// One that touches no plain data is not simple: what it is there for cannot be told.
inline Section Sections::end_step(const TakenStep& taken) {
  bool& inside = inside_[static_cast<std::size_t>(taken.thread)];
  if (inside) {
    inside = false;
    return {true, 0, 0};
  }
  if (!taken.unlocks_next || (touched_.read | touched_.written) == 0) return {};
  inside = true;
  return {true, touched_.read, touched_.written};
}

}  // namespace wakeproof::models
