// The one door to the Relacy Race Detector: its headers, with their hazards shut in.
//
// Relacy defines macros over `new`, `delete`, `malloc`, `assert`, `memory_order_*`, `$` and more,
// and a history of three stores an atomic. So: the standard library first, then Relacy with the
// constant replaced, then every macro undone. Relacy also replaces the global operator new and
// delete; both go to the current context, which Context (relacy_context.hpp) answers.
#pragma once

#include <cxxabi.h>
#include <cassert>
#include <cerrno>
#include <cstdlib>
// pch.hpp brings what Relacy itself includes, before its macros exist.
#include <relacy/pch.hpp>

// How many stores to one atomic an execution can hold; one more is an error, never a silent loss.
#define atomic_history_size stock_atomic_history_size
#include <relacy/defs.hpp>
#undef atomic_history_size
namespace rl {
size_t const atomic_history_size = 32;
}

#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef VAR_T
#undef TLS_T
#undef VAR
#undef $
#define errno (*__errno_location())
