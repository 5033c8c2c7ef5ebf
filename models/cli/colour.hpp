// Colour, for a terminal that shows it.
#pragma once

#include <cstdio>
#include <string>

namespace wakeproof::models::cli {

enum class Tint { good, bad, open };  // green, red, yellow

// As it is where `out` is no terminal, where TERM is `dumb`, or where NO_COLOR (https://no-color.org) is not empty.
std::string tinted(const std::string& text, Tint tint, std::FILE* out);

}  // namespace wakeproof::models::cli
