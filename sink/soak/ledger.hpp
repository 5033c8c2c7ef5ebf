// The books of a round: what was given, what came out at the other end, and whether they agree.
//
//   Given   one giver's: numbers its items 0, 1, 2, ... and adds up the checksums of those that were accepted
//   Taken   the taker's: every giver's items must come in that order, none twice, none missing
//   settle  throws Unaccounted where the two do not agree
//
// Plain data on purpose: what orders a give before its take is the hand-off under test, and nothing here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "chance.hpp"

namespace wakeproof::soak {

// Something is missing, was there twice, or came out of order: what, in one line.
struct Unaccounted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool accounted, const std::string& otherwise) {
  if (!accounted) throw Unaccounted(otherwise);
}

inline std::string out_of(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

// The checksum is on the heap, so that the sanitizers see an item that is touched after it went.
struct Item {
  std::size_t giver;
  std::size_t number;
  std::unique_ptr<std::uint64_t> checksum;
};

class Given {
 public:
  Given(std::uint64_t round_seed, std::size_t giver) : seed_(round_seed), giver_(giver) {}

  // The next one. Made again, with the same number, until one was accepted.
  Item next() const { return {giver_, accepted_, std::make_unique<std::uint64_t>(checksum_of(accepted_))}; }
  void accepted() { sum_ += checksum_of(accepted_++); }

  std::uint64_t checksum_of(std::size_t number) const { return mixed(mixed(seed_, giver_), number); }
  std::size_t count() const { return accepted_; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t seed_;
  std::size_t giver_;
  std::size_t accepted_ = 0;
  std::uint64_t sum_ = 0;
};

class Taken {
 public:
  explicit Taken(std::size_t givers) : next_(givers, 0) {}

  void take(std::size_t giver, std::size_t number, std::uint64_t checksum) {
    if (giver >= next_.size()) return complain("an item of nobody's: giver " + std::to_string(giver));
    if (number != next_[giver]) {
      complain("giver " + std::to_string(giver) + ": item " + std::to_string(number) + " came where " +
               std::to_string(next_[giver]) + " was due");
    }
    next_[giver] = number + 1;
    sum_ += checksum;
    ++count_;
  }
  void take(const Item& item) { take(item.giver, item.number, *item.checksum); }

  // The first is kept: those after it are mostly its consequences.
  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  }

  std::size_t count() const { return count_; }
  std::size_t count_of(std::size_t giver) const { return next_[giver]; }
  std::uint64_t sum() const { return sum_; }
  const std::string& complaint() const { return complaint_; }

 private:
  std::vector<std::size_t> next_;
  std::size_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::string complaint_;
};

inline void settle(const std::vector<Given>& givers, const Taken& taken) {
  require(taken.complaint().empty(), taken.complaint());
  std::uint64_t sum = 0;
  for (std::size_t giver = 0; giver < givers.size(); ++giver) {
    require(taken.count_of(giver) == givers[giver].count(),
            "giver " + std::to_string(giver) + ": taken " + out_of(taken.count_of(giver), givers[giver].count()));
    sum += givers[giver].sum();
  }
  require(taken.sum() == sum, "the checksums do not agree");
}

}  // namespace wakeproof::soak
