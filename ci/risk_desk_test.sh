#!/bin/bash
# The risk desk as a person meets it: a row for each hand-off, the same book over all of them, and calls that are wrong.
# No time is looked at: how long anything takes is the machine's affair.
set -u
desk=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
pace=500

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}
# run ARGUMENTS: a day that ends well, its rows in $work/rows
run() {
  "$desk" --paths 200 --pace "$pace" --idle 50 "$@" >"$work/out" 2>"$work/err" || fail "$* gives exit status $?"
  [ ! -s "$work/err" ] || fail "$*: standard error: $(head -1 "$work/err")"
  sed -n '2,$p' "$work/out" | sed '$d' >"$work/rows"
}
column() { awk -v row="$1" -v column="$2" '$1 == row { print $column }' "$work/rows"; }
# all ARGUMENTS: every update over every hand-off, batched with no more wakes than one each
all() {
  local updates=$1
  shift
  run --updates "$updates" "$@"
  [ "$(awk '{ print $1 }' "$work/rows" | tr '\n' ' ')" = 'batched per-update polled-1ms polled-10ms ' ] || fail "$*: the rows"
  [ "$(awk '{ print $2 }' "$work/rows" | sort -u)" = "$updates" ] || fail "$*: every hand-off applies $updates updates"
  [ "$(column per-update 3)" = "$updates" ] || fail "$*: one wake an update"
  [ "$(column batched 3)" -ge 1 ] && [ "$(column batched 3)" -le "$updates" ] || fail "$*: batched wakes"
  [ "$(awk '{ print $10, $11 }' "$work/rows" | sort -u | wc -l)" = 1 ] || fail "$*: the books differ"
  grep -q "^$(column batched 10) of .* the same over every hand-off$" "$work/out" || fail "$*: the last line"
}
refuses() {
  "$desk" "$@" >"$work/out" 2>"$work/err"
  local status=$?
  [ $status -eq 1 ] || fail "$*: exit status $status instead of 1"
  [ "$(wc -l <"$work/err")" = 1 ] && [ ! -s "$work/out" ] || fail "$*: not one line of error alone"
}

all 3200 --workers 2
two_workers=$(awk '{ print $10, $11 }' "$work/rows")
[ "$(column batched 10)" -gt 0 ] && [ "$(column batched 10)" -lt 64 ] || fail 'some orders are cancelled, not all'
all 3200 --workers 5
[ "$(awk '{ print $10, $11 }' "$work/rows")" = "$two_workers" ] || fail 'the book depends on the number of workers'
all 3200 --workers 2 --seed 2
[ "$(awk '{ print $10, $11 }' "$work/rows")" != "$two_workers" ] || fail 'the book does not depend on the seed'
all 1 --workers 4            # most have nothing to do
pace=0 all 700 --workers 3   # not a whole number of ticks, nor of orders a worker

run --updates 100 --hand-off polled-1ms --hand-off batched
[ "$(awk '{ print $1 }' "$work/rows" | tr '\n' ' ')" = 'polled-1ms batched ' ] || fail 'the hand-offs that were named'

refuses --workers 0
refuses --workers many
refuses --updates -1
refuses --hand-off pigeon
refuses --hand-off
refuses 17
"$desk" --help >"$work/out" 2>"$work/err" && grep -q 'Example: wakeproof-risk-desk' "$work/out" || fail '--help'

[ $failures -eq 0 ] && echo 'the desk cancels the same orders over every hand-off'
exit $((failures > 0))
