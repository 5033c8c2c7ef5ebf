// Excuse: why a change of a subject that no scenario notices may stay unnoticed. And where they are kept.
//
// An audit shows the sentence with the change. An excuse for a change that is noticed after all, or
// that cannot be made any more, makes the audit fail.
#pragma once

#include <string>
#include <vector>

namespace wakeproof::models {

struct Excuse {
  std::string subject;  // as it is audited
  std::string change;   // as describe() words it: "swap post and write_byte"
  std::string why;
};

// Filled before main() by the objects that are linked in, like the catalogue.
inline std::vector<Excuse>& excuses() {
  static std::vector<Excuse> all;
  return all;
}

inline bool excuse(std::string subject, std::string change, std::string why) {
  excuses().push_back({std::move(subject), std::move(change), std::move(why)});
  return true;
}

}  // namespace wakeproof::models
