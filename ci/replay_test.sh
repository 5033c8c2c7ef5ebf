#!/bin/bash
# wakeproof replay as a person or a script meets them.
set -u
export WAKEPROOF_CACHE=  # what was proved before would not be tested
wakeproof=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# expect STATUS PATTERN-IN-STDOUT PATTERN-IN-STDERR -- ARGUMENTS; a pattern `-` means: nothing there.
# Standard input is $input.
input=/dev/null
expect() {
  local status=$1 out=$2 err=$3
  shift 4
  timeout 120 "$wakeproof" "$@" >"$work/out" 2>"$work/err" <"$input"
  local got=$?
  [ $got -eq "$status" ] || fail "wakeproof $*: exit status $got instead of $status: $(head -c 300 "$work/err")"
  has "$work/out" "$out" || fail "wakeproof $*: standard output lacks '$out': $(tail -5 "$work/out")"
  has "$work/err" "$err" || fail "wakeproof $*: standard error lacks '$err': $(head -c 300 "$work/err")"
  if [ "$status" -eq 1 ] && [ "$(wc -l <"$work/err")" -ne 1 ]; then fail "wakeproof $*: not one line of error"; fi
}
has() {
  if [ "$2" = - ]; then [ ! -s "$1" ]; else grep -qE -- "$2" "$1"; fi
}
# edit FROM TO PYTHON-STATEMENT-ON-`trace`
edit() {
  python3 - "$@" <<'PYTHON'
import json, sys
trace = json.load(open(sys.argv[1]))
exec(sys.argv[3])
json.dump(trace, open(sys.argv[2], "w"))
PYTHON
}

lost=$work/lost.json
"$wakeproof" explain output_sink/missing_second_drain --format json -o "$lost" || fail 'no trace to begin with'

# Every mutant, from its document; and on real threads, where its schedule is sequentially consistent.
held=0
for mutant in $("$wakeproof" list --json | python3 -c '
import json, sys
document = json.load(sys.stdin)
for scenario in document["scenarios"] if isinstance(document, dict) else document:
    if scenario["expected"] != "proved": print(scenario["name"], scenario["expected"], sep="=")'); do
  "$wakeproof" explain "${mutant%=*}" --format json -o "$work/one.json" || fail "explain $mutant"
  expect 0 "^reproduced: ${mutant#*=}\$" - -- replay "$work/one.json"
  if [ "${mutant%%/*}" = std_names ]; then
    expect 1 - 'has no script for threads that are held to a schedule' -- replay "$work/one.json" --threads
  elif grep -q '"ticks": [1-9]' "$work/one.json"; then
    expect 1 - 'its clock is free: .* no real clock can be held to' -- replay "$work/one.json" --threads
  elif grep -q '"missed": [0-9]' "$work/one.json"; then
    expect 1 - 'reads an old value, .* only a sequentially consistent schedule' -- replay "$work/one.json" --threads
  elif grep -q '"operation": *"begin_wait"' "$work/one.json"; then
    expect 1 - 'waits for a notification, which is one real call and two steps here' -- replay "$work/one.json" --threads
  elif [ "${mutant#*=}" = data_race ] || [ "${mutant#*=}" = use_after_free ]; then
    expect 1 - "its verdict is ${mutant#*=}, which no run on real threads shows by itself" -- replay "$work/one.json" --threads
  else
    expect 0 "^reproduced: ${mutant#*=}\$" - -- replay "$work/one.json" --threads --timeout 200ms
    grep -qE ', for real$' "$work/out" || fail "${mutant%=*} on real threads: not for real: $(tail -3 "$work/out")"
    held=$((held + 1))
  fi
done
[ $held -ge 20 ] || fail "only $held mutants were held on real threads"

expect 0 'Examples: wakeproof explain' - -- replay --help
expect 0 '^    7  +producer *|ring: set data_ready' - -- replay "$lost"
expect 0 '^    1  +drain: lock queue_lock' - -- replay "$lost" --detail
expect 0 '^10 of the 10 turns .* fit output_sink/correct: proved$' - -- replay "$lost" --on output_sink/correct

# On real threads: the mutant sleeps through its timeout, the correct sink does not.
begin=$(date +%s%N)
expect 0 '^consumer slept through 1 s with 1 item queued: lost wakeup, for real$' - -- replay "$lost" --threads
[ $(($(date +%s%N) - begin)) -ge 1000000000 ] || fail 'a second of sleep takes no second'
expect 0 '^nobody slept: every thread came to its end, 1 item taken$' - -- \
  replay "$lost" --threads --on output_sink/correct --timeout 30s
expect 0 '^consumer slept through 0.1 s' - -- replay "$lost" --threads --timeout 100ms
expect 1 - 'timeout' -- replay "$lost" --threads --timeout soon
expect 1 - 'timeout' -- replay "$lost" --threads --timeout 0

# One step at a time: Enter takes a step, and after the end of the input nobody is asked any more.
input=$work/enters
printf '\n\n\n' >"$input"
expect 0 '^   3  producer: append: lock queue_lock$' - -- replay "$lost" --step
[ "$(grep -cE '^ +[0-9]+  (consumer|producer): ' "$work/out")" -eq 10 ] || fail '--step does not show ten steps'
grep -q '^reproduced: lost_wakeup$' "$work/out" || fail '--step does not come to the end'
expect 0 'lost wakeup, for real$' - -- replay "$lost" --step --threads --timeout 100ms
[ "$(grep -cE '^ +[0-9]+  (consumer|producer): ' "$work/out")" -eq 10 ] || fail '--step --threads: not ten steps'
# It waits for the person.
mkfifo "$work/pipe"
timeout 60 "$wakeproof" replay "$lost" --step --threads --timeout 100ms <"$work/pipe" >"$work/out" &
exec 3>"$work/pipe"
printf '\n\n' >&3
sleep 1
[ "$(grep -cE '^ +[0-9]+  (consumer|producer): ' "$work/out")" -eq 3 ] || fail '--step does not wait for Enter'
exec 3>&-
wait $! || fail '--step --threads after a while: not reproduced'
input=/dev/null
if command -v gdb >/dev/null; then
  gdb -q -batch -ex 'break wakeproof_step' -ex "run replay '$lost' --threads --timeout 100ms" \
    -ex 'finish' -ex 'delete' -ex 'continue' "$wakeproof" >"$work/out" 2>&1 </dev/null
  grep -qE 'Breakpoint 1, wakeproof_step \(step=1\)' "$work/out" || fail "gdb does not stop at wakeproof_step: $(tail -3 "$work/out")"
fi

# What no longer fits, by its step.
edit "$lost" "$work/edited.json" 'trace["steps"][6]["operation"] = "clear"'
expect 10 - "edited.json' is not reproduced: step 7 no longer fits: the trace says 'producer: ring: clear data_ready', the scenario does 'producer: ring: set" -- \
  replay "$work/edited.json"
edit "$lost" "$work/renamed.json" 'trace["scenario"] = "output_sink/correct"; trace["mutations"] = []'
expect 10 - "step 11 no longer fits: the trace says 'the end: lost_wakeup', the scenario does 'consumer: second_drain" -- \
  replay "$work/renamed.json"
edit "$lost" "$work/foreign.json" 'trace["scenario"] = "mailbox/late_clear"'
expect 1 - "foreign.json': 'mailbox/late_clear' is no scenario of this program" -- replay "$work/foreign.json"
edit "$lost" "$work/large.json" 'trace["bounds"]["producers"] = 9'
expect 1 - 'producers must be 1 to 7, not 9' -- replay "$work/large.json"
edit "$lost" "$work/wide.json" 'trace["bounds"]["producers"] = 2'
expect 1 - 'the trace has 2 threads, the scenario 3 of that size' -- replay "$work/wide.json"
edit "$lost" "$work/later.json" 'trace["schema"] = 2'
expect 1 - 'made for schema 2; this program reads schema 1' -- replay "$work/later.json"
expect 1 - 'no such scenario|is no scenario' -- replay "$lost" --on no/such

# Damaged, truncated, foreign and enormous files.
expect 1 - "cannot read '/no/such/trace.json': No such file" -- replay /no/such/trace.json
expect 1 - "cannot read '$work': Is a directory" -- replay "$work"
expect 1 - 'trace' -- replay
: >"$work/empty.json"
expect 1 - 'damaged: no whole JSON document' -- replay "$work/empty.json"
echo '{"schema": 1}' >"$work/short.json"
expect 1 - 'is missing' -- replay "$work/short.json"
head -c 100000 /dev/urandom >"$work/noise.json"
expect 1 - 'damaged: no whole JSON document' -- replay "$work/noise.json"
size=$(wc -c <"$lost")
for part in 1 2 3 5 8 13 21 34 55 89; do
  head -c $((size * part / 90)) "$lost" >"$work/part.json"
  expect 1 - 'damaged: no whole JSON document' -- replay "$work/part.json"
done
edit "$lost" "$work/enormous.json" '
more = trace["steps"][-1]
for number in range(len(trace["steps"]) + 1, 100001):
    trace["steps"].append({**more, "number": number})
    trace["choices"] += more["choices"]'
expect 10 - "step 11 no longer fits: the trace says 'consumer: lower_flag: unlock flag_lock', the scenario does 'consumer waits for data_ready'" -- \
  replay "$work/enormous.json"
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
echo 'replay: every call as expected'
