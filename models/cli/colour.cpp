#include "colour.hpp"

#include <fmt/color.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace wakeproof::models::cli {

namespace {

bool shows_colour(std::FILE* out) {
  const char* unwanted = std::getenv("NO_COLOR");
  if (unwanted != nullptr && *unwanted != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && isatty(fileno(out)) != 0;
}

fmt::terminal_color colour_of(Tint tint) {
  switch (tint) {
    case Tint::good: return fmt::terminal_color::green;
    case Tint::bad: return fmt::terminal_color::red;
    case Tint::open: return fmt::terminal_color::yellow;
  }
  return fmt::terminal_color::white;
}

}  // namespace

std::string tinted(const std::string& text, Tint tint, std::FILE* out) {
  if (text.empty() || !shows_colour(out)) return text;
  return fmt::format(fmt::fg(colour_of(tint)), "{}", text);
}

}  // namespace wakeproof::models::cli
