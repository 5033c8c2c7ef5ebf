// Figures: what the rounds of a subject came to, and the table of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace wakeproof::soak {

struct Figures {
  std::size_t given = 0;  // items, posts, lines: accepted
  std::size_t taken = 0;  // taken, run, answered
  std::size_t wakes = 0;
  std::size_t left = 0;     // given and not taken: by a consumer that went, a loop that closed, a client that vanished
  std::size_t refused = 0;  // by what was closed
  std::size_t closes = 0;
  std::uint64_t checksum = 0;  // of all that was given; a round whose books disagree adds none, it fails

  Figures& operator+=(const Figures& other) {
    given += other.given;
    taken += other.taken;
    wakes += other.wakes;
    left += other.left;
    refused += other.refused;
    closes += other.closes;
    checksum += other.checksum;
    return *this;
  }
};

inline void print_heading() {
  std::printf("%-8s %8s %12s %12s %12s %10s %10s %8s  %s\n", "subject", "rounds", "given", "taken", "wakes", "left",
              "refused", "closes", "checksums agree");
}

inline void print_row(const char* subject, std::size_t rounds, const Figures& figures) {
  std::printf("%-8s %8zu %12zu %12zu %12zu %10zu %10zu %8zu  yes, %016llx\n", subject, rounds, figures.given,
              figures.taken, figures.wakes, figures.left, figures.refused, figures.closes,
              static_cast<unsigned long long>(figures.checksum));
}

}  // namespace wakeproof::soak
