// Text for an HTML page: whatever a name, a value or a story holds, it stays text.
#pragma once

#include <string>
#include <string_view>

namespace wakeproof::models {

// Valid UTF-8 without characters that mean something to HTML, in content as well as in attributes.
std::string html_escaped(std::string_view text);
// The same, shortened where it is very wide.
std::string html_clipped(std::string_view text);
// The same, with "step 7" as a link to its row wherever there is such a step.
std::string html_with_links(std::string_view text, int steps);

}  // namespace wakeproof::models
