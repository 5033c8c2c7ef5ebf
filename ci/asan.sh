#!/bin/sh
# The gate for memory errors and undefined behaviour on real threads.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh asan
exec ctest --preset asan
