// Questions: the lines that a client of the server sends, each with the one answer that is right.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "chance.hpp"
#include "sink/coroutine_server.hpp"

namespace wakeproof::soak {

struct Question {
  std::string line;  // without its end
  std::string answer;
};

class Questions {
 public:
  static constexpr int kMost = 1'000'000'000;
  static constexpr std::size_t kMostBytes = 200;  // in one line
  static constexpr std::size_t kLineBytes = 64;   // that the server takes; longer ones are an error

  Questions(std::uint64_t round_seed, std::size_t client, std::uint64_t seed)
      : round_seed_(round_seed), first_(kFirstNumbered + static_cast<int>(client) * 100'000), chance_(seed) {}

  // Mostly a number that nobody else asks for, so that an answer to another question is noticed.
  Question next() {
    switch (chance_.between(0, 12)) {
      case 0: return {"", "error: the line is empty"};
      case 1: return {std::string(chance_.between(1, 20), 'x'), "error: not a whole number"};
      case 2: return {"1.5", "error: not a whole number"};
      case 3: return {"-" + std::to_string(chance_.between(1, 99)), "error: n must be 0 to 1000000000"};
      case 4: return {std::string(chance_.between(kLineBytes + 1, kMostBytes), '7'), "error: the line is too long"};
      case 5: {
        const int n = static_cast<int>(chance_.between(0, 20));
        return {" " + std::to_string(n) + "\r", std::to_string(fib(n))};
      }
      default: {
        const int n = first_ + asked_++;
        return {std::to_string(n), std::to_string(mixed(round_seed_, static_cast<std::uint64_t>(n)))};
      }
    }
  }

  // What comes of nothing at all is no line, so it says something.
  Question next_without_end() {
    Question question = next();
    while (question.line.empty()) question = next();
    return question;
  }

  // On the server's workers: the answers to the above, some of them late.
  static std::uint64_t compute(std::uint64_t round_seed, int n) {
    if (n < kFirstNumbered) return fib(n);
    const std::uint64_t value = mixed(round_seed, static_cast<std::uint64_t>(n));
    if (value % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(value / 4 % 1000));
    return value;
  }

 private:
  static constexpr int kFirstNumbered = 1000;

  std::uint64_t round_seed_;
  int first_;
  int asked_ = 0;
  Chance chance_;
};

}  // namespace wakeproof::soak
