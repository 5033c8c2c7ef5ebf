#include "html_text.hpp"

#include <cctype>

namespace wakeproof::models {

namespace {

constexpr std::size_t kWidest = 400;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// The length of the UTF-8 sequence that begins at `at`; 0: there is none.
std::size_t sequence_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text, at + i)) return 0;
  }
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || no_character ? 0 : length;
}

void append_character(std::string& out, std::string_view character) {
  switch (character.front()) {
    case '&': out += "&amp;"; return;
    case '<': out += "&lt;"; return;
    case '>': out += "&gt;"; return;
    case '"': out += "&quot;"; return;
    case '\'': out += "&#39;"; return;
    default: break;
  }
  const auto first = static_cast<unsigned char>(character.front());
  const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  out += control ? kReplacement : character;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_at(text, at);
    append_character(out, length == 0 ? kReplacement : text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string html_clipped(std::string_view text) {
  if (text.size() <= kWidest) return html_escaped(text);
  std::size_t end = kWidest;
  while (end > 0 && continues(text, end)) --end;
  return html_escaped(text.substr(0, end)) + "\xe2\x80\xa6 (" + std::to_string(text.size()) + " bytes)";
}

std::string html_with_links(std::string_view text, int steps) {
  constexpr std::string_view kWord = "step ";
  constexpr std::size_t kLongestNumber = 7;
  std::string out;
  std::size_t told = 0;
  for (std::size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at + 1)) {
    std::size_t end = at + kWord.size();
    int number = 0;
    while (end < text.size() && end < at + kWord.size() + kLongestNumber &&
           std::isdigit(static_cast<unsigned char>(text[end])) != 0)
      number = number * 10 + (text[end++] - '0');
    const bool within_word = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    if (number == 0 || number > steps || within_word || at < told) continue;
    out += html_escaped(text.substr(told, at - told)) + "<a href=\"#step-" + std::to_string(number) + "\">" +
           html_escaped(text.substr(at, end - at)) + "</a>";
    told = end;
  }
  return out + html_escaped(text.substr(told));
}

}  // namespace wakeproof::models
