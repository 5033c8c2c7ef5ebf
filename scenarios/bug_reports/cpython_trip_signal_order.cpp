// bug_reports/cpython_trip_signal_order/*: CPython issue 74224 (bpo-30038).
#include "cpython_trip_signal_order.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

const bool added[] = {
    add<RunTurns, WakeupFd>({.name = "bug_reports/cpython_trip_signal_order/correct",
                             .story = "CPython issue 74224 (bpo-30038), the fix: the signal is noted first, and "
                                      "then the byte is written that wakes the loop."}),
    add<RunTurns, WakeupFd>({.name = "bug_reports/cpython_trip_signal_order/byte_before_flag",
                             .story = "CPython issue 74224 (bpo-30038): the byte is written before the signal is "
                                      "noted. A loop on another thread wakes, reads the byte, finds no signal and "
                                      "sleeps again: Ctrl-C goes unnoticed.",
                             .expected = Verdict::lost_wakeup,
                             .mutations = {models::swap("trip", "write_byte")}}),
};

}  // namespace
}  // namespace wakeproof
