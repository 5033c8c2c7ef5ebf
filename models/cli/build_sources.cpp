#include "build_sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "cli.hpp"
#include "subprocess.hpp"

namespace wakeproof::models::cli {

namespace fs = std::filesystem;

namespace {

using ByObject = std::map<fs::path, Sources>;

// Without `..`, and with no symbolic link left where the file is there: git tells its files like that.
fs::path absolute(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder / path, error);
  return error ? (folder / path).lexically_normal() : whole;
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What stands between blanks and ends of lines, where quotes or a backslash do not hide those: as a shell takes a line
// apart, and make its dependencies.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      if (text[++i] != '\n') words.back() += text[i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == ' ' || c == '\n' || c == '\t')) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// --- ninja ---------------------------------------------------------------------------------------------

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// `object: #deps 2, deps mtime 17 (VALID)`, then a line for each, indented.
ByObject dependencies_by_ninja(const fs::path& folder) {
  ByObject objects;
  Sources* sources = nullptr;
  for (const std::string& line : lines_of(output_of({"ninja", "-C", folder.string(), "-t", "deps"}))) {
    if (line.starts_with("    ")) {
      if (sources != nullptr) sources->insert(absolute(line.substr(4), folder));
    } else if (const std::size_t end = line.find(": #deps "); end != std::string::npos) {
      sources = &objects[absolute(line.substr(0, end), folder)];
    }
  }
  return objects;
}

std::set<fs::path> linked_by_ninja(const fs::path& program, const fs::path& folder) {
  std::set<fs::path> objects;
  const std::string target = program.lexically_relative(folder).string();
  for (const std::string& line : lines_of(output_of({"ninja", "-C", folder.string(), "-t", "inputs", target}))) {
    for (const std::string& word : words_of(line)) {  // one; quoted where it has blanks
      if (word.ends_with(".o")) objects.insert(absolute(word, folder));
    }
  }
  return objects;
}

// --- make ----------------------------------------------------------------------------------------------

// CMake runs a target's compiler and linker in the folder that its CMakeFiles/ is in.
fs::path runs_in(const fs::path& file) {
  fs::path folder = file.parent_path();
  while (folder.filename() != "CMakeFiles" && folder.has_relative_path()) folder = folder.parent_path();
  return folder.parent_path();
}

struct Made {
  ByObject dependencies;
  std::map<fs::path, std::set<fs::path>> links;  // a program or library: the objects and libraries it is made of
};

// `object: source header ...`. Which object, the name of the file says: the rule's own is relative to one folder or
// another, and a blank in it is not hidden.
void add_dependencies(const fs::path& file, ByObject& objects) {
  const fs::path folder = runs_in(file);
  const std::vector<std::string> words = words_of(read(file));
  const auto rule =
      std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.ends_with(':'); });
  if (rule == words.end()) return;
  Sources& sources = objects[absolute(fs::path(file).replace_extension(), folder)];
  for (auto word = rule + 1; word != words.end(); ++word) sources.insert(absolute(*word, folder));
}

// `c++ ... -o program a.o libb.a` or `ar qc libb.a a.o`: what is made is named before what it is made of.
void add_link(const fs::path& file, std::map<fs::path, std::set<fs::path>>& links) {
  const fs::path folder = runs_in(file);
  const std::vector<std::string> words = words_of(read(file));
  std::set<fs::path> parts;
  fs::path made;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool archive = words[i].ends_with(".a");
    const bool after_o = i > 0 && words[i - 1] == "-o";
    if (after_o || (archive && made.empty())) {
      made = absolute(words[i], folder);
    } else if (!words[i].starts_with('-')) {  // a library's too, which another file says the parts of
      parts.insert(absolute(words[i], folder));
    }
  }
  if (!made.empty()) links[made].insert(parts.begin(), parts.end());
}

Made made_in(const fs::path& folder) {
  Made made;
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".o.d")) add_dependencies(entry.path(), made.dependencies);
    if (name == "link.txt") add_link(entry.path(), made.links);
  }
  return made;
}

void collect(const fs::path& what, const Made& made, std::set<fs::path>& objects) {
  const auto links = made.links.find(what);
  if (links == made.links.end()) return;  // an object's, or an installed library
  for (const fs::path& part : links->second) {
    if (objects.insert(part).second) collect(part, made, objects);
  }
}

}  // namespace

std::vector<Sources> objects_of(const fs::path& program, const fs::path& folder) {
  ByObject dependencies;
  std::set<fs::path> linked;
  if (fs::exists(folder / "build.ninja")) {
    dependencies = dependencies_by_ninja(folder);
    linked = linked_by_ninja(program, folder);
  } else if (fs::exists(folder / "Makefile")) {
    Made made = made_in(folder);
    collect(program, made, linked);
    dependencies = std::move(made.dependencies);
  } else {
    throw UsageError(fmt::format("'{}' is no build folder of CMake with ninja or make", folder.string()));
  }
  std::vector<Sources> objects;
  for (const fs::path& object : linked) {
    if (object.extension() != ".o") continue;
    const auto sources = dependencies.find(object);
    if (sources == dependencies.end() || sources->second.empty()) {
      throw UsageError(
          fmt::format("the build wrote nothing down about the sources of '{}'; build it anew", object.string()));
    }
    objects.push_back(sources->second);
  }
  if (objects.empty()) {
    throw UsageError(fmt::format("the build in '{}' knows nothing of '{}'", folder.string(), program.string()));
  }
  return objects;
}

fs::path build_folder_of(const fs::path& program) {
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "CMakeCache.txt")) return folder;
  }
  throw UsageError(
      fmt::format("'{}' is in no build folder of CMake; --build says which one it was built in", program.string()));
}

fs::path running_program() {
  return fs::read_symlink("/proc/self/exe");
}

}  // namespace wakeproof::models::cli
