#!/bin/bash
# wakeproof replay as a person or a script meets them.
set -u
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

# Every mutant, from its document.
for mutant in $("$wakeproof" list --json | python3 -c '
import json, sys
document = json.load(sys.stdin)
for scenario in document["scenarios"] if isinstance(document, dict) else document:
    if scenario["expected"] != "proved": print(scenario["name"], scenario["expected"], sep="=")'); do
  "$wakeproof" explain "${mutant%=*}" --format json -o "$work/one.json" || fail "explain $mutant"
  expect 0 "^reproduced: ${mutant#*=}\$" - -- replay "$work/one.json"
done

expect 0 'Examples: wakeproof explain' - -- replay --help
expect 0 '^    7  +producer *|ring: set data_ready' - -- replay "$lost"
expect 0 '^    1  +drain: lock queue_lock' - -- replay "$lost" --detail
expect 0 '^10 of the 10 turns .* fit output_sink/correct: proved$' - -- replay "$lost" --on output_sink/correct

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
