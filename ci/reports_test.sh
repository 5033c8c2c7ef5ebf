#!/bin/bash
# The reports of a run are valid by their schemas, agree with each other, and are whole or not there:
# ci/reports_test.sh [WAKEPROOF [BUILD]]
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
tree=$(cd "$(dirname "$0")/.." && pwd)
wakeproof=$(realpath "${1:-$tree/build/wakeproof}")
build=$(realpath "${2:-$tree/build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
fail() {
  echo "reports: $*" >&2
  exit 1
}

# The schema of SARIF 2.1.0 as a package of npm's ships it; without what that package depends on.
schema=$build/sarif_schema/package/lib/schemas/sarif-2.1.0-rtm.5.json
sum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8
if [ ! -e "$schema" ]; then
  mkdir -p "$build/sarif_schema"
  (cd "$build/sarif_schema" && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null &&
    tar xzf microsoft-jest-sarif-1.0.0-beta.0.tgz package/lib/schemas) || fail 'npm pack could not get @microsoft/jest-sarif'
fi
echo "$sum  $schema" | sha256sum --check --quiet || fail 'the schema of SARIF is not the known one'
agree() {
  "$tree/ci/check_reports.py" "$schema" r.json j.xml s.sarif ${1:-} || fail "$2"
}

cd "$work"
g++ -std=c++20 -O1 -fno-sized-deallocation -I "$tree" "$tree/ci/reports_scenarios.cpp" -L "$build" \
  -lwakeproof_main -lwakeproof_cli -lwakeproof_models -lfmt -lpugixml -o scenarios
all=(--junit j.xml --sarif s.sarif --json r.json)
expect() {
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ $status -eq "$wanted" ] || fail "exit status $status, not $wanted: $* $(head -3 err)"
}

# Everything as expected, something inconclusive, and everything that a verdict can be instead of the expected one.
expect 0 "$wakeproof" run 'output_sink/*' 'slot_sink/*' --no-steps "${all[@]}" --jsonl p.jsonl
agree p.jsonl 'what is as expected'
expect 12 "$wakeproof" run output_sink/correct -P 3 -I 3 --no-steps --search random --max-executions 50 "${all[@]}"
agree '' 'what is inconclusive'
grep -q '<error ' j.xml || fail 'an inconclusive result is no error in JUnit'
expect 10 ./scenarios run --no-steps "${all[@]}" --jsonl p.jsonl --traces traces
agree p.jsonl 'what is not as expected'
grep -q '"trace": "traces/mailbox.late_clear.1x2.json"' r.json || fail 'a result does not name its trace'

# The same findings on another day, on two cores, from another folder.
fingerprints() { grep -A1 partialFingerprints "$1" | grep -o '[0-9a-f]\{16\}' | sort; }
mkdir elsewhere
(cd elsewhere && status=0 && ../scenarios run -j 2 --no-steps --sarif s.sarif >/dev/null || [ $? -eq 10 ])
[ "$(fingerprints s.sarif)" = "$(fingerprints elsewhere/s.sarif)" ] || fail 'fingerprints are not stable'
[ "$(fingerprints s.sarif | wc -l)" -gt 12 ] || fail 'fingerprints are missing'

# What a report gives to replay is reproduced; what was changed is not, and says so in one line.
token=$(grep -o '"replay": "mailbox/[^"]*' r.json | head -1 | cut -d'"' -f4)
expect 0 ./scenarios replay --token "$token"
grep -q '^reproduced: lost_wakeup$' out || fail "the token is not reproduced: $token"
expect 0 ./scenarios replay --token "$token" --threads
expect 10 ./scenarios replay --token "${token%.*}"
expect 10 ./scenarios replay --token "${token/lost_wakeup/data_race}"
expect 10 ./scenarios replay --token "${token/lost_wakeup:/lost_wakeup:7.}"
for bad in nonsense "${token/1x2/0x2}" "${token/mailbox/postbox}" "${token/lost_/found_}" "$token.x" "${token/1x2/1x2x}" \
  "$token." "${token/:8:/:99999999999:}"; do
  expect 1 ./scenarios replay --token "$bad"
  [ "$(wc -l <err)" -eq 1 ] || fail "no one line about the token $bad"
done
expect 1 ./scenarios replay
expect 1 ./scenarios replay trace.json --token "$token"

# On GitHub: chosen by itself, ten annotations of a kind at most, escaped, and a summary added to what is there.
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md
echo 'an earlier line' >summary.md
expect 10 ./scenarios run --no-steps
grep '^::' out >annotations
[ "$(wc -l <annotations)" -eq 10 ] || fail "$(wc -l <annotations) annotations, not 10"
[ "$(grep -c '^::error file=ci/reports_scenarios.cpp,line=[0-9]*,title=[^:]*::' annotations)" -eq 9 ] ||
  fail "annotations are not what GitHub reads: $(cat annotations)"
tail -1 annotations | grep -q '^::error title=wakeproof::7 more' || fail "no word of the others: $(tail -1 annotations)"
head -1 summary.md | grep -qx 'an earlier line' || fail 'the summary wipes out what was there'
grep -q '^````*mermaid$' summary.md || fail 'the summary has no diagram'
[ "$(grep -c 'mermaid$' summary.md)" -eq 10 ] || fail 'the summary does not have the first ten diagrams'
grep -q '^| mailbox/late\\_clear | 1x2 | \*\*lost\\_wakeup\*\* | deadlock |' summary.md || fail 'the table lacks a row'
expect 10 ./scenarios run --no-steps 'odd*' --json -
grep -q '^::error file=ci/reports_scenarios.cpp,line=[0-9]*,title=odd%3A 50%25%2C a%3A%3Ab|c<d>&"e"%0A' err ||
  fail "not escaped: $(grep '^::' err)"
python3 -c 'import json, sys; json.load(open("out"))' || fail 'annotations are in the document on standard output'
head -c 1048000 /dev/zero | tr '\0' x >summary.md
expect 10 ./scenarios run --no-steps
[ "$(wc -c <summary.md)" -le 1048576 ] || fail 'the summary is longer than GitHub takes'
head -c 1000000 /dev/zero | tr '\0' x >summary.md
expect 10 ./scenarios run --no-steps
[ "$(wc -c <summary.md)" -le 1048576 ] || fail 'the summary is longer than GitHub takes'
[ $(($(grep -c '<details>' summary.md) - $(grep -c '</details>' summary.md))) -eq 0 ] || fail 'a section is cut in two'
: >summary.md
expect 10 ./scenarios run --no-steps --no-github
[ ! -s summary.md ] && ! grep -q '^::' out || fail '--no-github still tells GitHub'
GITHUB_STEP_SUMMARY=/no/such/summary.md expect 1 ./scenarios run
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
expect 10 ./scenarios run --no-steps
! grep -q '^::' out || fail 'annotations where there is no GitHub'
expect 10 ./scenarios run --no-steps --github
grep -q '^::error' out || fail '--github is not heard'

# Each as the one on standard output; two are refused, and so is a file for two, a folder, and what cannot be written.
for option in --json --junit --sarif --jsonl; do
  expect 10 ./scenarios run --no-steps $option -
  grep -q '^search dpor' err && ! grep -q '^search dpor' out || fail "$option -: the table is in the document"
  expect 1 ./scenarios run $option /no/such/folder/report
  grep -q "cannot write '/no/such/folder/report'" err || fail "$option: no word of what cannot be written"
  expect 1 ./scenarios run $option "$work"
  [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || fail "$option: not one line before the first search"
done
expect 1 ./scenarios run --json - --sarif -
grep -q 'only one of' err || fail 'two reports on standard output are not refused'
expect 1 ./scenarios run --json same --junit same
status=0
./scenarios run --no-steps --json >(cat >piped.json) >/dev/null || status=$?
wait
[ $status -eq 10 ] && [ -s piped.json ] || fail 'a pipe is not written to'

# Killed: what was there before is still there, and the lines are whole.
for name in j.xml s.sarif r.json; do echo before >"$name"; done
"$wakeproof" run calibration/mutex_sink -P 3 -I 3 --checkpoint '' "${all[@]}" --jsonl p.jsonl >/dev/null 2>&1 &
for _ in $(seq 100); do
  sleep 0.1
  ! grep -q '"event":"progress"' p.jsonl || break
done
kill -9 $!
wait $! 2>/dev/null || true
for name in j.xml s.sarif r.json; do [ "$(cat $name)" = before ] || fail "half of $name is written"; done
python3 -c 'import json
for line in open("p.jsonl"): assert line.endswith("\n"); last = json.loads(line)
assert last["event"] == "progress", last' || fail 'a line is cut in two, or no progress is told'
echo 'reports: valid, in agreement, and whole'
