// wakeproof explain
#include "models/trace/explain.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "cli.hpp"
#include "models/trace/html.hpp"
#include "models/trace/json.hpp"
#include "models/trace/mermaid.hpp"
#include "models/trace/text.hpp"
#include "output.hpp"
#include "select.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr const char* kFormats = "text, json, mermaid, html";

bool is_format(const std::string& format) {
  return format == "text" || format == "json" || format == "mermaid" || format == "html";
}

std::string written(const Trace& trace, const ExplainOptions& options) {
  if (options.format == "json") return as_json(trace);
  if (options.format == "html") return as_html(trace);
  if (options.format == "mermaid") return as_mermaid(trace, options.detail);
  return as_explanation(trace, {.detail = options.detail});
}

std::vector<Bounds> sizes_of(const Scenario& scenario, const ExplainOptions& options) {
  std::vector<Bounds> sizes = sizes_to_explain(scenario);
  if (options.producers || options.items) {
    sizes = {scenario.size(options.producers.value_or(1), options.items.value_or(1))};
  }
  for (Bounds& bounds : sizes) {
    if (options.ticks) bounds.ticks = *options.ticks;
    const std::string wrong = scenario.reject(bounds);
    if (!wrong.empty()) throw UsageError(wrong);
  }
  return sizes;
}

// Nothing was found, so there is nothing to tell.
int nothing_to_explain(const Scenario& scenario, const Explanation& explanation) {
  std::string sizes;
  for (const Bounds& size : explanation.sizes) sizes += (sizes.empty() ? "" : ", ") + size_of(size);
  if (explanation.result.verdict == Verdict::proved) {
    fmt::print(stderr, "wakeproof: {} is proved at {}: there is nothing to explain\n", scenario.name, sizes);
    return kUnexpectedVerdict;
  }
  fmt::print(stderr, "wakeproof: {} at {}: {}\n", scenario.name, sizes, explanation.result.detail);
  return kInconclusive;
}

Trace read_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file || content.bad()) throw UsageError("cannot read '" + path + "'");
  try {
    return trace_from_json(content.str());
  } catch (const BadTrace& bad) {
    throw UsageError("'" + path + "' is no trace: " + bad.what());
  }
}

void write(const std::string& document, std::optional<OutputFile>& file) {
  if (file) {
    file->finish(document);
  } else {
    std::fwrite(document.data(), 1, document.size(), stdout);
  }
}

}  // namespace

int explain(const ExplainOptions& options) {
  if (!is_format(options.format)) {
    throw UsageError(fmt::format("there is no format '{}'; there are {}", options.format, kFormats));
  }
  if (options.scenario.empty() == options.from.empty()) {
    throw UsageError("explain takes either a scenario or a trace document (--from)");
  }
  std::optional<OutputFile> file;
  const auto open_output = [&] {
    if (!options.output.empty() && options.output != "-") file.emplace(options.output);
  };
  if (!options.from.empty()) {
    const Trace trace = read_trace(options.from);
    open_output();
    write(written(trace, options), file);
    return kAsExpected;
  }
  const Scenario& scenario = scenario_called(options.scenario);
  const std::vector<Bounds> sizes = sizes_of(scenario, options);
  open_output();
  const Explanation explanation = models::explain(scenario, sizes);
  if (!explanation.trace) return nothing_to_explain(scenario, explanation);
  write(written(*explanation.trace, options), file);
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
