#!/bin/sh
# The gate for real threads, without a sanitizer: sink, server, scenarios, held schedules, and 20 s under load.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh dev
for test in sink.threads server.sockets scenarios.threads held.threads soak; do
  ctest --preset dev --no-tests=error -R "^$test\$" || { echo "threads: failed: $test" >&2; exit 1; }
done
