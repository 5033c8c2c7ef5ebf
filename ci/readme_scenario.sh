#!/bin/sh
# The first scenario of README.md compiles as shown, in a folder of its own, and finds what it says.
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
build=$1
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```cpp my_mailbox.cpp$/,/^```$/p' README.md | sed '1d;$d' >"$work/my_mailbox.cpp"
lines=$(wc -l <"$work/my_mailbox.cpp")
[ "$lines" -gt 5 ] || { echo 'readme_scenario: README.md shows no my_mailbox.cpp' >&2; exit 1; }
[ "$lines" -le 30 ] || { echo "readme_scenario: $lines lines, more than the 30 that README.md promises" >&2; exit 1; }
command=$(sed -n '/^g++ .*my_mailbox.cpp/p' README.md | sed "s|-I wakeproof|-I '$source'|; s|-L wakeproof/build|-L '$build'|")
[ -n "$command" ] || { echo 'readme_scenario: README.md shows no command to compile it' >&2; exit 1; }
cd "$work"
eval "$command"
./my_mailbox run >out || { echo "readme_scenario: exit status $?" >&2; cat out; exit 1; }
grep -q 'lost_wakeup' out || { echo 'readme_scenario: no lost wakeup found' >&2; cat out; exit 1; }

# It says nothing of its queue, so what its ledger and its threads tell must do for the story.
./my_mailbox explain mailbox/late_clear >out || { echo "readme_scenario: explain gives exit status $?" >&2; exit 1; }
grep -q 'BROKEN' out || { echo 'readme_scenario: no step breaks the invariant' >&2; cat out; exit 1; }
cp out story

# A book of its own scenarios, without those of this project.
./my_mailbox book book >out || { echo "readme_scenario: book gives exit status $?" >&2; exit 1; }
grep -q 'href="mailbox.late_clear.html"' book/index.html && [ -s book/mailbox.late_clear.json ] &&
  ! grep -q 'output_sink' book/index.html || { echo 'readme_scenario: the book is not of the mailbox' >&2; exit 1; }

# The same with a wrong expectation: exit status 10, and the row says so.
sed -i 's/Verdict::lost_wakeup/Verdict::deadlock/' my_mailbox.cpp
eval "$command"
status=0
./my_mailbox run --traces traces --json results.json >out || status=$?
[ $status -eq 10 ] || { echo "readme_scenario: an unexpected verdict gives exit status $status, not 10" >&2; exit 1; }
grep -q 'EXPECTED deadlock' out || { echo 'readme_scenario: the row does not say what was expected' >&2; exit 1; }

"$source/ci/validate_traces.py" traces || { echo 'readme_scenario: a trace is not valid' >&2; exit 1; }
for file in traces/*.json; do
  [ -s "${file%.json}.html" ] || { echo "readme_scenario: no page beside $file" >&2; exit 1; }
  grep -q "\"trace\": \"$file\"" results.json || { echo "readme_scenario: no result names $file" >&2; exit 1; }
done

# The line moved above the lock, as README.md says: proved at every size.
sed -i '/bell.clear();/d; s/bell.wait();/bell.wait(); bell.clear();/; s/Verdict::deadlock/Verdict::proved/; s/, .fails_from = {{1, 2}, {2, 1}}//' my_mailbox.cpp
eval "$command"
./my_mailbox run >out || { echo "readme_scenario: the mended mailbox is not proved" >&2; cat out; exit 1; }
[ "$(grep -c ' proved ' out)" -eq 3 ] || { echo 'readme_scenario: not three sizes proved' >&2; cat out; exit 1; }
