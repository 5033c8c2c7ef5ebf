#!/bin/sh
# The book: written whole, twice the same, every link resolves, every trace in it is valid and can be
# taken again, on the model and, where no step reads an old value or waits for a
# notification, the clock is not free and the verdict is one that a run shows, on real threads.
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
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
  wanted=$(python3 -c 'import json, sys
trace = json.load(open(sys.argv[1]))
unseen = trace["verdict"] in ("data_race", "use_after_free", "leak")  # by a run on threads
unseen = unseen or trace["bounds"]["ticks"] > 0
print(int(unseen or any(step.get("missed") or step["operation"] in ("begin_wait", "end_wait") for step in trace["steps"])))' "$trace")
  [ $held -eq $wanted ] || { echo "book: $trace on real threads: exit status $held, not $wanted" && tail -3 "$work/out" && exit 1; }
done
