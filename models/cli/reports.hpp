// Reports: the documents that `run` was asked for, and what it tells GitHub.
//
// All files are opened before the first search, so that a path that cannot be written is an error at once.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "models/report/checkpoint.hpp"
#include "models/report/json.hpp"
#include "output.hpp"

namespace wakeproof::models::cli {

class Reports {
 public:
  // Throws UsageError. Refers to both.
  Reports(const RunOptions& options, const std::vector<Question>& questions);

  // A document goes to standard output: what is for people goes to standard error then.
  bool take_standard_output() const { return to_standard_output_; }

  void begins(std::size_t question, std::uint64_t executions_before);
  void looks(std::size_t question, const SearchResult& so_far);
  // Tells its story first, where it has one and somebody wants it, and writes its trace.
  void add(Answer& answer);
  // Writes them all, also where one cannot be written; throws UsageError of that then.
  void finish(const std::vector<Answer>& answers, int status);

 private:
  using WallClock = std::chrono::steady_clock;

  struct Document {
    std::string path;  // or `-`
    std::optional<OutputFile> file = std::nullopt;
    bool wanted() const { return !path.empty(); }
  };

  void open_summary();
  void open(Document& document);
  void write(Document& document, const std::string& content);
  void tell_github(const std::vector<Answer>& answers);
  // A line that cannot be written ends the lines, not the run; finish() says so.
  void write_lines(const std::string& lines);
  template <class Write>
  void try_to(Write write);

  const std::vector<Question>& questions_;
  std::string traces_;
  Document json_;
  Document junit_;
  Document sarif_;
  std::optional<LinesFile> lines_;
  bool to_standard_output_ = false;
  bool github_ = false;
  std::optional<LinesFile> summary_;
  std::size_t summary_room_ = 0;
  std::size_t done_ = 0;
  WallClock::time_point begin_;
  WallClock::time_point last_look_;
  std::exception_ptr failure_;
};

}  // namespace wakeproof::models::cli
