// The words that people and documents see for operations, memory orders and verdicts.
#include <array>

#include "operation.hpp"
#include "verdict.hpp"

namespace wakeproof::models {

const char* name_of(OpKind kind) {
  switch (kind) {
    case OpKind::none: return "none";
    case OpKind::load: return "load";
    case OpKind::store: return "store";
    case OpKind::exchange: return "exchange";
    case OpKind::fetch_modify: return "fetch_modify";
    case OpKind::compare_exchange: return "compare_exchange";
    case OpKind::fence: return "fence";
    case OpKind::light_fence: return "light_fence";
    case OpKind::heavy_fence: return "heavy_fence";
    case OpKind::await: return "await";
    case OpKind::lock: return "lock";
    case OpKind::try_lock: return "try_lock";
    case OpKind::unlock: return "unlock";
    case OpKind::set: return "set";
    case OpKind::clear: return "clear";
    case OpKind::wait: return "wait";
    case OpKind::write_byte: return "write_byte";
    case OpKind::read_all: return "read_all";
    case OpKind::select: return "select";
    case OpKind::close: return "close";
    case OpKind::begin_wait: return "begin_wait";
    case OpKind::end_wait: return "end_wait";
    case OpKind::notify_one: return "notify_one";
    case OpKind::notify_all: return "notify_all";
    case OpKind::acquire: return "acquire";
    case OpKind::try_acquire: return "try_acquire";
    case OpKind::release: return "release";
    case OpKind::start: return "start";
    case OpKind::begin: return "begin";
    case OpKind::exit: return "exit";
    case OpKind::join: return "join";
    case OpKind::tick: return "tick";
    case OpKind::now: return "now";
  }
  return "?";
}

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_consume: return "consume";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_seq_cst: return "seq_cst";
  }
  return "?";
}

namespace {
constexpr std::array<std::string_view, kVerdicts> kVerdictNames{
    "proved",         "lost_wakeup", "deadlock",         "data_race",      "busy_spin",
    "excess_wakeups", "item_lost",   "item_duplicated",  "order_violated", "deadline_missed",
    "use_after_free", "leak",        "assertion_failed", "inconclusive"};
}

std::string_view name_of(Verdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (int i = 0; i < kVerdicts; ++i) {
    if (kVerdictNames[static_cast<std::size_t>(i)] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

}  // namespace wakeproof::models
