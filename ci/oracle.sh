#!/bin/sh
# The gate for the reductions: on random programs, under the free clock too, and on the scenarios that are small
# enough, the reduced search finds the graphs that the search without reduction finds. It first makes sure that the
# test cases are there.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh dev
tests=build/models_test
known=$("$tests" --list-test-names-only || true)  # Catch2 2.x exits with their number
while IFS= read -r name; do
  printf '%s\n' "$known" | grep -qxF "$name" || { echo "oracle: models_test has no test case '$name'" >&2; exit 2; }
  # Catch2 takes a comma between names for an or.
  "$tests" "$(printf '%s' "$name" | sed 's/,/\\,/g')" || { echo "oracle: failed: $name" >&2; exit 1; }
done <<'NAMES'
random programs of loads and exchanges: the same graphs
random programs of all atomic operations: the same graphs
random programs with mutexes, fences, events and timeouts too: the same graphs
random programs in pieces: the same graphs as often as in one go
random programs of five threads: the same graphs as optimal and as read_from
programs that graphs were lost of: the same graphs
a reduction that is wrong is caught
every scenario small enough: the same graphs
a tick may come at any moment: a wait ends by its event or by its deadline
random programs under the free clock: the same graphs with and without reduction
NAMES
echo 'oracle: no graph is lost'
