// Token: one execution of one scenario as a word that can be copied out of a report and replayed.
//
//   output_sink/missing_second_drain:1x1:8:0:lost_wakeup:1.1.0.0.1
//   scenario : producers x items : batch : ticks : verdict : choices
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "models/verdict.hpp"

namespace wakeproof::models {

struct Token {
  std::string scenario;
  Bounds bounds;
  Verdict verdict = Verdict::proved;  // that the execution comes to
  std::vector<unsigned> choices;

  std::string text() const;
  friend bool operator==(const Token&, const Token&) = default;
};

// Why a word is no token, in one sentence.
struct BadToken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws BadToken. Whether there is such a scenario, and whether the choices fit it, is not looked at.
Token parse_token(const std::string& text);

}  // namespace wakeproof::models
