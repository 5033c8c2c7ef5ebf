// slot_sink/*: what sequential consistency is needed for.
#include "slot_sink.hpp"

#include "models/handoff.hpp"

namespace wakeproof {
namespace {

template <class Sink>
class TakeSlots {
 public:
  TakeSlots(const Bounds& bounds, Ledger& ledger) : ledger_(ledger), sink_(bounds.producers, bounds.items) {}

  void put(int producer, int item) { sink_.put(producer, item + 1); }  // 0 is an empty slot
  void consumer() {
    while (ledger_.taken() < ledger_.expected()) {
      sink_.get_batch([&](int slot) { ledger_.took(slot - 1); });
    }
  }
  void judge() {}
  Observation observe() const { return {sink_.peek_queued()}; }

 private:
  Ledger& ledger_;
  Sink sink_;
};

Scenario loses_wakeup(std::string name, std::string story, models::Mutations mutations,
                      std::vector<Bounds> fails_from = {}) {
  return {.name = "slot_sink/" + std::move(name),
          .story = std::move(story),
          .expected = Verdict::lost_wakeup,
          .fails_from = std::move(fails_from),
          .mutations = std::move(mutations)};
}

using models::weaken;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

// The flag starts lowered, so the first put to find it raised is the second one.
const std::vector<Bounds> kSecondPut{{1, 2}, {2, 1}};

const bool added[] = {
    add<TakeSlots, SlotSink>({.name = "slot_sink/correct",
                              .story = "Slots and flag are sequentially consistent: one side always sees the other."}),
    add<TakeSlots, SlotSink>(loses_wakeup("flag_acquire_release",
                                          "Acquire and release only: store buffering, both sides miss each other.",
                                          {weaken("publish", kRelease), weaken("look_for_sleeper", kAcquire),
                                           weaken("lower_flag", kRelease), weaken("look_for_item", kAcquire)})),
    add<TakeSlots, SlotSink>(
        loses_wakeup("publish_release", "The slot is written with release only.", {weaken("publish", kRelease)})),
    add<TakeSlots, SlotSink>(loses_wakeup("look_for_sleeper_acquire", "The producer reads the flag with acquire only.",
                                          {weaken("look_for_sleeper", kAcquire)}, kSecondPut)),
    add<TakeSlots, SlotSink>(loses_wakeup("lower_flag_release", "The consumer lowers the flag with release only.",
                                          {weaken("lower_flag", kRelease)}, kSecondPut)),
    add<TakeSlots, SlotSink>(loses_wakeup("look_for_item_acquire", "The consumer reads the slots with acquire only.",
                                          {weaken("look_for_item", kAcquire)})),
    add<TakeSlots, SlotSink>(loses_wakeup("missing_second_drain",
                                          "The consumer sleeps after arming without looking again.",
                                          {models::skip("second_drain")})),
    add<TakeSlots, SlotSink>(loses_wakeup("check_flag_before_append",
                                          "The producer looks at the flag before it appends.",
                                          {models::swap("append", "notify")})),
    models::excuse("slot_sink", "skip drain",
                   "the second drain takes whatever the first would have; the first saves the arming, and with it a "
                   "ring, while there is something to take"),
    models::excuse(
        "slot_sink", "swap drain and clear_event",
        "a ring that is cleared too early announced an item that the second drain takes at the latest (P6b)"),
    models::excuse("slot_sink", "skip claim_wake",
                   "every put that finds the flag lowered rings then, and setting an event twice is setting it once; "
                   "the claim saves the rings"),
};

}  // namespace
}  // namespace wakeproof
