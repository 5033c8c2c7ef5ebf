// valid_text(): what a person wrote, as text that every document format admits.
#pragma once

#include <string>
#include <string_view>

namespace wakeproof::models {

// UTF-8 without control characters but for tab and line feed, which is what XML 1.0 takes; each byte of anything
// else becomes U+FFFD. A carriage return is dropped before a line feed.
std::string valid_text(std::string_view text);

}  // namespace wakeproof::models
