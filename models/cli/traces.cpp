#include "traces.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli.hpp"
#include "models/trace/html.hpp"
#include "models/trace/json.hpp"
#include "output.hpp"

namespace wakeproof::models::cli {

void prepare_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error) throw UsageError("cannot write to the folder '" + folder + "': " + error.message());
}

void write_trace(const std::string& folder, Answer& answer) {
  if (answer.story == nullptr) return;
  std::string name = answer.scenario->name;
  std::replace(name.begin(), name.end(), '/', '.');
  const std::string path = (std::filesystem::path(folder) / (name + "." + size_of(answer.bounds))).string();
  answer.trace = path + ".json";
  OutputFile(path + ".html").finish(as_html(*answer.story));
  OutputFile(answer.trace).finish(as_json(*answer.story));
}

}  // namespace wakeproof::models::cli
