#!/bin/sh
# The gate for memory errors and undefined behaviour on real threads.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh asan
# The scenarios' objects bring Relacy's replacement of some of the allocation functions, not of all: on
# real threads both halves end in malloc and free.
export ASAN_OPTIONS="alloc_dealloc_mismatch=0"
exec ctest --preset asan
