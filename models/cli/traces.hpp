// The counterexamples of a run as documents in a folder, and as pages: one for each verdict that was not
// expected.
#pragma once

#include <string>
#include <vector>

#include "models/report/json.hpp"

namespace wakeproof::models::cli {

// Makes the folder. Throws UsageError when it cannot be written to: before anything is searched.
void prepare_folder(const std::string& folder);

// Writes `output_sink.loop.correct.2x1.json` and its like, each with its page beside it, `...2x1.html`,
// and notes the path of the document in the answer.
void write_traces(const std::string& folder, std::vector<Answer>& answers);

}  // namespace wakeproof::models::cli
