// LineBuffer: bytes as they come, lines as they are complete; and what a line asks for.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace wakeproof {

// Keeps at most `most_bytes` and what one add() brings: of an over-long line only that it was one is kept.
class LineBuffer {
 public:
  // Without its line feed; `too_long` has no text.
  struct Line {
    std::string text;
    bool too_long = false;
  };

  explicit LineBuffer(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void add(std::string_view bytes) { text_ += bytes; }

  std::optional<Line> next() {
    const std::size_t end = text_.find('\n');
    if (end != std::string::npos) {
      Line line{text_.substr(0, end), std::exchange(skipping_, false) || end > most_bytes_};
      text_.erase(0, end + 1);
      return line;
    }
    if (text_.size() > most_bytes_) {
      text_.clear();
      skipping_ = true;
    }
    return std::nullopt;
  }

  // After the last byte: a line without its end.
  std::optional<Line> rest() {
    if (text_.empty() && !skipping_) return std::nullopt;
    text_ += '\n';
    return next();
  }

 private:
  std::size_t most_bytes_;
  std::string text_;
  bool skipping_ = false;
};

// The number that a line asks for, or what is wrong with it.
struct Request {
  int n = 0;
  std::string error = {};
};

inline Request request_in(const LineBuffer::Line& line, int most) {
  if (line.too_long) return {0, "the line is too long"};
  std::string_view text = line.text;
  constexpr std::string_view kBlank = " \t\r";
  while (!text.empty() && kBlank.find(text.front()) != kBlank.npos) text.remove_prefix(1);
  while (!text.empty() && kBlank.find(text.back()) != kBlank.npos) text.remove_suffix(1);
  if (text.empty()) return {0, "the line is empty"};
  const std::string range = "n must be 0 to " + std::to_string(most);
  int n = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (end != text.data() + text.size() || wrong == std::errc::invalid_argument) return {0, "not a whole number"};
  if (wrong != std::errc() || n < 0 || n > most) return {0, range};
  return {n, {}};
}

}  // namespace wakeproof
