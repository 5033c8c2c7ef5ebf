// wakeproof book
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "book_pages.hpp"
#include "cli.hpp"
#include "models/trace/explain.hpp"
#include "models/trace/json.hpp"
#include "output.hpp"
#include "select.hpp"
#include "traces.hpp"

namespace wakeproof::models::cli {

namespace {

std::vector<Proof> proofs_of(const Scenario& scenario, const std::vector<Bounds>& sizes) {
  std::vector<Proof> proofs;
  for (const Bounds& size : sizes) {
    proofs.push_back({size, search(scenario, size, {})});
    proofs.back().result.graphs = {};
  }
  return proofs;
}

// Of a scenario that is wrong by construction: a proved one whose name it begins with, or the folder's.
const Scenario* correct_for(const Scenario& scenario) {
  const Scenario* found = nullptr;
  for (const Scenario& other : catalogue()) {
    if (other.expected != Verdict::proved || !other.mutations.empty()) continue;
    const std::string folder = scenario.name.substr(0, scenario.name.rfind('/') + 1);
    const bool fits = scenario.name.starts_with(other.name) || other.name == folder + "correct";
    if (fits && (found == nullptr || other.name.size() > found->name.size())) found = &other;
  }
  return found;
}

void add_proofs(BookEntry& entry) {
  const Scenario& scenario = *entry.scenario;
  if (!scenario.mutations.empty()) {
    Scenario correct = scenario;
    correct.mutations.clear();
    entry.proofs = proofs_of(correct, scenario.sizes);
  } else if (const Scenario* correct = correct_for(scenario)) {
    entry.correct = correct->name;
    entry.proofs = proofs_of(*correct, correct->sizes);
  }
}

// Everything that is to be told of one scenario.
BookEntry entry_of(const Scenario& scenario, const std::string& source) {
  BookEntry entry;
  entry.scenario = &scenario;
  entry.differences = differences(scenario, source);
  if (scenario.expected != Verdict::proved) {
    entry.trace = models::explain(scenario, sizes_to_explain(scenario)).trace;
    add_proofs(entry);
    return entry;
  }
  std::vector<Bounds> sizes = scenario.sizes;
  sizes.insert(sizes.end(), scenario.larger_sizes.begin(), scenario.larger_sizes.end());
  entry.proofs = proofs_of(scenario, sizes);
  for (const Proof& proof : entry.proofs) {
    const Verdict verdict = proof.result.verdict;
    if (entry.trace || verdict == Verdict::proved || verdict == Verdict::inconclusive) continue;
    entry.trace = tell(scenario, proof.bounds, verdict, proof.result.failing);
  }
  return entry;
}

bool as_expected(const BookEntry& entry) {
  if (entry.trace) return entry.trace->verdict == entry.scenario->expected;
  return entry.scenario->expected == Verdict::proved &&
         std::all_of(entry.proofs.begin(), entry.proofs.end(),
                     [](const Proof& proof) { return proof.result.verdict == Verdict::proved; });
}

void write(const std::filesystem::path& folder, const std::string& name, const std::string& content) {
  OutputFile((folder / name).string()).finish(content);
}

}  // namespace

int book(const BookOptions& options) {
  const std::vector<const Scenario*> scenarios = select(Selection{});
  prepare_folder(options.folder);
  std::vector<BookEntry> entries;
  int status = kAsExpected;
  for (const Scenario* scenario : scenarios) {
    entries.push_back(entry_of(*scenario, options.source));
    if (as_expected(entries.back())) continue;
    fmt::print(stderr, "wakeproof: {} is not {}, as expected\n", scenario->name, name_of(scenario->expected));
    status = kUnexpectedVerdict;
  }
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const std::string name = file_name_of(entries[at].scenario->name);
    write(options.folder, name + ".html", scenario_page(entries, at));
    if (entries[at].trace) write(options.folder, name + ".json", as_json(*entries[at].trace));
  }
  write(options.folder, "index.html", index_page(entries));
  fmt::print("{} pages: {}\n", entries.size() + 1, (std::filesystem::path(options.folder) / "index.html").string());
  return status;
}

}  // namespace wakeproof::models::cli
