#include "monitor.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wakeproof::models::cli {

namespace {

constexpr double kWorthAnEstimate_s = 1;

int columns_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

// Three digits that count: 1234567 is "1.23 million".
std::string about(double number) {
  if (number >= 1e9) return fmt::format("{:.3g} billion", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.3g} million", number / 1e6);
  if (number >= 1e4) return fmt::format("{:.3g} thousand", number / 1e3);
  return fmt::format("{:.0f}", number);
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Monitor::Monitor(const std::vector<Question>& questions, const SearchKind& kind, double plain_s)
    : questions_(questions), plain_s_(plain_s), terminal_(isatty(STDERR_FILENO) != 0) {
  const bool can_estimate = kind.name == SearchKind::Name::dpor && !kind.locks_by_data;
  if (plain_s > 0 && can_estimate) estimator_ = std::make_unique<Estimator>(questions, kind);
}

void Monitor::begins(std::size_t question, std::uint64_t before) {
  question_ = question;
  before_ = before;
  begin_ = last_plain_ = WallClock::now();
  asked_ = false;
  size_.reset();
}

void Monitor::looks(const SearchResult& so_far) {
  if (plain_s_ <= 0) return;
  const auto now = WallClock::now();
  const double elapsed_s = std::chrono::duration<double>(now - begin_).count();
  if (elapsed_s > kWorthAnEstimate_s && !asked_ && estimator_ != nullptr) {
    estimator_->ask(question_);
    asked_ = true;
  }
  if (asked_ && !size_) size_ = estimator_->answer();
  if (terminal_) {
    const auto width = static_cast<std::size_t>(std::max(20, columns_of_terminal() - 1));
    fmt::print(stderr, "\r{}\x1b[K", text(so_far, elapsed_s).substr(0, width));
    std::fflush(stderr);
    shown_ = true;
  } else if (std::chrono::duration<double>(now - last_plain_).count() >= plain_s_) {
    fmt::print(stderr, "{}\n", text(so_far, elapsed_s));
    last_plain_ = now;
  }
}

void Monitor::ends() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

std::string Monitor::text(const SearchResult& so_far, double elapsed_s) const {
  const Question& question = questions_[question_];
  const std::uint64_t executions = so_far.executions();
  const double rate = static_cast<double>(executions - before_) / std::max(elapsed_s, 0.001);
  std::string text = fmt::format("{} {}: {} executions, {}/s", question.scenario->name, size_of(question.bounds),
                                 about(static_cast<double>(executions)), about(rate));
  if (!size_ || size_->executions <= 0) return text;
  // What is redundant is not in the estimate.
  const auto counted = static_cast<double>(so_far.complete + so_far.stuck + so_far.cut);
  const double left = size_->executions - counted;
  const std::string whole =
      fmt::format("about {} (+-{:.0f}%)", about(size_->executions), 100 * size_->standard_error / size_->executions);
  if (left <= 0) return text + fmt::format(", more than the {} estimated", whole);
  text += fmt::format(", {:.0f}% of {}", std::floor(100 * counted / size_->executions), whole);
  return text + fmt::format(", {} left", duration(left / std::max(rate, 1.0)));
}

}  // namespace wakeproof::models::cli
