#include "differs.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "models/operation.hpp"
#include "models/trace/record.hpp"

namespace wakeproof::models::cli {

namespace {

struct SourceFile {
  std::string name;
  std::string text;
};

std::optional<SourceFile> read_file(const std::filesystem::path& source, const std::string& name) {
  std::ifstream in(source / name, std::ios::binary);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  return SourceFile{name, text.str()};
}

bool is_known(const std::vector<SourceFile>& files, const std::string& name) {
  return std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.name == name; });
}

// The files of the subject's steps, in the order that it comes to them, then those beside them.
std::vector<SourceFile> files_of(const Scenario& scenario, const std::filesystem::path& source) {
  std::vector<SourceFile> files;
  std::vector<std::filesystem::path> folders;
  Scenario correct = scenario;
  correct.mutations.clear();
  for (const TraceStep& step : record(correct, correct.sizes.front(), {}).steps) {
    if (step.file.empty() || is_known(files, step.file)) continue;
    if (auto file = read_file(source, step.file)) files.push_back(std::move(*file));
    const auto folder = std::filesystem::path(step.file).parent_path();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  for (const std::filesystem::path& folder : folders) {
    std::vector<std::string> beside;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(source / folder, none)) {
      const auto kind = entry.path().extension();
      if (kind == ".hpp" || kind == ".cpp" || kind == ".h") beside.push_back(folder / entry.path().filename());
    }
    std::sort(beside.begin(), beside.end());
    for (const std::string& name : beside) {
      if (is_known(files, name)) continue;
      if (auto file = read_file(source, name)) files.push_back(std::move(*file));
    }
  }
  return files;
}

bool in_comment(const std::string& text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
  return text.substr(line, at - line).find("//") != std::string::npos;
}

// From `begin` to what closes the first parenthesis or brace there, on one line.
std::string expression_at(const std::string& text, std::size_t begin) {
  std::string out;
  int open = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    const bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : c;
    if (c == '(' || c == '{') ++open;
    if ((c == ')' || c == '}') && --open == 0) break;
  }
  return out;
}

SourceLine find_in(const std::vector<SourceFile>& files, const std::string& mark, bool whole_line) {
  for (const SourceFile& file : files) {
    std::size_t at = file.text.find(mark);
    while (at != std::string::npos && in_comment(file.text, at)) at = file.text.find(mark, at + 1);
    if (at == std::string::npos) continue;
    const auto line = static_cast<unsigned>(
        1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    if (!whole_line) return {file.name, line, expression_at(file.text, at)};
    const std::size_t begin = file.text.find_first_not_of(" \t", file.text.rfind('\n', at) + 1);
    return {file.name, line, file.text.substr(begin, file.text.find('\n', at) - begin)};
  }
  return {};
}

SourceLine step_line(const std::vector<SourceFile>& files, const std::string& name) {
  SourceLine line = find_in(files, "step(\"" + name + "\"", false);
  if (line.file.empty()) line.text = "step " + name;
  return line;
}

// `{"publish", std::memory_order_seq_cst}`: the named order.
SourceLine order_line(const std::vector<SourceFile>& files, const std::string& purpose) {
  SourceLine line = find_in(files, "\"" + purpose + "\", std::memory_order_", true);
  if (line.file.empty()) line.text = "the order called " + purpose;
  return line;
}

std::string weakened(const std::string& text, std::memory_order order) {
  constexpr std::string_view kPrefix = "std::memory_order_";
  const std::size_t at = text.find(kPrefix);
  if (at == std::string::npos) return text + " is only " + name_of(order);
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + kPrefix.size());
  return text.substr(0, at + kPrefix.size()) + name_of(order) + (end == std::string::npos ? "" : text.substr(end));
}

Difference difference(const std::vector<SourceFile>& files, const Mutation& mutation) {
  Difference one{describe(mutation), {}, {}};
  if (mutation.kind == Mutation::Kind::weaken) {
    one.correct.push_back(order_line(files, mutation.what));
    one.mutated.push_back(weakened(one.correct.front().text, mutation.order));
    return one;
  }
  const SourceLine what = step_line(files, mutation.what);
  switch (mutation.kind) {
    case Mutation::Kind::skip:
      one.correct = {what};
      one.mutated = {"(left out)"};
      break;
    case Mutation::Kind::hold:
      one.correct = {what};
      one.mutated = {"with " + mutation.other + " held: " + what.text};
      break;
    case Mutation::Kind::swap:
      one.correct = {what, step_line(files, mutation.other)};
      one.mutated = {one.correct[1].text, what.text};
      break;
    case Mutation::Kind::move_before:
      one.correct = {step_line(files, mutation.other), what};
      one.mutated = {what.text, one.correct[0].text};
      break;
    case Mutation::Kind::weaken: break;
  }
  return one;
}

}  // namespace

std::vector<Difference> differences(const Scenario& scenario, const std::filesystem::path& source) {
  if (scenario.mutations.empty()) return {};
  const std::vector<SourceFile> files = files_of(scenario, source);
  std::vector<Difference> all;
  for (const Mutation& mutation : scenario.mutations) all.push_back(difference(files, mutation));
  return all;
}

}  // namespace wakeproof::models::cli
