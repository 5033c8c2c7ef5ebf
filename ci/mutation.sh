#!/bin/sh
# The gate for memory orders and protocol steps: each one of a shipped subject that is left out, exchanged or weakened
# must be noticed by a scenario, or excused with a reason: ci/mutation.sh [SUBJECT...]
set -eu
cd "$(dirname "$0")/.."
shipped='bounded_queue coroutine_server event_loop output_sink output_sink/loop several_consumers slot_sink tasks'
[ $# -gt 0 ] || set -- $shipped
ci/build.sh dev
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
build/wakeproof audit "$@" >"$out" || status=$?
cat "$out"
case $status in
  0) echo "mutation: every change of $* is noticed or excused" ;;
  10) echo "mutation: $(grep -c 'IT SURVIVES' "$out" || true) changes that no scenario notices, $(grep -c '^WRONG' "$out" || true) wrong" >&2 ;;
  *) echo "mutation: audit gives exit status $status: $(tail -1 "$out")" >&2 ;;
esac
exit $status
