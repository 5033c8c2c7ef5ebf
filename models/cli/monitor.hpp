// Monitor: tells on standard error how far a search is.
//
// On a terminal one line that is written over a few times a second and goes with the search. Elsewhere
// a plain line now and then. How much is left is estimated once a search has taken a second.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "estimator.hpp"

namespace wakeproof::models::cli {

class Monitor {
 public:
  // `plain_s`: between plain lines; 0: tells nothing.
  Monitor(const std::vector<Question>& questions, const SearchKind& kind, double plain_s);

  // `before`: what earlier runs of this search have looked at.
  void begins(std::size_t question, std::uint64_t before);
  void looks(const SearchResult& so_far);
  // Before anything else is printed.
  void ends();

 private:
  using WallClock = std::chrono::steady_clock;

  std::string text(const SearchResult& so_far, double elapsed_s) const;

  const std::vector<Question>& questions_;
  const double plain_s_;
  const bool terminal_;
  std::unique_ptr<Estimator> estimator_;
  std::size_t question_ = 0;
  std::uint64_t before_ = 0;
  WallClock::time_point begin_;
  WallClock::time_point last_plain_;
  bool asked_ = false;
  bool shown_ = false;
  std::optional<Size> size_;
};

}  // namespace wakeproof::models::cli
