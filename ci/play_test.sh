#!/bin/bash
# wakeproof play, with a script in the person's place.
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
# play SCENARIO [OPTIONS]: lines from standard input
play() {
  timeout 120 "$wakeproof" play "$@" >"$work/out" 2>"$work/err" || fail "play $*: exit status $?"
  [ ! -s "$work/err" ] || fail "play $*: standard error: $(head -3 "$work/err")"
  # Nobody presses Enter here, so that an answer follows its prompt.
  sed 's/^> //' "$work/out" | awk 'length > 80 { exit 1 }' || fail "play $*: a line of more than 80 columns"
  ! grep -q "$(printf '\033')" "$work/out" || fail "play $*: colour"
}
says() { grep -qE -- "$1" "$work/out" || fail "it does not say '$1': $(tail -8 "$work/out")"; }
says_not() { ! grep -qE -- "$1" "$work/out" || fail "it says '$1'"; }
refused() {
  timeout 20 "$wakeproof" play "${@:3}" >"$work/out" 2>"$work/err" </dev/null
  local status=$?
  [ $status -eq "$1" ] && grep -qE -- "$2" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] ||
    fail "play ${*:3}: exit status $status: $(cat "$work/err")"
}

# To a lost wakeup: the consumer finds nothing, the producer puts and rings, the consumer arms.
play output_sink/missing_second_drain < <(printf '%s\n' consumer consumer producer producer producer producer producer c c c "save $work/lost.json")
says '^  1  producer: lock queue_lock$'
says '^  -  producer cannot: lock queue_lock, held by consumer$'
says 'From here EVERY completion fails'
says '^The wake invariant is BROKEN'
says '^THE END after 10 steps: lost_wakeup: consumer waits for data_ready'
says "saved '$work/lost.json': 10 steps, lost_wakeup"
says '^end of input after step 10$'
[ "$(grep -c 'EVERY' "$work/out")" -eq 1 ] || fail 'what is certain is said once'
"$wakeproof" replay "$work/lost.json" | grep -q '^reproduced: lost_wakeup$' || fail 'what was played is not reproduced'

# The same turns on the correct sink, and on to its end.
play output_sink/correct < <(printf '%s\n' c c p p p p p c c c c c)
says 'From here no completion fails'
says '^THE END after 12 steps: every item was taken, nothing is wrong$'
says_not BROKEN

# A value to read: the newest or an old one; taken back and chosen again.
play slot_sink/flag_acquire_release < <(printf '%s\n' p p c 2 undo 1 undo 9 x steps state quit nothing)
says 'which one\?$'
says ', of the start$'
says 'possible are 1 to 2'
says 'the newest$'
says '^>    3  consumer: drain: load slot\[0\] = 0, acquire$'
says 'old value, of the start; missed step 1$'
says_not 'end of input'

# Wrong lines: one line that says what is possible.
play output_sink/correct -P 2 < <(printf '%s\n' 7 0 -1 99999999999999999999 nobody '  ' 'undo x' undo 'undo -1' save 'save /no/such/folder/x' "$(head -c 100000 /dev/zero | tr '\0' a)")
says '^> possible are 1 to 3: producer 1, producer 2, consumer; or help$'
says 'undo takes a number from 1 on'
says 'nothing was chosen yet'
says 'save takes the name of a file'
says "cannot write '/no/such/folder/x'"
play output_sink/correct -P 2 < <(printf 'producer\n')
says '^> possible are 1 to 3'
play output_sink/correct -P 2 < <(printf 'producer 2\nundo 5\nhelp')
says '^>    1  producer 2: append: lock queue_lock$'
says 'took back 1 choice'

# Saved before the end: the rest as it comes.
play output_sink/correct < <(printf '%s\n' c c "save $work/part.json")
says "saved '$work/part.json': 12 steps, the last 10 as they come"
"$wakeproof" replay "$work/part.json" | grep -q '^reproduced: proved$' || fail 'what was saved early is not reproduced'

play output_sink/loop/correct -P 1 -I 2 </dev/null
says '^end of input after step 0$'
refused 1 "no scenario is called 'no/such'" no/such
refused 1 'producers must be 1 to 7, not 0' output_sink/correct -P 0
refused 1 'scenario'
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
echo 'play: every line as expected'
