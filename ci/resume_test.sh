#!/bin/bash
# A search that is stopped goes on from its checkpoint to the same counts: stopped by a budget, by a limit,
# by SIGINT and SIGTERM, on one core and on two, and killed with SIGKILL at moments it does not choose.
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
wakeproof=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "resume: $*" >&2
  exit 1
}

scenario=calibration/mutex_sink
size=(-P 2 -I 2)
# verdict, complete, stuck and distinct graphs
outcome() {
  python3 -c '
import json, sys
for result in json.load(open(sys.argv[1]))["results"]:
    executions = result["executions"]
    print(result["verdict"], executions["complete"], executions["stuck"], executions["distinct"])' "$1"
}
wanted="proved 393892 0 393892"

# Goes on until the search is over; each turn may be stopped once more.
finish() {
  local turns=0
  while ! "$wakeproof" run --resume wakeproof.checkpoint "$@" --json result.json >/dev/null 2>message; do
    turns=$((turns + 1))
    [ "$turns" -lt 100 ] || fail "does not come to an end: $(cat message)"
    [ -e wakeproof.checkpoint ] || fail "stopped without a checkpoint: $(cat message)"
  done
  [ "$(outcome result.json)" = "$wanted" ] || fail "$* comes to $(outcome result.json), not $wanted"
  [ ! -e wakeproof.checkpoint ] || fail 'a checkpoint is left of a search that is over'
}
stopped() {
  "$wakeproof" run $scenario "${size[@]}" --graphs "$@" >out 2>message && fail "$* does not stop the search"
  grep -q "what is left is kept in 'wakeproof.checkpoint'" message || fail "$*: no word of a checkpoint: $(cat message)"
  grep -q inconclusive out || fail "$*: a search that was stopped is not inconclusive: $(cat out)"
}

stopped --budget 300ms && finish --budget 700ms
stopped --max-executions 20000 && finish --max-executions 150000
stopped -j 2 --max-executions 20000 && finish -j 2
stopped --budget 300ms -j 2 && finish -j 2 --budget 700ms

# Ctrl-C reaches the whole process group, another signal mostly the command alone.
for way in "INT -- -" "TERM "; do
  setsid "$wakeproof" run $scenario "${size[@]}" --graphs -j 2 >out 2>message &
  run=$!
  sleep 0.5
  kill -${way}$run
  status=0
  wait $run || status=$?
  [ $status -eq 12 ] || fail "exit status $status after SIG${way%% *}, not 12"
  finish -j 2
done

# Killed while it writes checkpoints as fast as it can: whichever one is there is whole.
for pause in 0.3 0.5 0.7; do
  "$wakeproof" run $scenario "${size[@]}" --graphs --checkpoint-every 0.001 >out 2>&1 &
  run=$!
  sleep $pause
  kill -KILL $run 2>/dev/null || true
  wait $run 2>/dev/null || true
  [ -e wakeproof.checkpoint ] || continue
  finish
done

refused() {
  local status=0
  "$wakeproof" run --resume wakeproof.checkpoint "${@:2}" >/dev/null 2>message || status=$?
  [ $status -eq 1 ] || fail "a checkpoint that is $1: exit status $status, not 1"
  [ "$(wc -l <message)" -eq 1 ] || fail "not one line: $(cat message)"
}
stopped --max-executions 1000
cp wakeproof.checkpoint keep
refused 'asked something else' -P 3
head -c 2000 keep >wakeproof.checkpoint && refused truncated && grep -q damaged message || fail "truncated: $(cat message)"
sed 's/"complete":/"complete":1/' keep >wakeproof.checkpoint && refused changed && grep -q 'changed since' message ||
  fail "changed: $(cat message)"
sed 's/mutex_sink"/mutex_sank"/' keep >wakeproof.checkpoint && refused foreign
rm wakeproof.checkpoint && refused missing && grep -q 'cannot read' message || fail "missing: $(cat message)"

# Progress, where there is no terminal: plain lines, with an estimate once there is one.
"$wakeproof" run calibration/tagged_sink -P 2 -I 2 --budget 6s --progress 1 --checkpoint '' >/dev/null 2>progress || true
grep -qE '^calibration/tagged_sink 2x2: .* executions, .*/s, [0-9]+% of about .* \(\+-[0-9]+%\), .* left$' progress ||
  fail "progress: $(cat progress)"
[ ! -e wakeproof.checkpoint ] || fail 'a checkpoint was kept that nobody wanted'
# On a terminal: one line that is written over.
script -qec "'$wakeproof' run calibration/tagged_sink -P 2 -I 2 --budget 2s --checkpoint ''" /dev/null >terminal || true
grep -qP '\r.*executions.*\x1b\[K' terminal || fail 'no progress line on a terminal'
echo "resume: $wanted, however it is stopped"
