#!/bin/bash
# What `run` keeps of its proofs, and what it takes from there; and budgets of each search.
# Usage: cache_test.sh WAKEPROOF
set -u
wakeproof=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export WAKEPROOF_CACHE=$work/cache
stop() {
  echo "cache: $*" >&2
  cat out err 2>/dev/null | head -20 >&2
  exit 1
}
# gives STATUS ARGUMENTS...: into out and err
gives() {
  local status=$1
  shift
  "$wakeproof" "$@" >out 2>err
  local got=$?
  [ $got -eq "$status" ] || stop "wakeproof $*: exit status $got, not $status"
}
rows_cached() { grep -c '  cached$' out; }
sink=(run 'output_sink/correct' 'output_sink/missing_second_drain' --no-steps)

# --- an unchanged proof is not searched again; a mutant is --------------------------------------------------------
gives 0 "${sink[@]}" --json first.json
[ "$(rows_cached)" = 0 ] || stop 'cached before anything was proved'
grep -q 'proved (' out && stop 'the summary speaks of a cache that is empty'
proofs=$(grep -c ' proved ' out)
[ "$(ls cache/*.json | wc -l)" = 1 ] || stop 'no file in the cache'
gives 0 "${sink[@]}" --json second.json --junit second.xml
[ "$(rows_cached)" = "$proofs" ] || stop "$(rows_cached) rows are cached, not $proofs"
grep -q "$proofs proved ($proofs of them before, and cached)" out || stop 'the summary does not say what is cached'
[ "$(grep -c 'name="cached" value="true"' second.xml)" = "$proofs" ] || stop 'JUnit does not tell what is cached'
python3 - <<'P' || stop 'the two documents differ in more than they may'
import json
first, second = ({(r["name"], str(r["bounds"])): r for r in json.load(open(f))["results"]} for f in ("first.json", "second.json"))
assert first.keys() == second.keys()
for key, one in first.items():
    two = second[key]
    assert not one["cached"]
    assert two["cached"] == (two["verdict"] == "proved"), key
    for field in one.keys() - {"cached", "wall_s"}: assert one[field] == two[field], (key, field)
P

gives 0 "${sink[@]}" --keep-going
gives 0 "${sink[@]}" --keep-going
grep -q 'lost_wakeup.*cached' out && stop 'a mutant is taken from the cache'

# --- another question is another one ---------------------------------------------------------------------------------
for other in '--no-cache' '--symmetry off' '--max-steps 7000' '-B 1' '--ticks 1' '--graphs' '--search exhaustive -P 1 -I 1'; do
  # shellcheck disable=SC2086
  gives 0 run output_sink/correct --no-steps $other
  [ "$(rows_cached)" = 0 ] || stop "run $other takes what was proved without"
done
gives 0 "${sink[@]}"
[ "$(rows_cached)" = "$proofs" ] || stop 'what was proved is forgotten'
# More of the program, though of its behaviour nothing: it is another one.
cp "$wakeproof" other
printf x >>other
./other "${sink[@]}" >out 2>err || stop 'the other program fails'
[ "$(rows_cached)" = 0 ] || stop 'another program takes what this one proved'

# --- a cache that is damaged, or cannot be written, or is not wanted ------------------------------------------------
own=$(grep -l correct cache/*.json | head -1)
for damage in 's/"complete":[0-9]*/"complete":1/' 's/proofs/prooks/' '1s/.*/{/' 's/"proved"/"deadlock"/'; do
  cp "$own" kept
  sed -i "$damage" cache/*.json
  gives 0 "${sink[@]}"
  grep -q '^wakeproof: the cache .* is not used: ' err || stop "nothing is said of a cache after $damage"
  [ "$(rows_cached)" = 0 ] || stop "a cache is used after $damage"
  [ "$(wc -l <err)" -le 2 ] || stop "more than a line about a cache after $damage"
  gives 0 "${sink[@]}"
  [ "$(rows_cached)" = "$proofs" ] || stop "the cache is not written anew after $damage"
done
touch file
WAKEPROOF_CACHE=$work/file/sub gives 0 "${sink[@]}"
grep -q '^wakeproof: what was proved is not kept: ' err || stop 'nothing is said of a cache that cannot be written'
mkdir home
WAKEPROOF_CACHE='' HOME=$work/home XDG_CACHE_HOME='' gives 0 "${sink[@]}"
[ -z "$(ls -A home)" ] || stop 'a cache is kept though the variable is empty'
env -u WAKEPROOF_CACHE -u XDG_CACHE_HOME HOME="$work/home" "$wakeproof" "${sink[@]}" >out 2>err
ls home/.cache/wakeproof/*.json >/dev/null || stop 'no cache in the home folder'
old=cache/0123456789abcdef0123456789abcdef.json
touch -d '40 days ago' "$old" cache/results_of_the_user.json
gives 0 run output_sink/end --no-steps
[ -e cache/results_of_the_user.json ] || stop 'a file that is none of the cache is gone'
[ ! -e "$old" ] || stop 'a file that was written 40 days ago is still there'

# --- budgets -----------------------------------------------------------------------------------------------------------
# The first is too large for its own, the second is not; the whole command's is another thing.
gives 12 run calibration/tagged_sink output_sink/end -P 3 -I 1 --budget-each 300ms --no-steps --no-cache
grep -q '^calibration/tagged_sink .*inconclusive.*: its budget ran out first' out || stop 'it does not say whose budget'
gives 12 run calibration/tagged_sink output_sink/end -P 3 -I 2 --budget 300ms --budget-each 1h --no-steps --no-cache
grep -q '^calibration/tagged_sink .*inconclusive.*: the budget ran out first' out || stop 'the whole budget is told wrongly'
grep -q '^output_sink/end .*inconclusive.*: not begun: the budget ran out first' out || stop 'not begun is not told'
rm -f wakeproof.checkpoint
gives 12 run calibration/tagged_sink output_sink/end_not_notified -P 2 -I 1 --budget-each 1ms --no-steps --no-cache
gives 0 run --resume wakeproof.checkpoint --no-steps
grep -q '^calibration/tagged_sink .* proved ' out || stop 'what its budget ended does not go on'
# What was proved before is an answer too where the budget is over, and leaves no gap in what goes on later.
gives 0 run output_sink/end -P 2 -I 1 -B 5 --no-steps
gives 12 run calibration/tagged_sink output_sink/correct output_sink/end -P 2 -I 1 -B 5 --budget 1ms --no-steps
grep -q '^output_sink/correct .*not begun' out || stop 'the second search was begun within a millisecond'
grep -q '^output_sink/end .* proved .*cached$' out || stop 'what was proved before is not told'
gives 0 run --resume wakeproof.checkpoint --no-steps
[ "$(grep -c '/.* proved ' out)" = 3 ] || stop 'not all three are proved in the end'
gives 1 run --budget-each soon
echo 'cache: proofs are kept, and only those; budgets end a search, and it goes on'
