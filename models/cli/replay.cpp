// wakeproof replay
#include "models/trace/repeat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli.hpp"
#include "models/held/run_held.hpp"
#include "models/trace/json.hpp"
#include "models/trace/record.hpp"
#include "models/trace/text.hpp"
#include "models/trace/token.hpp"
#include "step.hpp"

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

Token token_in(const std::string& text) {
  try {
    return parse_token(text);
  } catch (const BadToken& bad) {
    throw UsageError(fmt::format("'{}' is no token: {}", text, bad.what()));
  }
}

// What the token's choices come to here. Throws UsageError: it is no token, or not of this program.
Recording recorded(const Token& token, const std::string& text) {
  const auto unusable = [&](const std::string& why) {
    return UsageError(fmt::format("the token '{}': {}", text, why));
  };
  const Scenario* scenario = scenario_named(token.scenario);
  if (scenario == nullptr) throw unusable("no scenario is called '" + token.scenario + "'");
  const std::string wrong = scenario->reject(token.bounds);
  if (!wrong.empty()) throw unusable(wrong);
  return record_as_far(*scenario, token.bounds, token.choices);
}

// In one line: why the recorded execution is not the token's. Empty: it is.
std::string difference(const Token& token, const Recording& recording) {
  if (!recording.differs.empty()) return recording.differs;
  const std::vector<unsigned>& made = recording.trace.choices;
  const auto [wanted, here] = std::mismatch(token.choices.begin(), token.choices.end(), made.begin(), made.end());
  if (wanted != token.choices.end() || here != made.end()) {
    return fmt::format("choice {} does not fit what the scenario does", wanted - token.choices.begin() + 1);
  }
  if (recording.trace.verdict == token.verdict) return {};
  return fmt::format("it comes to {}, not {}", name_of(recording.trace.verdict), name_of(token.verdict));
}

void print(const Trace& trace, bool detail) {
  const std::string text = as_text(trace, {.detail = detail});
  std::fwrite(text.data(), 1, text.size(), stdout);
}

HeldOptions held_options(const Trace& trace, const ReplayOptions& options, Stepper* stepper) {
  HeldOptions held;
  held.timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.timeout_s));
  held.before_step = [stepper](int step) {
    if (stepper != nullptr) stepper->before(step);
    wakeproof_step(step);
  };
  held.one_runs_on = trace.verdict == Verdict::busy_spin;
  return held;
}

// Of a trace that this program repeats: its schedule on real threads. True: they come to its verdict too.
bool on_threads(const Scenario& scenario, const Trace& trace, const ReplayOptions& options) {
  const std::string reason = cannot_hold(scenario, trace);
  if (!reason.empty()) throw CannotRepeat("it cannot be held on real threads: " + reason);
  std::optional<Stepper> stepper;
  if (options.step) {
    stepper.emplace(trace);
  } else {
    print(trace, options.detail);
  }
  const HeldResult result =
      run_held(scenario, trace.bounds, schedule_of(trace), held_options(trace, options, stepper ? &*stepper : nullptr));
  fmt::print("\n{} of {} steps held on real threads\n{}\n", result.seen.steps, trace.steps.size(), result.words);
  return result.followed() && result.finding.verdict == trace.verdict;
}

// On the model. A trace is recorded again while somebody looks at it.
void on_model(const Scenario& scenario, const Trace& trace, const ReplayOptions& options) {
  if (!options.step) return print(trace, options.detail);
  Stepper stepper(trace);
  record_as_far(scenario, trace.bounds, trace.choices,
                {.max_steps = static_cast<int>(trace.steps.size()) + kMaxSteps, .before_step = [&](int step) {
                   stepper.before(step);
                   wakeproof_step(step);
                 }});
}

int replay_on(const Trace& trace, const Scenario& other, const ReplayOptions& options) {
  int fitted = 0;
  const Trace now = follow(other, trace, fitted);
  bool well = now.verdict == other.expected_at(trace.bounds) || now.verdict == Verdict::proved;
  if (options.threads) {
    well = on_threads(other, now, options) && well;
  } else {
    on_model(other, now, options);
  }
  fmt::print("\n{} of the {} turns of {} fit {}: {}\n", fitted, trace.steps.size(), trace.scenario, other.name,
             name_of(now.verdict));
  return well ? kAsExpected : kUnexpectedVerdict;
}

int replay_itself(const Trace& trace, const ReplayOptions& options) {
  const Scenario& scenario = scenario_of(trace);
  const Repeated repeated = repeat(scenario, trace);
  if (repeated.misfit) {
    fmt::print(stderr, "wakeproof: '{}' is not reproduced: {}\n", options.trace, in_words(*repeated.misfit));
    return kUnexpectedVerdict;
  }
  if (!options.threads) {
    on_model(scenario, repeated.now, options);
  } else if (!on_threads(scenario, repeated.now, options)) {
    fmt::print(stderr, "wakeproof: '{}' is not reproduced on real threads, where it should be {}\n", options.trace,
               name_of(trace.verdict));
    return kUnexpectedVerdict;
  }
  fmt::print("\nreproduced: {}\n", name_of(repeated.now.verdict));
  return kAsExpected;
}

}  // namespace

int replay(ReplayOptions options) {
  if (options.trace.empty() == options.token.empty()) {
    throw UsageError("replay takes either a trace document or a token (--token)");
  }
  Trace trace;
  if (options.token.empty()) {
    trace = trace_in(options.trace);
  } else {
    const Token token = token_in(options.token);
    Recording recording = recorded(token, options.token);
    if (const std::string differs = difference(token, recording); !differs.empty()) {
      fmt::print(stderr, "wakeproof: the token is not reproduced: {}\n", differs);
      return kUnexpectedVerdict;
    }
    trace = std::move(recording.trace);
    options.trace = options.token;  // what complaints call it
  }
  try {
    if (!options.on.empty()) return replay_on(trace, scenario_for(trace, options.on), options);
    return replay_itself(trace, options);
  } catch (const CannotRepeat& cannot) {
    throw UsageError(fmt::format("'{}': {}", options.trace, cannot.what()));
  }
}

}  // namespace wakeproof::models::cli
