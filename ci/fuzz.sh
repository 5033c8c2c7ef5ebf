#!/bin/sh
# The gate for documents from elsewhere: libFuzzer feeds the trace reader for SECONDS, 60 without an
# argument. A crash leaves its input in build/fuzz.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target trace_json_fuzz
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
# What it finds goes to the first folder; the corpus in the tree stays as it is.
build/fuzz/trace_json_fuzz "$found" models/trace/corpus -max_total_time="$seconds" -max_len=65536 \
  -artifact_prefix=build/fuzz/ -print_final_stats=1 -verbosity=0
echo "fuzz: $seconds s without a crash"
