// The scripts of the correct subjects on real threads: the same source that the model checks.
#include <thread>

#include "ci/catch2.hpp"
#include "models/scenario.hpp"

namespace wakeproof::models {

TEST_CASE("every correct subject survives its own script on real threads") {
  int ran = 0;
  for (const Scenario& scenario : catalogue()) {
    // A mutant that is data over the steps of the correct subject is that subject, on threads.
    if (scenario.expected != Verdict::proved || !scenario.mutations.empty() || !scenario.on_threads) continue;
    ++ran;
    for (const Bounds& bounds :
         {Bounds{1, 200}, Bounds{2, 100}, Bounds{3, 60}, Bounds{1, 1}, Bounds{2, 1}, Bounds{2, 50, 1}}) {
      for (int round = 0; round < 20; ++round) {
        const auto script = scenario.on_threads(bounds);
        std::vector<std::thread> threads;
        for (int i = 0; i <= bounds.producers; ++i) threads.emplace_back([&, i] { script->thread(i); });
        for (std::thread& thread : threads) thread.join();
        const Finding finding = script->judge();
        INFO(scenario.name << " at " << size_of(bounds) << ": " << finding.detail);
        REQUIRE(finding.verdict == Verdict::proved);
      }
    }
  }
  CHECK(ran >= 53);  // as many in every build: none is left out under a sanitizer
}

}  // namespace wakeproof::models
