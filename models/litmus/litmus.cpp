#include "litmus.hpp"

#include <algorithm>
#include <stdexcept>

#include "observe.hpp"

namespace wakeproof::models {

namespace {

// The test being asked: its world is made by the machine, and reads its final values.
const Litmus* asked = nullptr;

struct FinishedWorld : LitmusWorld {
  // Final values come behind what the last thread read.
  void finish() {
    if (asked->finish == nullptr) return;
    asked->finish(*this);
    auto& last = observed[static_cast<std::size_t>(asked->threads - 1)];
    std::copy_n(observed[kMaxThreads - 1].begin(), 2, last.end() - 2);
  }
};

LitmusOutcomes without(const LitmusOutcomes& all, const LitmusOutcomes& these) {
  LitmusOutcomes left;
  std::set_difference(all.begin(), all.end(), these.begin(), these.end(), std::inserter(left, left.end()));
  return left;
}

// As outcomes_of() writes it, without what separates the threads.
std::string plain_name(std::string name) {
  std::erase(name, ',');
  return name.substr(std::min(name.find_first_not_of(' '), name.size()));
}

}  // namespace

const std::vector<OutOfReach> kOutOfReach = {
    {"tagged sink with a put-CAS that is only release",
     "GenMC (RC11): loses a wakeup from 1x2 and 2x1 on: the second producer's set may come before the consumer's "
     "clear"},
    {"flag sink with two seq_cst fences over relaxed accesses",
     "GenMC (RC11): right at 1x1, loses a wakeup from 1x2 on, until the flag's accesses are seq_cst too"},
};

LitmusAnswer ask(const Litmus& litmus) {
  asked = &litmus;
  const SmallScript<FinishedWorld>::Body body = [&](FinishedWorld& world, int t) { litmus.thread(world, t); };
  const Outcomes outcomes = outcomes_of<FinishedWorld>(litmus.threads, body, Dpor::Reduction::optimal);
  if (!outcomes.nondeterminism.empty()) throw std::runtime_error(outcomes.nondeterminism);
  LitmusAnswer answer{litmus, {}, {}, {}};
  for (const auto& [name, count] : outcomes.counts) answer.shown.insert(plain_name(name));
  answer.not_shown = without(litmus.allowed, answer.shown);
  answer.not_allowed = without(answer.shown, litmus.allowed);
  return answer;
}

std::vector<LitmusAnswer> ask_all_litmus() {
  std::vector<LitmusAnswer> answers;
  for (const auto& tests : {litmus_of_memory(), litmus_of_waiting()}) {
    for (const Litmus& litmus : tests) answers.push_back(ask(litmus));
  }
  return answers;
}

}  // namespace wakeproof::models
