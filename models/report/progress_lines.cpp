#include "progress_lines.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace {

std::string line_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string begin_line(std::size_t searches) {
  return line_of({{"event", "begin"}, {"wakeproof", WAKEPROOF_VERSION}, {"searches", searches}});
}

std::string search_begun_line(std::size_t number, const Scenario& scenario, const Bounds& bounds,
                              std::uint64_t executions_before) {
  return line_of({{"event", "search_begun"},
                  {"search_number", number},
                  {"name", scenario.name},
                  {"bounds", as_json(bounds)},
                  {"expected", name_of(scenario.expected_at(bounds))},
                  {"executions_before", executions_before}});
}

std::string progress_line(std::size_t number, const Scenario& scenario, const Bounds& bounds,
                          const SearchResult& so_far, double elapsed_s) {
  return line_of(
      {{"event", "progress"},
       {"search_number", number},
       {"name", scenario.name},
       {"bounds", as_json(bounds)},
       {"executions",
        {{"complete", so_far.complete}, {"redundant", so_far.redundant}, {"stuck", so_far.stuck}, {"cut", so_far.cut}}},
       {"wall_s", elapsed_s}});
}

std::string result_line(std::size_t number, const Answer& answer) {
  ordered_json line{{"event", "result"}, {"search_number", number}};
  line.update(as_json(answer));
  return line_of(line);
}

std::string end_line(const std::vector<Answer>& answers, int status) {
  const auto unexpected =
      std::count_if(answers.begin(), answers.end(), [](const Answer& answer) { return !answer.as_expected(); });
  return line_of({{"event", "end"}, {"searches", answers.size()}, {"unexpected", unexpected}, {"exit_status", status}});
}

}  // namespace wakeproof::models
