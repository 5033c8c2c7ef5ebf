#!/bin/sh
# The gate for data races on real threads. It first makes sure that it can see: a known race must be
# reported and a clean program must not be, or the gate itself is broken.
set -u
cd "$(dirname "$0")/.."
ci/build.sh tsan || exit 1
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"

build/tsan/tsan_canary_race >/dev/null 2>&1
if [ $? -ne 66 ]; then
  echo 'tsan gate: broken: ThreadSanitizer does not report the race of ci/tsan_canary_race.cpp' >&2
  exit 2
fi
if ! build/tsan/tsan_canary_clean >/dev/null 2>&1; then
  echo 'tsan gate: broken: ThreadSanitizer reports ci/tsan_canary_clean.cpp, which has no race' >&2
  exit 2
fi
exec ctest --preset tsan
