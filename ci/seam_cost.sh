#!/bin/sh
# At -O2 the thread platform costs nothing: each seam_X of seam_cost.cpp has the instructions of hand_X.
set -eu
cd "$(dirname "$0")/.."
compiler=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$compiler" -std=c++20 -O2 -fno-asynchronous-unwind-tables -fcf-protection=none -I. -S ci/seam_cost.cpp -o "$work/all.s"

# The instructions of one function, with its own name and the numbers of labels taken out.
instructions_of() {
  sed -n "/^$1:/,/\.size[[:space:]]*$1/p" "$work/all.s" |
    grep -vE '^[[:space:]]*\.|^[[:space:]]*#|^\.L(FB|FE|func)' | sed -E "s/$1/FUNCTION/g; s/\.L[A-Za-z_]*[0-9_]+/.L/g; s/#.*//; s/[[:space:]]+\$//"
}
status=0
for pair in put drain link append; do
  instructions_of "seam_$pair" >"$work/seam"
  instructions_of "hand_$pair" >"$work/hand"
  [ "$(wc -l <"$work/hand")" -gt 3 ] || { echo "seam_cost: hand_$pair has no instructions to compare" >&2; exit 1; }
  if ! diff -u "$work/hand" "$work/seam" >"$work/diff"; then
    echo "seam_cost: $pair costs something through the seam:" >&2
    cat "$work/diff" >&2
    status=1
  fi
done
[ $status -ne 0 ] || echo 'seam_cost: put, drain, link and append are the hand-written instructions'
exit $status
