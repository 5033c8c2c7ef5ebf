// Survey: the named steps and named orders that the executions of a search ran, each noted once.
//
// A machine that is given one fills it in; without one nothing is noted. What can be named can be
// mutated: search/audit makes its mutants of a survey.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace wakeproof::models {

// What an order is used for, which is what decides the next weaker one that means something.
enum class OrderUse { load, store, modify, fence };

struct NamedOrder {
  std::string purpose;
  std::memory_order order;
  OrderUse use;

  friend bool operator==(const NamedOrder&, const NamedOrder&) = default;
};

struct Survey {
  using Sequence = std::vector<std::string>;

  std::vector<Sequence> sequences;  // of named steps, as the algorithm gives them
  std::vector<NamedOrder> orders;

  void note(const Sequence& sequence) { note_once(sequences, sequence); }
  void note(const NamedOrder& order) { note_once(orders, order); }
  void note(const Survey& other) {
    for (const Sequence& sequence : other.sequences) note(sequence);
    for (const NamedOrder& order : other.orders) note(order);
  }

 private:
  template <class T>
  static void note_once(std::vector<T>& known, const T& seen) {
    for (const T& one : known) {
      if (one == seen) return;
    }
    known.push_back(seen);
  }
};

}  // namespace wakeproof::models
