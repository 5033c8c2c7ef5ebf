#!/bin/sh
# The sink, the loop and the server under load for SECONDS (300) in each of three builds: plain, ThreadSanitizer,
# AddressSanitizer with UBSan.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-300}
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"  # as in tsan.sh

soak() {
  [ -f "$2/build.ninja" ] || cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --target wakeproof-soak
  echo "--- $1"
  "$2/wakeproof-soak" --seconds "$seconds"
}

soak dev build
soak tsan build/tsan
soak asan build/asan
