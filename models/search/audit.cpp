#include "audit.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace wakeproof::models {

namespace {

// An execution this many times as long as the longest correct one is taken to have no end.
constexpr int kEndless = 10;
constexpr int kLeastSteps = 200;

struct Question {
  const Scenario* scenario;
  Bounds bounds;
  int endless_steps = kMaxSteps;
};

// Smallest first, so that what notices is the smallest there is.
std::vector<Question> questions_of(const std::vector<const Scenario*>& correct, const AuditOptions& options) {
  std::vector<Question> questions;
  for (const Scenario* scenario : correct) {
    const auto& asked = options.bounds;
    for (const Bounds& size : asked ? std::vector{scenario->size(asked->producers, asked->items)} : scenario->sizes) {
      questions.push_back({scenario, size});
    }
  }
  const auto key = [](const Question& question) {
    const Bounds& bounds = question.bounds;
    return std::tuple(bounds.producers * bounds.items, bounds.producers, std::string_view(question.scenario->name));
  };
  std::sort(questions.begin(), questions.end(), [&](const Question& a, const Question& b) { return key(a) < key(b); });
  return questions;
}

// The orders one notch weaker that mean something to such an operation. A purpose with two uses gets the
// changes of both; where one means nothing to the other use, that stays sequentially consistent.
std::vector<std::memory_order> weaker(const NamedOrder& named) {
  switch (named.order) {
    case std::memory_order_seq_cst:
      if (named.use == OrderUse::load) return {std::memory_order_acquire};
      if (named.use == OrderUse::store) return {std::memory_order_release};
      return {std::memory_order_acq_rel};
    case std::memory_order_acq_rel: return {std::memory_order_acquire, std::memory_order_release};
    case std::memory_order_acquire:
    case std::memory_order_release: return {std::memory_order_relaxed};
    default: return {};
  }
}

Survey survey_of(std::vector<Question>& questions, const AuditOptions& options, AuditReport& report) {
  Survey survey;
  for (Question& question : questions) {
    SearchOptions search_options;
    search_options.kind.symmetry = options.symmetry;
    search_options.deadline = options.deadline;
    search_options.survey = &survey;
    const SearchResult result = search(*question.scenario, question.bounds, search_options);
    question.endless_steps = std::max(kLeastSteps, kEndless * result.steps_max);
    if (result.verdict == Verdict::proved) continue;
    const std::string name = question.scenario->name + " at " + size_of(question.bounds);
    if (result.verdict == Verdict::inconclusive) {
      report.unfinished.push_back(name + " is not known to be right as it stands: " + result.detail);
    } else {
      report.complaints.push_back(name + " is wrong as it stands: " + std::string(name_of(result.verdict)) + ", " +
                                  result.detail);
    }
  }
  return survey;
}

void excuse_if_known(AuditedChange& change, const std::string& subject) {
  if (change.fate != Fate::survived) return;
  for (const Excuse& excuse : excuses()) {
    if (excuse.subject != subject || excuse.change != describe(change.change)) continue;
    change.fate = Fate::excused;
    change.why = excuse.why;
  }
}

AuditedChange decide(const Mutation& mutation, const std::vector<Question>& questions, const AuditOptions& options) {
  AuditedChange change{.change = mutation};
  for (const Question& question : questions) {
    Scenario changed = *question.scenario;
    changed.mutations = {mutation};
    SearchOptions search_options;
    search_options.kind.symmetry = options.symmetry;
    search_options.deadline = options.deadline;
    search_options.max_steps = question.endless_steps;
    SearchResult result = search(changed, question.bounds, search_options);
    if (!result.mutated() && result.findings == decltype(result.findings){}) continue;  // does not run it
    ++change.searches;
    if (result.verdict == Verdict::proved) continue;
    const bool endless = result.verdict == Verdict::inconclusive && result.steps_max >= question.endless_steps;
    change.fate = result.verdict != Verdict::inconclusive ? Fate::noticed : endless ? Fate::endless : Fate::undecided;
    change.scenario = question.scenario;
    change.bounds = question.bounds;
    change.result = std::move(result);
    if (change.fate != Fate::undecided) break;  // a larger size, or another scenario, may decide
  }
  return change;
}

// An excuse that is not needed any more hides the next fault of that name.
void complain_of_stale_excuses(AuditReport& report) {
  for (const Excuse& excuse : excuses()) {
    if (excuse.subject != report.subject) continue;
    const auto same = [&](const AuditedChange& change) { return describe(change.change) == excuse.change; };
    const auto found = std::find_if(report.changes.begin(), report.changes.end(), same);
    const std::string name = "the excuse for '" + excuse.change + "' of " + excuse.subject;
    if (found == report.changes.end()) {
      report.complaints.push_back(name + " excuses nothing: there is no such change");
    } else if (found->fate == Fate::noticed || found->fate == Fate::endless) {
      report.complaints.push_back(name + " is not needed: " + found->scenario->name + " notices it at " +
                                  size_of(found->bounds));
    }
  }
}

}  // namespace

const char* name_of(Fate fate) {
  switch (fate) {
    case Fate::noticed: return "noticed";
    case Fate::endless: return "endless";
    case Fate::survived: return "survived";
    case Fate::excused: return "excused";
    case Fate::undecided: return "undecided";
  }
  return "?";
}

int AuditReport::count(Fate fate) const {
  return static_cast<int>(
      std::count_if(changes.begin(), changes.end(), [&](const AuditedChange& change) { return change.fate == fate; }));
}

std::vector<const Scenario*> correct_scenarios_of(const std::string& subject) {
  std::vector<const Scenario*> correct;
  for (const Scenario& scenario : catalogue()) {
    const bool meant = scenario.name == subject || scenario.name.starts_with(subject + "/") ||
                       fnmatch(subject.c_str(), scenario.name.c_str(), 0) == 0;
    if (meant && scenario.mutations.empty() && scenario.expected == Verdict::proved) correct.push_back(&scenario);
  }
  std::sort(correct.begin(), correct.end(), [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  return correct;
}

Mutations changes_of(const Survey& survey) {
  Mutations changes;
  const auto add = [&](const Mutation& change) {
    const auto same = [&](const Mutation& known) { return describe(known) == describe(change); };
    if (std::none_of(changes.begin(), changes.end(), same)) changes.push_back(change);
  };
  for (const Survey::Sequence& sequence : survey.sequences) {
    for (const std::string& step : sequence) add(skip(step));
    for (std::size_t i = 1; i < sequence.size(); ++i) add(swap(sequence[i - 1], sequence[i]));
  }
  for (const NamedOrder& named : survey.orders) {
    for (const std::memory_order order : weaker(named)) add(weaken(named.purpose, order));
  }
  return changes;
}

AuditReport audit(const std::string& subject, const std::vector<const Scenario*>& correct,
                  const AuditOptions& options) {
  AuditReport report{.subject = subject, .scenarios = correct, .changes = {}, .complaints = {}, .unfinished = {}};
  std::vector<Question> questions = questions_of(correct, options);
  const Survey survey = survey_of(questions, options, report);
  if (!report.clean()) return report;  // nothing to compare with
  for (const Mutation& mutation : changes_of(survey)) {
    AuditedChange change = decide(mutation, questions, options);
    excuse_if_known(change, subject);
    if (options.on_change) options.on_change(change);
    report.changes.push_back(std::move(change));
  }
  complain_of_stale_excuses(report);
  return report;
}

}  // namespace wakeproof::models
