#!/bin/bash
# The coroutine server as a person meets it: started from the command line, asked with nc, stopped by a signal.
set -u
server=$1
work=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}
start() {
  : >"$work/out"
  "$server" "$@" >"$work/out" 2>"$work/err" &
  pid=$!
  for _ in $(seq 200); do
    [ -s "$work/out" ] && break
    sleep 0.05
  done
  port=$(sed -n '1s/^listening on 127\.0\.0\.1:\([0-9]*\)$/\1/p' "$work/out")
  [ -n "$port" ] || { fail "the first line is not 'listening on 127.0.0.1:PORT'"; exit 1; }
}
ask() { nc -q1 127.0.0.1 "$port"; }

start --port 0 --workers 4
printf '10\n20\nx\n30\n' | ask >"$work/answers"
printf '55\n6765\nerror: not a whole number\n832040\n' | cmp - "$work/answers" || fail "10, 20, x, 30"
printf '\n-1\n99999999999999999999\n7\n' | ask >"$work/answers"
[ "$(grep -c '^error: ' "$work/answers")" = 3 ] || fail 'three errors for three bad lines'
[ "$(tail -1 "$work/answers")" = 13 ] || fail 'the connection lives after bad lines'

asking=
for i in 1 2 3 4 5 6 7 8; do
  { printf '%s\n' 15 16 17 | ask >"$work/answers.$i"; } &
  asking="$asking $!"
done
# shellcheck disable=SC2086
wait $asking
for i in 1 2 3 4 5 6 7 8; do
  printf '610\n987\n1597\n' | cmp - "$work/answers.$i" || fail "client $i of 8"
done

# An answer in flight when the signal comes is delivered.
{ printf '33\n' | nc -q10 127.0.0.1 "$port" >"$work/answers"; } &
asking=$!
sleep 0.1
kill -TERM "$pid"
wait "$pid" || fail "SIGTERM ends it with status $?"
wait $asking
[ "$(cat "$work/answers")" = 3524578 ] || fail 'the answer in flight'
[ ! -s "$work/err" ] || fail "standard error: $(head -3 "$work/err")"

start --port "$port"   # the same port, at once
"$server" --port "$port" 2>"$work/err" >/dev/null && fail 'a port that is taken is an error'
grep -q 'bind' "$work/err" || fail 'the error says what failed'
kill -INT "$pid"
wait "$pid" || fail "SIGINT ends it with status $?"
"$server" --port many >/dev/null 2>&1 && fail 'a port that is no number is an error'
"$server" --help | grep -q -- '--workers' || fail '--help'

[ $failures -eq 0 ] && echo 'the server answers'
exit $((failures > 0))
