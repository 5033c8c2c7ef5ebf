#!/bin/sh
# The gate for compilers: library, command and one test program with each of them, as a package is built (Release), and
# without precompiled headers, which hide an include that is missing: ci/compilers.sh [NAME...], where NAME is gcc12,
# clang19 or cxx23 (g++ with C++23); without one all three, about five minutes each on two cores.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- gcc12 clang19 cxx23
for name in "$@"; do
  standard=20
  case $name in
    gcc12) compiler=g++-12 ;;
    clang19) compiler=clang++-19 ;;
    cxx23) compiler=g++ standard=23 ;;
    *) echo "compilers: '$name' is none of gcc12, clang19, cxx23" >&2; exit 1 ;;
  esac
  command -v "$compiler" >/dev/null 2>&1 || {
    echo "compilers: $compiler is missing: apt-get install g++-12 clang-19" >&2
    exit 2
  }
  cmake -G Ninja -S . -B "build/$name" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD=$standard \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "build/$name" --target wakeproof_models wakeproof sink_test || { echo "compilers: $name does not build" >&2; exit 1; }
  "build/$name/wakeproof" run output_sink/correct -P 1 -I 1 --no-steps --progress 0 >/dev/null || {
    echo "compilers: the command built by $name does not prove output_sink/correct" >&2
    exit 1
  }
done
echo "compilers: $*"
