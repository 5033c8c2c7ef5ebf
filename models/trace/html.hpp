// A trace as a page: one HTML file that works by opening it, without network. A table to read without
// script; with it, a person goes through the steps and sees the state after each.
#pragma once

#include <string>

#include "trace.hpp"

namespace wakeproof::models {

// What a site puts around a trace, as HTML: above the title, and below it.
struct HtmlAround {
  std::string above;
  std::string below_title;
};

// The same bytes for the same trace.
std::string as_html(const Trace& trace, const HtmlAround& around = {});

// A page of the same looks with other content. `title` is text, `body` is HTML.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace wakeproof::models
