// bug_reports/silk_stop_not_rechecked/*: ClickHouse/silk pull request 152.
#include "silk_stop_not_rechecked.hpp"

#include "models/handoff.hpp"

namespace wakeproof {
namespace {

// The consumer is the processor, and another thread stops it once everything is done.
template <class Processor>
class StopWhenDone {
 public:
  using P = typename Processor::platform;

  StopWhenDone(const Bounds&, Ledger& ledger) : ledger_(ledger) {}

  void put(int, int item) { processor_.put(item); }
  void consumer() {
    typename P::thread stopper("stopper", [this] {
      all_done_.acquire();
      processor_.stop();
    });
    processor_.run([&](int item) {
      ledger_.took(item);
      if (ledger_.taken() == ledger_.expected()) all_done_.release(1U);
    });
    stopper.join();
  }
  void judge() {}
  Observation observe() const { return {processor_.peek_queued()}; }

 private:
  Ledger& ledger_;
  typename P::semaphore all_done_{0U, "all_done"};
  Processor processor_;
};

Scenario never_ends(std::string name, std::string story, models::Mutations mutations) {
  return {.name = "bug_reports/silk_stop_not_rechecked/" + std::move(name),
          .story = std::move(story),
          .expected = Verdict::deadlock,
          .mutations = std::move(mutations),
          .spare_threads = 1};
}

using models::weaken;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

const bool added[] = {
    add<StopWhenDone, ParkingProcessor>(
        {.name = "bug_reports/silk_stop_not_rechecked/correct",
         .story = "silk pull request 152, the fix: a processor that has announced its sleep looks again for everything "
                  "that may wake it, the stop as well as work.",
         .spare_threads = 1}),
    add<StopWhenDone, ParkingProcessor>(
        never_ends("stop_not_rechecked",
                   "silk pull request 152: after the announcement only work is looked for. A stop that comes before it "
                   "rings nobody, the processor parks, and whoever joins it would wait for ever.",
                   {models::skip("look_again_for_stop")})),
    add<StopWhenDone, ParkingProcessor>(
        never_ends("acquire_release",
                   "The fix of silk pull request 152 with acquire and release only: the stop and the announcement are "
                   "store buffering, and both sides miss each other.",
                   {weaken("stop", kRelease), weaken("look_for_sleeper", kAcquire), weaken("announce", kRelease),
                    weaken("look_for_stop", kAcquire)})),
    models::excuse("bug_reports/silk_stop_not_rechecked", "swap look_for_work and look_again_for_stop",
                   "both are looked for once the sleep is announced, and that is all they need"),
};

}  // namespace
}  // namespace wakeproof
