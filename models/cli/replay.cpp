// wakeproof replay
#include "models/trace/repeat.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli.hpp"
#include "models/trace/json.hpp"
#include "models/trace/text.hpp"

namespace wakeproof::models::cli {

namespace {

std::string content_of(const std::string& path) {
  const auto cannot = [&] { return UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(errno))); };
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) throw cannot();
  std::string content;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, got);
  const bool failed = std::ferror(file) != 0;
  if (failed) {
    const UsageError error = cannot();
    std::fclose(file);
    throw error;
  }
  std::fclose(file);
  return content;
}

Trace trace_in(const std::string& path) {
  try {
    return trace_from_json(content_of(path));
  } catch (const BadTrace& bad) {
    throw UsageError(fmt::format("'{}': {}", path, bad.what()));
  }
}

void print(const Trace& trace, bool detail) {
  const std::string text = as_text(trace, {.detail = detail});
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int replay_on(const Trace& trace, const Scenario& other, const ReplayOptions& options) {
  int fitted = 0;
  const Trace now = follow(other, trace, fitted);
  print(now, options.detail);
  fmt::print("\n{} of the {} turns of {} fit {}: {}\n", fitted, trace.steps.size(), trace.scenario, other.name,
             name_of(now.verdict));
  return now.verdict == other.expected_at(trace.bounds) || now.verdict == Verdict::proved ? kAsExpected
                                                                                          : kUnexpectedVerdict;
}

}  // namespace

int replay(const ReplayOptions& options) {
  const Trace trace = trace_in(options.trace);
  try {
    if (!options.on.empty()) return replay_on(trace, scenario_for(trace, options.on), options);
    const Repeated repeated = repeat(scenario_of(trace), trace);
    if (repeated.misfit) {
      fmt::print(stderr, "wakeproof: '{}' is not reproduced: {}\n", options.trace, in_words(*repeated.misfit));
      return kUnexpectedVerdict;
    }
    print(repeated.now, options.detail);
    fmt::print("\nreproduced: {}\n", name_of(repeated.now.verdict));
  } catch (const CannotRepeat& cannot) {
    throw UsageError(fmt::format("'{}': {}", options.trace, cannot.what()));
  }
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
