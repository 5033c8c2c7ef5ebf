#!/bin/sh
# Configures, where that was not done, and builds one of the presets of CMakePresets.json.
set -eu
cd "$(dirname "$0")/.."
preset=$1
directory=build
[ "$preset" = dev ] || directory=build/$preset
[ -f "$directory/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
