#!/bin/sh
# A platform that misses a member is refused, and the compiler's message names what is missing.
set -eu
cd "$(dirname "$0")/.."
compiler=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
# member to take away, concept that must be named
while IFS='|' read -r member concept; do
  cat >"$work/refused.cpp" <<SOURCE
#include "sink/thread_platform.hpp"
#include "sink/event_wake.hpp"
template <class T>
struct NoWait : wakeproof::threads::atomic<T> {
  using wakeproof::threads::atomic<T>::atomic;
  void wait(T) = delete;
};
struct Lacking : wakeproof::ThreadPlatform {
  $member
};
wakeproof::EventWake<Lacking> wake;
SOURCE
  if "$compiler" -std=c++20 -I. -fsyntax-only "$work/refused.cpp" 2>"$work/message"; then
    echo "seam_refusal: a platform with '$member' is accepted" >&2
    status=1
  elif ! grep -q "$concept" "$work/message"; then
    echo "seam_refusal: the refusal of '$member' does not name $concept:" >&2
    head -20 "$work/message" >&2
    status=1
  fi
done <<'CASES'
using mutex = int;|HasMutex
using event = int;|HasEvent
using wake_pipe = int;|HasWakePipe
using selector = int;|HasSelector
using clock = int;|HasClock
using thread = int;|HasThread
static void fence();|HasFence
static void light_fence(int);|HasAsymmetricFences
using condition_variable = int;|HasConditionVariable
using semaphore = int;|HasSemaphore
template <class T> using atomic = NoWait<T>;|HasAtomicWait
static void run();|HasRun
CASES
exit $status
