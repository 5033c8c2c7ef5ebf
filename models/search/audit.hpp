// Audit: makes every small change of a subject that can be named, and asks which scenario notices.
//
// The named steps and orders come from a survey of the subject's correct scenarios. A change leaves
// out one step, exchanges two neighbours of a sequence, or weakens one order by one notch. It is
// tried on the correct scenarios, smallest size first, until a verdict other than `proved` comes.
//
//   noticed    a scenario has another verdict than `proved`
//   endless    an execution goes on far beyond the longest correct one: noticed, but by its length only
//   survived   every scenario that runs what was changed is still proved
//   excused    the same, and an Excuse says why
//   undecided  something ran out first
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/excuse.hpp"
#include "models/survey.hpp"
#include "search.hpp"

namespace wakeproof::models {

enum class Fate { noticed, endless, survived, excused, undecided };
const char* name_of(Fate fate);

struct AuditedChange {
  Mutation change;
  Fate fate = Fate::survived;
  // The search that decided; of a survivor none.
  const Scenario* scenario = nullptr;
  Bounds bounds = {};
  SearchResult result = {};
  int searches = 0;      // that ran what was changed
  std::string why = {};  // of the excuse
};

struct AuditOptions {
  std::optional<Bounds> bounds;  // none: each scenario's sizes
  bool symmetry = true;          // as in SearchKind
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::function<void(const AuditedChange&)> on_change;  // called as each is decided
};

struct AuditReport {
  std::string subject;
  std::vector<const Scenario*> scenarios;
  std::vector<AuditedChange> changes;
  std::vector<std::string> complaints;  // a scenario that is wrong unchanged, an excuse that does not apply
  std::vector<std::string> unfinished;  // a scenario of which it is not known whether it is right unchanged

  int count(Fate fate) const;
  // Nothing survived without an excuse, nothing is undecided, and no complaint.
  bool clean() const { return !wrong() && !undecided(); }
  bool wrong() const { return !complaints.empty() || count(Fate::survived) > 0; }
  bool undecided() const { return !unfinished.empty() || count(Fate::undecided) > 0; }
};

// The correct scenarios whose names are the subject's, lie below it, or match it as a glob.
std::vector<const Scenario*> correct_scenarios_of(const std::string& subject);

// Every change that can be made to what was surveyed, each once.
Mutations changes_of(const Survey& survey);

AuditReport audit(const std::string& subject, const std::vector<const Scenario*>& correct, const AuditOptions& options);

}  // namespace wakeproof::models
