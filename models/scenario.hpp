// Scenario: one question about one subject, with the answer it must get. And where they are kept.
#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "ledger.hpp"
#include "mutation.hpp"
#include "script.hpp"
#include "verdict.hpp"

namespace wakeproof::models {

// Whether a script's producers are the same but for the numbers of their items, and its consumer treats
// them alike: exchanging two of them in an execution gives an execution with the same verdict. A search
// then tries only one of the two. Said of each script by name and not inherited, for one that is
// derived from another may have an errand for its first producer.
template <template <class> class HandOff>
inline constexpr bool kProducersInterchangeable = false;

struct Scenario {
  std::string name;   // subject/what_is_wrong
  std::string story;  // one or two sentences for somebody who meets it in a list
  Verdict expected = Verdict::proved;
  // The smallest sizes at which `expected` shows; below all of them, `proved` is expected. Empty: 1x1.
  std::vector<Bounds> fails_from = {};
  Mutations mutations = {};  // of the subject; empty where the script's subject is wrong by itself
  std::vector<Bounds> sizes = {{1, 1}, {1, 2}, {2, 1}};  // searched unless others are asked for
  std::vector<Bounds> larger_sizes = {};                 // searched by `run` too; what repeats searches leaves them out
  bool producers_interchangeable = false;                // see kProducersInterchangeable
  int spare_threads = 0;                                 // that the script starts through Platform::thread, at most
  int ticks = 0;                                         // of the free clock, at every size; see Bounds
  std::vector<std::string> tags = {};                    // for `--tag`, beside those of all_tags()
  std::source_location where = std::source_location::current();  // it is written down, for a report without steps

  // Filled in by add(). Where a sanitizer is on there is no model: WAKEPROOF_WITHOUT_MODEL.
  std::function<std::unique_ptr<Script>(const Bounds&)> on_model = nullptr;
  std::function<std::unique_ptr<Script>(const Bounds&)> on_threads = nullptr;
  std::function<std::unique_ptr<Script>(const Bounds&)> on_held_threads = nullptr;  // mutated; see held/

  Verdict expected_at(const Bounds& bounds) const;
  // `tags`, the name of the expected verdict, `weak_memory` where a mutation weakens an order, and `free_clock`.
  std::vector<std::string> all_tags() const;
  std::vector<std::string> thread_names(const Bounds& bounds) const;
  // So many producers and items of each, the rest as usual for this scenario.
  Bounds size(int producers, int items) const { return {producers, items, Bounds{}.max_items, ticks}; }
  // Empty: they can be run. Otherwise what is wrong with them and what would be right.
  std::string reject(const Bounds& bounds) const;
};

// A hand-off's script, `producers` threads and one consumer, as the machine sees it.
template <class HandOff>
class HandOffScript final : public Script {
 public:
  HandOffScript(const Bounds& bounds, Ledger::Kind kind)
      : ledger_(bounds, kind),
        hand_off_(bounds, ledger_),
        bounds_(bounds),
        put_under_way_(static_cast<std::size_t>(bounds.producers), -1) {}

  void thread(int index) override {
    if (index == bounds_.producers) return hand_off_.consumer();
    for (int number = 0; number < bounds_.items; ++number) {
      put_under_way_[static_cast<std::size_t>(index)] = number;
      ledger_.putting();
      hand_off_.put(index, Ledger::item(index, number));
      ledger_.has_put();
    }
    put_under_way_[static_cast<std::size_t>(index)] = -1;
  }
  Finding judge() override {
    hand_off_.judge();
    return ledger_.verdict();
  }
  Account account() const override { return ledger_.account(); }
  // HandOff::observe(), where there is one; otherwise what the ledger knows.
  Observation observe() const override {
    if constexpr (requires { hand_off_.observe(); }) {
      return hand_off_.observe();
    } else {
      return Script::observe();
    }
  }
  std::optional<std::chrono::nanoseconds> due() const override { return ledger_.due(); }
  bool has_finding() const override { return ledger_.has_finding(); }
  int put_under_way(int thread) const override {
    return thread < bounds_.producers ? put_under_way_[static_cast<std::size_t>(thread)] : -1;
  }

 private:
  Ledger ledger_;
  HandOff hand_off_;
  Bounds bounds_;
  std::vector<int> put_under_way_;  // by producer; each one's own
};

// The catalogue of this program. Filled before main() by the objects that are linked in.
std::vector<Scenario>& catalogue();
const Scenario* scenario_named(const std::string& name);

// Adds a scenario whose script is HandOff<Subject<Platform>>, for the model, for real threads, and for
// real threads that are held to a schedule, where nothing runs between two of a thread's steps either.
template <template <class> class HandOff, template <class> class Subject, class Model, class Threads, class Held>
bool add_over(Scenario scenario) {
#ifndef WAKEPROOF_WITHOUT_MODEL
  scenario.on_model = [](const Bounds& bounds) -> std::unique_ptr<Script> {
    return std::make_unique<HandOffScript<HandOff<Subject<Model>>>>(bounds, Ledger::Kind::model);
  };
#endif
  scenario.on_threads = [](const Bounds& bounds) -> std::unique_ptr<Script> {
    return std::make_unique<HandOffScript<HandOff<Subject<Threads>>>>(bounds, Ledger::Kind::threads);
  };
  for (auto* sizes : {&scenario.sizes, &scenario.larger_sizes, &scenario.fails_from}) {
    for (Bounds& size : *sizes) size.ticks = scenario.ticks;
  }
  scenario.producers_interchangeable |= kProducersInterchangeable<HandOff>;
  scenario.on_held_threads = [](const Bounds& bounds) -> std::unique_ptr<Script> {
    return std::make_unique<HandOffScript<HandOff<Subject<Held>>>>(bounds, Ledger::Kind::model);
  };
  catalogue().push_back(std::move(scenario));
  return true;
}

}  // namespace wakeproof::models
