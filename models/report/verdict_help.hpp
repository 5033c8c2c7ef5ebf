// What each verdict means, for somebody who meets it in a report of a program that they do not know.
#pragma once

#include <string>
#include <string_view>

#include "models/verdict.hpp"

namespace wakeproof::models {

struct VerdictHelp {
  std::string_view short_text;  // one sentence
  std::string_view full_text;   // what was seen
  std::string_view advice;      // where to look
};

const VerdictHelp& help_of(Verdict verdict);
// "LostWakeup"
std::string identifier_of(Verdict verdict);

}  // namespace wakeproof::models
