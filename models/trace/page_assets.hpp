// The style and the script of a page, from page/page.css and page/page.js; the build makes strings of them.
#pragma once

#include <string_view>

namespace wakeproof::models {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace wakeproof::models
