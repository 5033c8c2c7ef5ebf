#!/bin/sh
# The benchmarks still run: a smoke test of a few seconds, whose figures are printed and not judged.
# `make bench` measures.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh dev
out=$(mktemp)
trap 'rm -f "$out"' EXIT
figures() {
  name=$1
  shift
  status=0
  "$@" >"$out" 2>&1 || status=$?
  [ $status -eq 0 ] || { tail -5 "$out" >&2; echo "bench: $name gives exit status $status" >&2; exit 1; }
  [ "$(grep -cE '[0-9]' "$out")" -ge 2 ] || { cat "$out" >&2; echo "bench: $name prints no figures" >&2; exit 1; }
  cat "$out"
}
figures sink_bench build/sink_bench --benchmark_min_time=0.01
figures search_bench build/search_bench --smoke
