#include "valid_text.hpp"

#include <cstdint>

namespace wakeproof::models {

namespace {

// How many bytes the character at the front has; 0: it is no character that is admitted.
std::size_t admitted(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first == '\t' || first == '\n' || (first >= 0x20 && first != 0x7f) ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t character = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3fU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  const bool no_character = (character & 0xfffe) == 0xfffe || (character >= 0x80 && character < 0xa0);
  return character < least || character > 0x10ffff || surrogate || no_character ? 0 : length;
}

}  // namespace

std::string valid_text(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    std::size_t length = admitted(text);
    if (length > 0) {
      valid += text.substr(0, length);
    } else {
      length = 1;
      if (!text.starts_with("\r\n")) valid += "\xef\xbf\xbd";
    }
    text.remove_prefix(length);
  }
  return valid;
}

}  // namespace wakeproof::models
