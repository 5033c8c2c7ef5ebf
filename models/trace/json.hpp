// A trace as a JSON document, and back. The shape is that of the structs in trace.hpp, field by field;
// trace.schema.json describes it. Version 1: fields may be added, never renamed or given another meaning.
#pragma once

#include <stdexcept>
#include <string>

#include "trace.hpp"

namespace wakeproof::models {

inline constexpr int kTraceSchema = 1;

// Why a document is no trace, in one sentence.
struct BadTrace : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The same bytes for the same trace.
std::string as_json(const Trace& trace);

// Throws BadTrace. What it gives is consistent in itself: every number of a step, thread or object is
// one of the trace's.
Trace trace_from_json(const std::string& text);

}  // namespace wakeproof::models
