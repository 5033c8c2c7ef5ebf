// The reader of trace documents against anything: it refuses with a sentence, or what it gives can be
// written again and rendered. Without Relacy, which keeps the sanitizers out.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "html.hpp"
#include "json.hpp"
#include "mermaid.hpp"
#include "step_text.hpp"
#include "text.hpp"

namespace {

using namespace wakeproof::models;

void must(bool ok) {
  if (!ok) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Trace trace;
  try {
    trace = trace_from_json(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const BadTrace& bad) {
    must(*bad.what() != '\0');
    return 0;
  }
  const std::string document = as_json(trace);
  must(as_json(trace_from_json(document)) == document);
  must(!as_text(trace).empty());
  must(!as_explanation(trace, {.columns = 60, .detail = true}).empty());
  must(!as_mermaid(trace).empty());
  must(!as_html(trace).empty());
  StepText steps(trace, 60);
  for (const TraceStep& step : trace.steps) must(!steps.step(step.number).empty());
  return 0;
}
