// VerdictCache: what this very program proved before, so that an unchanged proof is not searched again.
//
// A proof is found again by the content of the program, which has the scenario, its subject and the search in it, by
// scenario and bounds, and by what the search was asked. Kept are complete proofs alone: what fails is searched
// again each time, and so is what was cut short. Libraries that are linked when it starts are not looked at.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/report/checkpoint.hpp"

namespace wakeproof::models::cli {

class VerdictCache {
 public:
  // In the folder that WAKEPROOF_CACHE names, or in the user's cache folder; none where the variable is empty, or
  // there is no such folder. A damaged file is told on standard error, and not used.
  VerdictCache();

  std::optional<SearchResult> find(const Question& question, const SearchOptions& options) const;
  void add(const Question& question, const SearchOptions& options, const SearchResult& result);
  // Adds what is new to the file, which is written aside and renamed; that it cannot be is told, and no error. What
  // another run of the program added meanwhile is kept.
  void save();

 private:
  using Proofs = std::map<std::string, SearchResult>;

  Proofs read() const;

  std::string path_;  // empty: nothing is kept
  Proofs known_;
  Proofs fresh_;
};

}  // namespace wakeproof::models::cli
