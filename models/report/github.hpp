// Results for GitHub Actions: annotations, which it shows beside the source, and a summary of the job in Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "json.hpp"

namespace wakeproof::models {

// Of each kind in one step; it drops the others without a word.
inline constexpr std::size_t kAnnotationsShown = 10;
// Of all that the job's step writes; it drops the whole summary of a step that writes more.
inline constexpr std::size_t kSummaryBytes = 1024 * 1024;

// A workflow command a line: an error for each unexpected verdict, a warning for each inconclusive one. Where
// there are more than are shown, the last one says how many.
std::string github_annotations(const std::vector<Answer>& answers);

// A table, and the first counterexamples as diagrams. Not more than `room` bytes: what does not fit is left out by
// whole sections, and said to be.
std::string github_summary(const std::vector<Answer>& answers, std::size_t room = kSummaryBytes);

}  // namespace wakeproof::models
