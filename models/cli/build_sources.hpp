// BuildSources: which sources a program was compiled from, by what its build wrote down.
//
// Read are ninja's log of dependencies, or the *.d files beside the objects of CMake's Makefiles; which objects are in
// the program, from ninja's graph, or from CMake's link.txt files.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace wakeproof::models::cli {

// One object file: what it was compiled from, headers and all, as absolute normal paths.
using Sources = std::set<std::filesystem::path>;

// Of each object file that is linked into `program`, but those of libraries that are installed. Throws UsageError when
// `folder` is not one that CMake built with ninja or make, or knows nothing of the program.
std::vector<Sources> objects_of(const std::filesystem::path& program, const std::filesystem::path& folder);

// The folder that the running program was built in: the nearest one above it that CMake configured. Throws UsageError
// when there is none.
std::filesystem::path build_folder_of(const std::filesystem::path& program);

std::filesystem::path running_program();

}  // namespace wakeproof::models::cli
