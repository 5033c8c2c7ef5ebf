// The tables of a page: the steps, one column a thread, and beside them the nearest schedule that ends well.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

// Above so many threads a table has one column for all, with the thread's name in it.
inline constexpr std::size_t kThreadColumns = 4;

// Each step is a row with the id step-7, step 0 being the start; a section under a mutex is a row of its
// own too, which stands for its steps where the page is folded. In parts of some hundred steps, so that
// a browser need not lay out all of an enormous trace.
std::string html_steps(const Trace& trace);

// The two schedules from their first difference on. Empty where there is none that ends well.
std::string html_passing(const Trace& trace);

}  // namespace wakeproof::models
