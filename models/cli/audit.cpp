// wakeproof audit
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cli.hpp"
#include "models/report/audit.hpp"
#include "output.hpp"

namespace wakeproof::models::cli {

namespace {

using Clock = std::chrono::steady_clock;

class AuditTable {
 public:
  AuditTable(std::FILE* out, const std::vector<const Scenario*>& correct) : out_(out) {
    for (const Scenario* scenario : correct) widest_ = std::max(widest_, scenario->name.size());
  }

  void head(const std::string& subject, std::size_t scenarios) {
    fmt::print(out_,
               "audit of {}: every named step left out, every two neighbours exchanged, every order\n"
               "weakened by one notch; {} correct scenario{}, smallest size first\n\n",
               subject, scenarios, scenarios == 1 ? "" : "s");
    fmt::print(out_, "{:{}}  {:{}}  {:5} {:14} {:>10}\n", "change", kChange, "noticed by", widest_, "size", "verdict",
               "executions");
    std::fflush(out_);
  }

  void row(const AuditedChange& change) {
    fmt::print(out_, "{:{}}  ", describe(change.change), kChange);
    if (change.scenario == nullptr) {
      fmt::print(out_, "{}\n", change.fate == Fate::excused ? "nobody, excused" : "NOBODY: IT SURVIVES");
    } else {
      fmt::print(out_, "{:{}}  {:5} {:14} {:>10}\n", change.scenario->name, widest_, size_of(change.bounds),
                 name_of(change.result.verdict), change.result.executions());
    }
    if (change.fate == Fate::excused) remark(change.why);
    if (change.fate == Fate::endless || change.fate == Fate::undecided) {
      remark(fmt::format("{}: {}", name_of(change.fate), change.result.detail));
    }
    std::fflush(out_);
  }

  void summary(const AuditReport& report, double wall_s) {
    fmt::print(out_, "\n{} changes in {:.1f} s: {} noticed", report.changes.size(), wall_s,
               report.count(Fate::noticed));
    for (const Fate fate : {Fate::endless, Fate::excused, Fate::undecided}) {
      if (report.count(fate) > 0) fmt::print(out_, ", {} {}", report.count(fate), name_of(fate));
    }
    fmt::print(out_, ", {} SURVIVED\n", report.count(Fate::survived));
    for (const std::string& complaint : report.complaints) fmt::print(out_, "WRONG: {}\n", complaint);
    for (const std::string& unfinished : report.unfinished) fmt::print(out_, "UNDECIDED: {}\n", unfinished);
    std::fflush(out_);
  }

 private:
  void remark(std::string text) {
    while (text.size() > kRemark) {
      const std::size_t space = text.rfind(' ', kRemark);
      if (space == std::string::npos) break;
      fmt::print(out_, "    {}\n", text.substr(0, space));
      text.erase(0, space + 1);
    }
    fmt::print(out_, "    {}\n", text);
  }

  static constexpr int kChange = 34;
  static constexpr std::size_t kRemark = 90;
  std::FILE* out_;
  std::size_t widest_ = 10;
};

// Checked before the first search begins.
std::vector<const Scenario*> scenarios_for(const std::string& subject, const std::optional<Bounds>& bounds) {
  auto correct = correct_scenarios_of(subject);
  if (correct.empty()) {
    throw UsageError(fmt::format("no correct scenario belongs to '{}'; wakeproof list shows all scenarios", subject));
  }
  for (const Scenario* scenario : correct) {
    const std::string wrong = bounds ? scenario->reject(*bounds) : "";
    if (!wrong.empty()) throw UsageError(wrong);
  }
  return correct;
}

int status_of(const std::vector<AuditReport>& reports) {
  int status = kAsExpected;
  for (const AuditReport& report : reports) {
    if (report.wrong()) return kUnexpectedVerdict;
    if (report.undecided()) status = kInconclusive;
  }
  return status;
}

}  // namespace

int audit(const AuditCommandOptions& options) {
  const auto begin = Clock::now();
  AuditOptions audit_options;
  audit_options.symmetry = options.symmetry;
  if (options.producers || options.items) {
    audit_options.bounds = Bounds{options.producers.value_or(1), options.items.value_or(1)};
  }
  if (options.budget_s > 0) {
    audit_options.deadline =
        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.budget_s));
  }
  for (const std::string& subject : options.subjects) scenarios_for(subject, audit_options.bounds);
  std::optional<OutputFile> file;
  if (!options.json.empty() && options.json != "-") file.emplace(options.json);

  std::vector<AuditReport> reports;
  for (const std::string& subject : options.subjects) {
    const auto subject_begin = Clock::now();
    const auto correct = scenarios_for(subject, audit_options.bounds);
    AuditTable table(options.json == "-" ? stderr : stdout, correct);
    table.head(subject, correct.size());
    audit_options.on_change = [&](const AuditedChange& change) { table.row(change); };
    reports.push_back(models::audit(subject, correct, audit_options));
    table.summary(reports.back(), std::chrono::duration<double>(Clock::now() - subject_begin).count());
  }
  const std::string json = audits_as_json(reports) + "\n";
  if (options.json == "-") fmt::print("{}", json);
  if (file) file->finish(json);
  return status_of(reports);
}

}  // namespace wakeproof::models::cli
