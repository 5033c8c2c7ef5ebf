// What happens in a run, as it happens, as JSON Lines: one object a line, its `event` first.
//
//   begin         the program, and how many searches there are
//   search_begun  one of them
//   progress      how far it is
//   result        what came of it, as in the document of --json
//   end           the exit status
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"

namespace wakeproof::models {

// `number` is the search's, from 1. Each ends in a line feed.
std::string begin_line(std::size_t searches);
std::string search_begun_line(std::size_t number, const Scenario& scenario, const Bounds& bounds,
                              std::uint64_t executions_before);
std::string progress_line(std::size_t number, const Scenario& scenario, const Bounds& bounds,
                          const SearchResult& so_far, double elapsed_s);
std::string result_line(std::size_t number, const Answer& answer);
std::string end_line(const std::vector<Answer>& answers, int status);

}  // namespace wakeproof::models
