#!/bin/sh
# Every gate in order, then a table; after a failure it goes on. `ci/all.sh format tidy` runs only those.
set -u
cd "$(dirname "$0")/.."
# Each is the script of its name, workflows a program.
gates='format tidy compilers models oracle threads tsan asan consumer docs pages fuzz bench mutation workflows'
[ $# -gt 0 ] || set -- $gates
for gate in "$@"; do
  case " $gates " in
    *" $gate "*) ;;
    *) echo "all: there is no gate '$gate'; there are: $gates" >&2; exit 1 ;;
  esac
done
table=
failed=0
for gate in "$@"; do
  echo "--- $gate"
  script=ci/$gate.sh
  [ "$gate" != workflows ] || script=ci/workflows_test.py
  begin=$(date +%s)
  if [ ! -x "$script" ]; then
    echo "$gate: cannot run: there is no $script" >&2
    result=FAILED
  elif { [ "$gate" = pages ] || [ "$gate" = consumer ]; } && ! ci/build.sh dev; then
    result=FAILED
  elif "$script"; then
    result=passed
  else
    result=FAILED
  fi
  [ $result = passed ] || failed=$((failed + 1))
  table="$table$(printf '%-10s %7s  %s' "$gate" $(($(date +%s) - begin)) $result)
"
done
printf '\n%-10s %7s  %s\n%s' gate seconds result "$table"
[ $failed -eq 0 ]
