#!/bin/bash
# One search on many machines, here on one: split, units through GNU parallel with a worker killed on the
# way and the rest resumed from the job log, merge. And one search on all cores, with a worker killed.
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
wakeproof=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "units: $*" >&2
  exit 1
}

size=(-P 3 -I 1)
single=$("$wakeproof" run calibration/mutex_sink "${size[@]}" --no-steps | awk '$1 == "calibration/mutex_sink" {print $3, $4, $6}')
"$wakeproof" split calibration/mutex_sink "${size[@]}" -n 40 >units
[ "$(wc -l <units)" -ge 40 ] || fail "split made $(wc -l <units) units, not 40"

# The worker of the fifth unit is killed the first time.
cat >worker <<WORKER
#!/bin/bash
if [ "\$1" = 5 ] && [ ! -e killed ]; then
  touch killed
  kill -KILL \$\$
fi
"$wakeproof" unit "\$2" >"results/\$1.part" && mv "results/\$1.part" "results/\$1.json"
WORKER
chmod +x worker
mkdir results
export PARALLEL_HOME=$work
mkdir -p "$work" && touch will-cite
parallel -j 3 --joblog log ./worker '{#}' '{}' :::: units 2>/dev/null && fail 'the killed worker went unnoticed'
[ ! -e results/5.json ] || fail 'the killed worker left a result'
"$wakeproof" merge results/*.json 2>message && fail 'merge accepts a search with a unit missing'
grep -q 'unit 5 of .* is missing' message || fail "a missing unit is not named: $(cat message)"
parallel -j 3 --joblog log --resume-failed ./worker '{#}' '{}' :::: units 2>/dev/null || fail 'resuming failed'
merged=$("$wakeproof" merge results/*.json | awk '$1 == "calibration/mutex_sink" {print $3, $4, $6}')
[ "$merged" = "$single" ] || fail "merged: $merged, single run: $single"

refused() {
  if "$wakeproof" merge results/*.json >/dev/null 2>message; then fail "merge accepts a result that is $1"; fi
  [ "$(wc -l <message)" -eq 1 ] || fail "not one line: $(cat message)"
  grep -qE "$2" message || fail "a result that is $1 is not told as such: $(cat message)"
  cp keep results/7.json
}
cp results/7.json keep
cp results/8.json results/7.json && refused doubled 'is there twice'
sed -i 's/"complete":/"complete":1/' results/7.json && refused changed 'changed since it was made'
echo '{"order":' >results/7.json && refused damaged 'damaged'
"$wakeproof" unit "$("$wakeproof" split output_sink/correct -n 4 | head -1)" >results/7.json && refused foreign 'not part of this search'
"$wakeproof" unit "$(head -1 units | sed 's/"depth":/"depth":1/')" >/dev/null 2>message && fail 'a changed unit is searched'
grep -q 'changed since it was made' message || fail "a changed unit is not told as such: $(cat message)"

# Machines that know only their number: each takes its share of the units, from stdin or from split itself.
for shard in 0 1 2; do
  "$wakeproof" unit - --shard-index $shard --shard-count 3 <units >"shard$shard.jsonl"
done
[ "$("$wakeproof" merge shard?.jsonl | awk '$1 == "calibration/mutex_sink" {print $3, $4, $6}')" = "$single" ] ||
  fail 'shards do not come to the single run'
"$wakeproof" split calibration/mutex_sink "${size[@]}" -n 40 --shard-index 1 --shard-count 3 | diff - <(sed -n '2~3p' units) ||
  fail 'split --shard-index prints other units than unit takes'
"$wakeproof" unit - --shard-index 3 --shard-count 3 <units >/dev/null 2>message && fail 'a shard that is not there is searched'
grep -q 'must be 0 to 2' message || fail "a shard that is not there is not told as such: $(cat message)"

# Units that outlast their budget give back what is left, until nothing is.
"$wakeproof" split calibration/mutex_sink "${size[@]}" -n 4 >open
for round in $(seq 50); do
  [ -s open ] || break
  "$wakeproof" unit - --budget 40ms <open >"round$round.jsonl" || true
  "$wakeproof" merge round*.jsonl --missing >open
done
[ "$round" -gt 2 ] || fail 'no unit outlasted its budget'
[ ! -s open ] || fail 'units are given back for ever'
[ "$("$wakeproof" merge round*.jsonl | awk '$1 == "calibration/mutex_sink" {print $3, $4, $6}')" = "$single" ] ||
  fail 'units that were given back do not come to the single run'
rm "$(ls -v round*.jsonl | tail -1)"
"$wakeproof" merge round*.jsonl >/dev/null 2>message && fail 'merge accepts a search without what a unit gave back'
grep -qE 'unit [0-9]+(\.[0-9]+)+ of .* is missing' message || fail "a missing unit that was given back is not named: $(cat message)"

# All cores: a worker that is killed gives its unit back.
"$wakeproof" run calibration/mutex_sink -P 2 -I 2 -j 2 --no-steps >out &
run=$!
for _ in $(seq 100); do
  victim=$(pgrep -P $run | head -1) && [ -n "$victim" ] && break
  sleep 0.01
done
[ -n "$victim" ] || fail 'no worker process to kill'
kill -KILL "$victim"
wait $run || fail "exit status $? after a worker was killed"
grep -qE 'proved +393892' out || fail "after a worker was killed: $(grep calibration out)"
echo "units: $merged from $(wc -l <units) units"
