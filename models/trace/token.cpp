#include "token.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace wakeproof::models {

namespace {

template <class Number>
Number number_in(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) {
    throw BadToken("'" + std::string(text.substr(0, 40)) + "' in it is no number");
  }
  return number;
}

// Takes what follows the last `separator` off the end of `text`.
std::string_view take_last(std::string_view& text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) throw BadToken("it lacks a part: SCENARIO:PxI:BATCH:TICKS:VERDICT:CHOICES");
  const std::string_view last = text.substr(at + 1);
  text = text.substr(0, at);
  return last;
}

}  // namespace

std::string Token::text() const {
  std::string text = scenario + ":" + std::to_string(bounds.producers) + "x" + std::to_string(bounds.items) + ":" +
                     std::to_string(bounds.max_items) + ":" + std::to_string(bounds.ticks) + ":" +
                     std::string(name_of(verdict)) + ":";
  for (std::size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? "" : ".") + std::to_string(choices[i]);
  return text;
}

// From the end on: a scenario of somebody else's may have a colon in its name.
Token parse_token(const std::string& text) {
  Token token;
  std::string_view rest = text;
  std::string_view choices = take_last(rest, ':');
  const std::string_view verdict = take_last(rest, ':');
  const std::optional<Verdict> known = verdict_named(verdict);
  if (!known) throw BadToken("it has an unknown verdict '" + std::string(verdict) + "'");
  token.verdict = *known;
  token.bounds.ticks = number_in<int>(take_last(rest, ':'));
  token.bounds.max_items = number_in<int>(take_last(rest, ':'));
  std::string_view size = take_last(rest, ':');
  token.bounds.items = number_in<int>(take_last(size, 'x'));
  token.bounds.producers = number_in<int>(size);
  token.scenario = std::string(rest);
  while (choices.find('.') != std::string_view::npos)
    token.choices.push_back(number_in<unsigned>(take_last(choices, '.')));
  if (!choices.empty() || !token.choices.empty()) token.choices.push_back(number_in<unsigned>(choices));
  std::reverse(token.choices.begin(), token.choices.end());
  return token;
}

}  // namespace wakeproof::models
