// source_path(): how a source file is called where people and other machines read of it.
#pragma once

#include <string>
#include <string_view>

namespace wakeproof::models {

// As seen from the root of the tree that this was compiled in; otherwise as seen from the folder that the
// program was started in, which for a program of one's own is mostly the root of its tree; of a file elsewhere
// its name alone. So it says nothing of the machine.
std::string source_path(std::string_view file);

}  // namespace wakeproof::models
