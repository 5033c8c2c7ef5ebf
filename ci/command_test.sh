#!/bin/bash
# The command as a person or a script meets it: streams, exit statuses, and calls that are wrong.
set -u
export WAKEPROOF_CACHE=  # what was proved before would not be tested
wakeproof=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS PATTERN-IN-STDOUT PATTERN-IN-STDERR -- ARGUMENTS; a pattern `-` means: nothing there
expect() {
  local status=$1 out=$2 err=$3
  shift 4
  "$wakeproof" "$@" >"$work/out" 2>"$work/err" </dev/null
  local got=$?
  local wrong=
  [ $got -eq "$status" ] || wrong="exit status $got instead of $status"
  check_stream "$work/out" "$out" 'standard output' || wrong="$wrong; $stream_wrong"
  check_stream "$work/err" "$err" 'standard error' || wrong="$wrong; $stream_wrong"
  if [ "$status" -eq 1 ] && [ "$(wc -l <"$work/err")" -ne 1 ]; then wrong="$wrong; not one line of error"; fi
  if [ -n "$wrong" ]; then
    failures=$((failures + 1))
    echo "FAILED: wakeproof $*: $wrong"
    head -5 "$work/out" "$work/err"
  fi
}
check_stream() {
  stream_wrong=
  if [ "$2" = - ]; then
    [ ! -s "$1" ] || stream_wrong="$3 is not empty"
  else
    grep -qE -- "$2" "$1" || stream_wrong="$3 lacks '$2'"
  fi
  [ -z "$stream_wrong" ]
}

expect 0 'Usage: wakeproof' - -- --help
expect 0 'Example' - -- list --help
expect 0 'Example' - -- run --help
expect 0 'Example' - -- audit --help
expect 0 '^wakeproof [0-9]+\.[0-9]+\.[0-9]+$' - -- --version
expect 0 '^output_sink/correct' - -- list 'output_sink/*'
expect 0 '"name": "output_sink/correct"' - -- list --json

# Colour on a terminal that wants it, and nowhere else.
in_colour() {  # TERM NO_COLOR
  TERM=$1 NO_COLOR=$2 script -qec "'$wakeproof' run output_sink/end_not_notified -P 1 -I 1 --no-steps" /dev/null \
    >"$work/out" </dev/null
  grep -q $'\x1b\[3[12]m' "$work/out"
}
in_colour xterm '' || { failures=$((failures + 1)); echo 'FAILED: no colour on a terminal'; }
in_colour xterm 1 && { failures=$((failures + 1)); echo 'FAILED: colour though NO_COLOR is set'; }
in_colour dumb '' && { failures=$((failures + 1)); echo 'FAILED: colour on a dumb terminal'; }
expect 0 'deadlock +[0-9]' - -- run output_sink/end_not_notified -P 1 -I 1 --no-steps --progress 0
grep -q $'\x1b' "$work/out" && { failures=$((failures + 1)); echo 'FAILED: colour where there is no terminal'; }
expect 0 'proved' - -- run output_sink/correct
expect 0 'consumer: wait data_ready for ever' - -- run output_sink/missing_second_drain
expect 0 '^output_sink/loop/correct' - -- run '*/loop/correct' --no-steps --progress 0
expect 12 'budget ran out' - -- run calibration/mutex_sink -P 3 -I 3 --budget 100ms --checkpoint ''
expect 12 'parks' - -- run output_sink/correct -P 1 -I 1 --search relacy-full
expect 12 'nothing found in 500 executions drawn at random with seed 7' - -- \
  run output_sink/correct -P 3 -I 3 --search random --seed 7 --max-executions 500
expect 0 '^search pct=5 with seed 2,' - -- run output_sink/missing_second_drain -P 3 -I 3 --search pct=5 --seed 2
expect 0 '"seed": 2' 'caught' -- run output_sink/missing_second_drain -P 2 -I 2 --search random --seed 2 --json -
expect 12 'more than the 10 executions that were allowed' - -- run output_sink/correct -P 2 -I 1 --max-executions 10 --checkpoint ''
expect 12 'an execution took more than 5 steps' - -- run output_sink/correct -P 1 -I 1 --max-steps 5 --checkpoint ''
expect 0 '^skip second_drain +output_sink/correct +1x1 +lost_wakeup' - -- audit output_sink
expect 0 ', 0 SURVIVED' - -- audit slot_sink calibration/tagged_sink
expect 0 '"fate": "excused"' 'nobody, excused' -- audit calibration/tagged_sink --json -
expect 10 '^skip last_drain +NOBODY' - -- audit output_sink/timed
expect 10 '^skip lower_flag +NOBODY: IT SURVIVES' - -- audit slot_sink -P 1 -I 1 --json "$work/audit.json"
expect 12 'UNDECIDED: calibration/mutex_sink at 3x2 .*: the budget ran out first' - -- audit calibration/mutex_sink -P 3 -I 2 --budget 100ms
expect 0 '"memory_model"' 'every verdict as expected' -- run output_sink/correct --json -
expect 0 'Example: wakeproof litmus' - -- litmus --help
expect 0 '^SB +4 +4 +0 +0  x=1 rlx' - -- litmus
expect 0 'allowed, but not shown 20: a relaxed store by the same thread' - -- litmus
expect 0 '0 with an UNKNOWN one$' - -- litmus
expect 0 '"out_of_reach"' - -- litmus --json

# explain: the story, as text, as a document, as a diagram; and nothing where there is none.
expect 0 'Examples: wakeproof explain' - -- explain --help
expect 0 '^output_sink/missing_second_drain at 1x1: lost_wakeup' - -- explain output_sink/missing_second_drain
expect 0 '^  Had step 8 \(consumer: clear_event: clear data_ready\) come before step 7' - -- \
  explain output_sink/missing_second_drain
expect 0 '^slot_sink/lower_flag_release at 2x1' - -- explain slot_sink/lower_flag_release -P 2
expect 0 '^    1  +drain: lock queue_lock' - -- explain output_sink/missing_second_drain --detail
expect 0 '^ "schema": 1,$' - -- explain output_sink/missing_second_drain --format json
expect 0 '^sequenceDiagram$' - -- explain output_sink/missing_second_drain --format mermaid
expect 0 - - -- explain output_sink/missing_second_drain -o "$work/story.txt"
expect 0 - - -- explain output_sink/missing_second_drain --format html -o "$work/lost.html"
expect 0 - - -- explain output_sink/missing_second_drain --format json -o "$work/lost.json"
expect 0 - - -- explain --from "$work/lost.json" --format html -o "$work/again.html"
cmp "$work/lost.html" "$work/again.html" || failures=$((failures + 1))
grep -q '^<!doctype html>$' "$work/lost.html" || failures=$((failures + 1))
expect 10 - 'slot_sink/correct is proved at 1x1, 1x2, 2x1: there is nothing to explain' -- explain slot_sink/correct
expect 10 - 'is proved at 1x1: there' -- explain output_sink/arm_swapped -P 1 -I 1 -o "$work/none.txt"
[ ! -e "$work/none.txt" ] || { echo 'FAILED: a story of nothing was written'; failures=$((failures + 1)); }
"$wakeproof" explain output_sink/missing_second_drain | cmp - "$work/story.txt" || failures=$((failures + 1))
expect 0 'every verdict as expected' - -- run output_sink/missing_second_drain --no-steps --traces "$work/traces"
[ -d "$work/traces" ] && [ -z "$(ls "$work/traces")" ] ||
  { echo 'FAILED: --traces makes its folder, and writes what is unexpected only'; failures=$((failures + 1)); }

# Wrong calls: one line, exit status 1, nothing written.
expect 1 - 'subcommand' --
expect 1 - 'no scenario is called' -- run no/such/thing
expect 1 - 'no scenario is called' -- run output_sink/correct 'nothing*'
expect 1 - 'no scenario is called' -- list nothing
expect 1 - 'producers must be 1 to 7, not 0' -- run output_sink/correct -P 0
expect 1 - "no scenario is called 'missing_second_drian'; did you mean 'output_sink/missing_second_drain'\\?" -- \
  explain missing_second_drian
expect 1 - "did you mean 'output_sink/correct'\\?" -- run output_sink/corect
expect 1 - "no scenario is called 'nothing like it'; wakeproof list shows them all" -- run 'nothing like it'
expect 0 '^[0-9]+ searches' - -- run 'slot_sink/*' --exclude '*correct' --no-steps
expect 1 - "no scenario is called 'nothing\\*'" -- run 'slot_sink/*' --exclude 'nothing*'
expect 1 - 'nothing is left: every scenario that was asked for is excluded' -- list 'slot_sink/*' --exclude 'slot*'
expect 0 '^slot_sink/correct$' - -- list slot_sink/correct --names
expect 1 - 'tcsh' -- completion tcsh
expect 1 - 'ticks must be 0 to 100, not -1' -- run output_sink/timeouts --ticks -1
expect 1 - 'producers must be 1 to 6, not 7' -- run output_sink/timeouts -P 7
expect 0 '^output_sink/timeouts +1x1 +proved' - -- run output_sink/timeouts -P 1 --ticks 0
expect 0 '^output_sink/correct +1x1\+2t +proved' - -- run output_sink/correct -P 1 --ticks 2
expect 0 '^output_sink/timed_missing_second_drain at 1x1\+1t: lost_wakeup' - -- \
  explain output_sink/timed_missing_second_drain --ticks 1
expect 1 - 'producers must be 1 to 7, not 99' -- run output_sink/correct -P 99
expect 1 - 'items must be 1 to 999, not 0' -- run output_sink/correct -I 0
expect 1 - 'batch must be' -- run output_sink/correct -B 0
expect 1 - 'producers' -- run output_sink/correct -P many
expect 1 - 'there is no search .magic.; there are dpor' -- run output_sink/correct --search magic
expect 1 - 'there is no search' -- run output_sink/correct --search relacy-bound=
expect 1 - 'there is no search' -- run output_sink/correct --search pct=0
expect 0 'search dpor, lock order by data' - -- run output_sink/correct -P 2 -I 1 --lock-order data
expect 0 'search dpor, symmetry off' - -- run output_sink/correct -P 2 -I 1 --symmetry off
expect 1 - 'lock-order data is for the search dpor' -- run output_sink/correct --lock-order data -j 2
expect 1 - 'lock-order' -- run output_sink/correct --lock-order sideways
expect 1 - "max-executions: '0' must be a number above 0" -- run output_sink/correct --max-executions 0
expect 1 - 'max-executions' -- run output_sink/correct --max-executions -5
expect 1 - 'max-steps' -- run output_sink/correct --max-steps none
expect 1 - 'seed' -- run output_sink/correct --search random --seed -1
expect 1 - 'subject' -- audit
expect 1 - "no correct scenario belongs to 'no_such_sink'" -- audit no_such_sink
expect 1 - 'no correct scenario' -- audit output_sink/missing_second_drain
expect 1 - 'producers must be 1 to 7, not 8' -- audit output_sink -P 8
expect 1 - "cannot write '/no/such/folder/audit.json'" -- audit slot_sink --json /no/such/folder/audit.json
expect 1 - 'budget' -- run output_sink/correct --budget soon
expect 1 - "budget-each: '0' must be a number above 0" -- run output_sink/correct --budget-each 0s
expect 1 - 'budget' -- run output_sink/correct --budget -1s
expect 1 - "cannot write '/no/such/folder/results.json'" -- run output_sink/correct --json /no/such/folder/results.json
expect 1 - 'either a scenario or a trace' -- explain
expect 1 - 'either a scenario or a trace' -- explain output_sink/correct --from trace.json
expect 1 - "cannot read '/no/such/trace.json'" -- explain --from /no/such/trace.json
expect 1 - "is no trace: damaged" -- explain --from /bin/sh --format html
expect 1 - "no scenario is called 'no/such'" -- explain no/such
expect 1 - "no scenario is called 'output_sink/\*'" -- explain 'output_sink/*'
expect 1 - "there is no format 'pdf'; there are text, json, mermaid, html" -- explain slot_sink/publish_release --format pdf
expect 1 - 'producers must be 1 to 7, not 0' -- explain slot_sink/publish_release -P 0
expect 1 - "cannot write '/no/such/story.txt'" -- explain slot_sink/publish_release -o /no/such/story.txt
expect 1 - 'folder' -- book
expect 1 - "cannot write to the folder '/dev/null/x'" -- book /dev/null/x
expect 1 - "cannot write to the folder '/dev/null/x'" -- run output_sink/correct --traces /dev/null/x
expect 1 - 'wrong|not expected' -- litmus --wrong
expect 1 - 'wrong|not expected' -- run output_sink/correct --wrong
[ -z "$(find "$work" -name '*.part')" ] || { echo 'FAILED: a half-written file is left'; failures=$((failures + 1)); }

# The document: whole, and with the counts of the calibration.
"$wakeproof" run 'calibration/mutex_sink*' -P 2 -I 1 --keep-going --json "$work/results.json" --no-steps >/dev/null
python3 - "$work/results.json" <<'PYTHON' || failures=$((failures + 1))
import json, sys
document = json.load(open(sys.argv[1]))
got = {r["name"]: (r["executions"]["complete"], r["executions"]["stuck"]) for r in document["results"]}
expected = {"calibration/mutex_sink": (202, 0), "calibration/mutex_sink_wake_first": (516, 220),
            "calibration/mutex_sink_no_second_drain": (80, 16)}
if got != expected:
    sys.exit(f"FAILED: counts {got}, expected {expected}")
fields = {"name", "bounds", "search", "memory_model", "verdict", "expected", "as_expected", "executions", "steps_max",
          "wall_s", "trace"}
for result in document["results"]:
    if not fields <= result.keys():
        sys.exit(f"FAILED: a result lacks {fields - result.keys()}")
    if not result["as_expected"]:
        sys.exit(f"FAILED: {result['name']} is not as expected")
PYTHON
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
echo 'command: every call as expected'
