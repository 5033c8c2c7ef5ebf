#include "changed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "build_sources.hpp"
#include "cli.hpp"
#include "subprocess.hpp"

namespace wakeproof::models::cli {

namespace fs = std::filesystem;

namespace {

Sources files_of(const std::string& separated_by_nul, const fs::path& root) {
  Sources files;
  std::istringstream stream(separated_by_nul);
  for (std::string name; std::getline(stream, name, '\0');) files.insert((root / name).lexically_normal());
  return files;
}

// Apart from the diff, where what is no revision could be taken for an option.
void look_at(const std::string& revision) {
  try {
    output_of({"git", "rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--changed-since: '{}' is no revision here ({})", revision, error.what()));
  }
}

// What git tracks and has otherwise than at `revision`, or does not track and is not told to ignore.
Sources changed_files(const std::string& revision) {
  std::string root = output_of({"git", "rev-parse", "--show-toplevel"});
  if (root.ends_with('\n')) root.pop_back();
  look_at(revision);
  Sources files =
      files_of(output_of({"git", "-C", root, "diff", "--name-only", "--no-renames", "-z", revision, "--"}), root);
  files.merge(files_of(output_of({"git", "-C", root, "ls-files", "-z", "--others", "--exclude-standard"}), root));
  return files;
}

// It says how things are compiled, so no object lists it.
bool is_of_the_build(const fs::path& file) {
  const fs::path name = file.filename();
  return name == "CMakeLists.txt" || name == "CMakePresets.json" || name.extension() == ".cmake";
}

bool meet(const Sources& a, const Sources& b) {
  return std::any_of(a.begin(), a.end(), [&](const fs::path& file) { return b.contains(file); });
}

fs::path written_in(const Scenario& scenario, const fs::path& build_folder) {
  std::error_code error;
  return fs::weakly_canonical(build_folder / scenario.where.file_name(), error);
}

}  // namespace

std::vector<const Scenario*> changed_since(const std::string& revision, const std::string& build_folder,
                                           const std::vector<const Scenario*>& scenarios) {
  const fs::path program = running_program();
  const fs::path folder = build_folder.empty() ? build_folder_of(program) : fs::canonical(build_folder);
  const Sources changed = changed_files(revision);
  Sources written;  // every file that a scenario is written in
  for (const Scenario& scenario : catalogue()) written.insert(written_in(scenario, folder));

  Sources touched;  // of those
  bool all = std::any_of(changed.begin(), changed.end(), is_of_the_build);
  for (const Sources& object : objects_of(program, folder)) {
    if (!meet(object, changed)) continue;
    all |= !meet(object, written);
    touched.insert(object.begin(), object.end());
  }
  std::vector<const Scenario*> those;
  std::copy_if(scenarios.begin(), scenarios.end(), std::back_inserter(those),
               [&](const Scenario* scenario) { return all || touched.contains(written_in(*scenario, folder)); });
  return those;
}

}  // namespace wakeproof::models::cli
