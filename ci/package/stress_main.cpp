// main() of a stress program: the script of every linked scenario that is to be proved, on real threads.
//
// Exit status 0: each ended as it should, 10: one did not, 1: there was none to run. A data race is
// ThreadSanitizer's to report, a hang CTest's.
#include <cstdio>
#include <thread>
#include <vector>

#include "models/scenario.hpp"

namespace {

using namespace wakeproof::models;

constexpr int kRounds = 20;
constexpr Bounds kSizes[] = {{1, 1}, {1, 100}, {2, 1}, {2, 50}, {3, 30}};

bool survives(const Scenario& scenario, const Bounds& bounds) {
  const auto script = scenario.on_threads(bounds);
  std::vector<std::thread> threads;
  for (int i = 0; i <= bounds.producers; ++i) threads.emplace_back([&, i] { script->thread(i); });
  for (std::thread& thread : threads) thread.join();
  const Finding finding = script->judge();
  if (!finding) return true;
  std::printf("%s at %s on real threads: %s\n", scenario.name.c_str(), size_of(bounds).c_str(), finding.detail.c_str());
  return false;
}

}  // namespace

int main() {
  int ran = 0;
  for (const Scenario& scenario : catalogue()) {
    // A mutant that is data over the correct subject's steps is that subject, on threads.
    if (scenario.expected != Verdict::proved || !scenario.mutations.empty() || !scenario.on_threads) continue;
    ++ran;
    for (const Bounds& bounds : kSizes) {
      for (int round = 0; round < kRounds; ++round) {
        if (!survives(scenario, bounds)) return 10;
      }
    }
  }
  std::printf("%d scripts ran on real threads\n", ran);
  return ran > 0 ? 0 : 1;
}
