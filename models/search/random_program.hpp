// RandomProgram: a few operations a thread on two atomics, a mutex and an event, for tests of a search.
#pragma once

#include <array>
#include <chrono>
#include <random>

#include "models/model_platform.hpp"

namespace wakeproof::models {

struct Things {
  using P = ModelPlatform;
  P::atomic<int> words[2] = {P::atomic<int>(0, "x"), P::atomic<int>(0, "y")};
  P::mutex lock{"lock"};
  P::event event{"event"};
};

struct Instruction {
  int what, word, order;
};

enum Vocabulary { kLoadsAndExchanges = 2, kAtomics = 4, kEverything = 10 };

struct RandomProgram {
  using P = ModelPlatform;

  int threads, length;
  std::array<std::array<Instruction, 3>, 5> code{};

  RandomProgram(unsigned seed, int most_threads, Vocabulary vocabulary) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    threads = 2 + below(most_threads - 1);
    length = threads == 2 ? 3 : 2;
    for (auto& line : code) {
      for (auto& instruction : line) instruction = {below(vocabulary), below(2), below(3)};
    }
  }

  // Each operation may depend on what the thread read last.
  void run(Things& s, int thread) const {
    int last = 0;
    for (int i = 0; i < length; ++i) {
      perform(s, code[static_cast<std::size_t>(thread)][static_cast<std::size_t>(i)], thread * 4 + i + 1, last);
    }
  }

  static void perform(Things& s, const Instruction& instruction, int value, int& last) {
    constexpr std::memory_order kLoads[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                            std::memory_order_seq_cst};
    constexpr std::memory_order kStores[] = {std::memory_order_relaxed, std::memory_order_release,
                                             std::memory_order_seq_cst};
    P::atomic<int>& word = s.words[instruction.word];
    int expected = last;
    switch (instruction.what) {
      case 0: last = word.load(kLoads[instruction.order]); return;
      case 1:
        word.compare_exchange_strong(expected, value, std::memory_order_acq_rel, std::memory_order_relaxed);
        last = expected;
        return;
      case 2: return word.store(value, kStores[instruction.order]);
      case 3: last = word.exchange(value, std::memory_order_acq_rel); return;
      case 4: {
        const P::lock_guard guard(s.lock);
        return word.store(value, std::memory_order_relaxed);
      }
      case 5: return P::fence(std::memory_order_seq_cst);
      case 6: return s.event.set();
      case 7: s.event.wait_until(P::clock::now() + std::chrono::milliseconds(1)); return;
      case 8: return s.event.clear();
      case 9: word.compare_exchange_weak(expected, value, std::memory_order_acq_rel, std::memory_order_relaxed); return;
      default: return;
    }
  }
};

}  // namespace wakeproof::models
