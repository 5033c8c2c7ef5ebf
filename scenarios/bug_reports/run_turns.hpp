// RunTurns: the script of a bug report's loop, which takes turns until it has every item.
//
// A subject has put(producer, item), called on that producer's thread; turn(took), one turn of the loop, which
// may sleep and calls took(item) for what it found; and peek_queued().
#pragma once

#include <concepts>

#include "models/handoff.hpp"

namespace wakeproof {

template <class Subject>
class RunTurns {
 public:
  RunTurns(const Bounds& bounds, Ledger& ledger) : ledger_(ledger), subject_(made_for(bounds)) {}

  void put(int producer, int item) { subject_.put(producer, item); }
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) {
      subject_.turn([&](int item) { ledger_.took(item); });
    }
  }
  void judge() {}
  Observation observe() const { return {subject_.peek_queued()}; }

 private:
  static Subject made_for(const Bounds& bounds) {
    if constexpr (std::constructible_from<Subject, int>) {
      return Subject(bounds.producers);
    } else {
      return Subject();
    }
  }

  Ledger& ledger_;
  Subject subject_;
};

// Where the first put always wakes the loop: it takes two for one to find a wake that is none.
inline const std::vector<Bounds> kSecondPut{{1, 2}, {2, 1}};

}  // namespace wakeproof
