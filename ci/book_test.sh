#!/bin/sh
# The book: written whole, twice the same, every link resolves, every trace in it is valid.
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
