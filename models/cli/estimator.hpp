// Estimator: a process beside the search that estimates how large it is.
//
// A process of its own because a search and a probe need Relacy's one context each. It costs nothing
// but a fork until it is asked.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "models/report/checkpoint.hpp"

namespace wakeproof::models::cli {

struct Size {
  double executions = 0;
  double standard_error = 0;
};

class Estimator {
 public:
  Estimator(const std::vector<Question>& questions, const SearchKind& kind);
  ~Estimator();
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;

  void ask(std::size_t question);
  // The answer to the last question, when it is there. Does not wait.
  std::optional<Size> answer();

 private:
  [[noreturn]] static void work(const std::vector<Question>& questions, const SearchKind& kind, int asked, int answers);

  pid_t process_ = -1;
  int asked_ = -1;
  int answers_ = -1;
  std::size_t question_ = 0;
};

}  // namespace wakeproof::models::cli
