#include "source_path.hpp"

#include <filesystem>
#include <source_location>
#include <system_error>

namespace wakeproof::models {

namespace {

std::string working_folder() {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  return error || folder == "/" ? "" : folder + "/";
}

const std::string kWorkingFolder = working_folder();

std::string_view root_of_tree() {
  constexpr std::string_view kHere = "models/source_path.cpp";
  const std::string_view me = std::source_location::current().file_name();
  return me.ends_with(kHere) ? me.substr(0, me.size() - kHere.size()) : "";
}

}  // namespace

std::string source_path(std::string_view file) {
  const std::string_view root = root_of_tree();
  if (!root.empty() && file.starts_with(root)) return std::string(file.substr(root.size()));
  std::string normal = std::filesystem::path(file).lexically_normal().generic_string();
  if (!kWorkingFolder.empty() && normal.starts_with(kWorkingFolder)) {
    return normal.substr(kWorkingFolder.size());
  }
  if (!normal.starts_with('/') && !normal.starts_with("..")) return normal;
  return normal.substr(normal.rfind('/') + 1);
}

}  // namespace wakeproof::models
