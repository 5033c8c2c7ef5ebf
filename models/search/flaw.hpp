// Flaw: a reduction that is wrong in a known way, to see that the tests of the reduction can tell.
#pragma once

namespace wakeproof::models {

enum class Flaw {
  none,
  missing_dependence,
  sleeper_not_woken,
  failed_cas_is_a_store,
  race_reversed_once,    // not again with what followed it in another execution
  any_first_operation,   // symmetry: also threads that begin with different operations wait for each other
  unordered_beginnings,  // symmetry: and come after each other in no clock
  forgotten_reads,       // sections: what is read is left out
  no_discipline,         // sections: data that no mutex protects raises no doubt
};

}  // namespace wakeproof::models
