// The counterexamples of a run as documents in a folder, and as pages: one for each verdict that was not
// expected.
#pragma once

#include <string>

#include "models/report/json.hpp"

namespace wakeproof::models::cli {

// Makes the folder. Throws UsageError when it cannot be written to: before anything is searched.
void prepare_folder(const std::string& folder);

// Writes the answer's story, where it has one, as `output_sink.loop.correct.2x1.json` and its like, with its page
// beside it, `...2x1.html`, and notes the path of the document in the answer.
void write_trace(const std::string& folder, Answer& answer);

}  // namespace wakeproof::models::cli
