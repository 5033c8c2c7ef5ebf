#!/bin/sh
# The book: written whole, twice the same, every link resolves, every trace in it is valid and can be
# taken again on the model, and on real threads where no step reads an old value or waits for a
# notification, and where the verdict is not a race, which a run does not show.
set -eu
wakeproof=$1
tree=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$wakeproof" book "$work/book" --source "$tree"
"$tree/ci/check_book.py" "$wakeproof" "$work/book"
"$tree/ci/validate_traces.py" "$work/book"
"$wakeproof" book "$work/again" --source "$tree" >/dev/null
diff -r "$work/book" "$work/again"
for trace in "$work"/book/*.json; do
  "$wakeproof" replay "$trace" >"$work/out" 2>&1 || { echo "book: $trace is not reproduced:" && tail -3 "$work/out" && exit 1; }
  held=0
  "$wakeproof" replay "$trace" --threads --timeout 300ms >"$work/out" 2>&1 || held=$?
  if grep -qE '"missed": *[0-9]|"operation": *"begin_wait"|"verdict": *"data_race"' "$trace"; then wanted=1; else wanted=0; fi
  [ $held -eq $wanted ] || { echo "book: $trace on real threads: exit status $held, not $wanted" && tail -3 "$work/out" && exit 1; }
done
