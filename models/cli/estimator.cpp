#include "estimator.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "models/search/estimate.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr int kProbes = 64;
constexpr auto kLongest = std::chrono::seconds(2);

// Smaller than PIPE_BUF, so written and read as a whole.
struct Message {
  std::size_t question;
  Size size;
};

Size size_of_search(const Question& question, const SearchKind& kind) {
  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  Estimate estimate(*question.scenario, question.bounds, kind);
  for (int probe = 0; probe < kProbes && std::chrono::steady_clock::now() < deadline; ++probe) estimate.probe();
  return {estimate.executions(), estimate.standard_error()};
}

}  // namespace

Estimator::Estimator(const std::vector<Question>& questions, const SearchKind& kind) {
  int asked[2];
  int answers[2];
  if (::pipe2(asked, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    ::close(asked[1]);
    ::close(answers[0]);
    work(questions, kind, asked[0], answers[1]);
  }
  ::close(asked[0]);
  ::close(answers[1]);
  asked_ = asked[1];
  answers_ = answers[0];
  ::fcntl(answers_, F_SETFL, O_NONBLOCK);
}

Estimator::~Estimator() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  ::close(asked_);
  ::close(answers_);
}

void Estimator::work(const std::vector<Question>& questions, const SearchKind& kind, int asked, int answers) {
  std::size_t question = 0;
  while (::read(asked, &question, sizeof question) == sizeof question) {
    const Message message{question, size_of_search(questions[question], kind)};
    if (::write(answers, &message, sizeof message) != sizeof message) break;
  }
  ::_exit(0);
}

// An estimate is a courtesy: where its process has gone there is none.
void Estimator::ask(std::size_t question) {
  question_ = question;
  static_cast<void>(::write(asked_, &question, sizeof question) == 0);
}

std::optional<Size> Estimator::answer() {
  Message message{};
  while (::read(answers_, &message, sizeof message) == sizeof message) {
    if (message.question == question_) return message.size;
  }
  return std::nullopt;
}

}  // namespace wakeproof::models::cli
