#include "story.hpp"

#include <cctype>
#include <exception>
#include <utility>

#include "models/source_path.hpp"
#include "models/trace/explain.hpp"

namespace wakeproof::models {

std::string tell_story(Answer& answer) {
  const SearchResult& result = answer.result;
  if (answer.as_expected() || result.failing.empty() || result.verdict == Verdict::inconclusive) return {};
  try {
    answer.story = std::make_shared<const Trace>(tell(*answer.scenario, answer.bounds, result.verdict, result.failing));
  } catch (const std::exception& error) {
    return "cannot record the counterexample of " + title_of(answer) + ": " + error.what();
  }
  return {};
}

const TraceStep* finding_step(const Trace& trace) {
  if (trace.steps.empty()) return nullptr;
  const auto last = static_cast<int>(trace.steps.size());
  int at = trace.found_at.value_or(trace.breaks_at.value_or(last));
  if (at < 1 || at > last) at = last;
  return &trace.steps[static_cast<std::size_t>(at - 1)];
}

Place place_of(const Answer& answer) {
  const TraceStep* step = answer.story == nullptr ? nullptr : finding_step(*answer.story);
  if (step != nullptr && !step->file.empty()) return {step->file, step->line, step->function};
  return {source_path(answer.scenario->where.file_name()), answer.scenario->where.line(), {}};
}

std::string title_of(const Answer& answer) {
  return answer.scenario->name + " at " + size_of(answer.bounds);
}

std::string sentence_of(const Answer& answer) {
  std::string sentence(name_of(answer.result.verdict));
  if (!answer.as_expected()) sentence += ", but " + std::string(name_of(answer.expected)) + " is expected";
  return answer.result.detail.empty() ? sentence : sentence + ": " + answer.result.detail;
}

std::vector<std::string> why_of(const Answer& answer) {
  std::vector<std::string> sentences;
  if (answer.story == nullptr) return sentences;
  for (const TraceSentence& told : answer.story->why) {
    std::string sentence = told.word + " " + told.text;
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::string replay_command_of(const Answer& answer) {
  const std::optional<Token> token = answer.token();
  if (!token) return {};
  std::string quoted;
  for (const char c : token->text()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "wakeproof replay --token '" + quoted + "'";
}

}  // namespace wakeproof::models
