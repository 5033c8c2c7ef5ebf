// The table that `run` shows to people, a row as each answer comes, and the steps of what was found.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "models/report/json.hpp"

namespace wakeproof::models::cli {

class Table {
 public:
  // `name_width`: of the longest scenario name to come.
  Table(std::FILE* out, std::size_t name_width) : out_(out), name_width_(name_width) {}

  void head(const SearchKind& search);
  void row(const Answer& answer);
  // The steps of each scenario's smallest finding.
  void steps(const std::vector<Answer>& answers);
  void summary(const std::vector<Answer>& answers, double wall_s);

 private:
  std::FILE* out_;
  std::size_t name_width_;
};

}  // namespace wakeproof::models::cli
