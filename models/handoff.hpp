// The one header that a scenario includes: the platforms, the ledger and how to add to the catalogue.
#pragma once

#include "excuse.hpp"
#include "held/held_platform.hpp"
#include "model_platform.hpp"
#include "scenario.hpp"
#include "sink/thread_platform.hpp"

namespace wakeproof {

using models::Bounds;
using models::Ledger;
using models::Observation;
using models::Scenario;
using models::Verdict;

// Adds a scenario for `producers` putting threads and one consumer. HandOff<Subject<P>> has
//   HandOff(const Bounds&, Ledger&)
//   void put(int producer, int item)   runs on each producer's thread, `items` times
//   void consumer()                    takes Ledger::expected() items, tells each to Ledger::took()
//   void judge()                       when all have finished: whatever else must hold
//   Observation observe() const        if it likes: what a trace shows of the queue and the wake; no step
// and names no platform: it runs on the model, and as a stress test on real threads. Where producers are
// interchangeable, say so: models::kProducersInterchangeable.
template <template <class> class HandOff, template <class> class Subject>
bool add(Scenario scenario) {
  return models::add_over<HandOff, Subject, ModelPlatform, ThreadPlatform, HeldPlatform>(std::move(scenario));
}

}  // namespace wakeproof
