// The queue of condition_queue.hpp as it ships: its alias is std, and its threads are real.
#include "condition_queue.hpp"

#include <thread>
#include <vector>

#include "ci/catch2.hpp"

namespace wakeproof::std_names {

TEST_CASE("the queue on std's own names hands over every item once") {
  constexpr int kProducers = 3;
  constexpr int kItems = 2'000;
  ConditionQueue<int> queue;
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&, p] {
      for (int item = 0; item < kItems; ++item) queue.put(p * kItems + item);
    });
  }
  std::vector<int> taken(kProducers * kItems, 0);
  for (int i = 0; i < kProducers * kItems; ++i) ++taken[static_cast<std::size_t>(queue.take())];
  for (std::thread& producer : producers) producer.join();
  for (const int count : taken) REQUIRE(count == 1);
}

}  // namespace wakeproof::std_names
