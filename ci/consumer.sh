#!/bin/bash
# A project of somebody else's, ci/consumer, against this one as an installed package: from scratch each time.
# Usage: consumer.sh [BUILD_FOLDER], where the command and the libraries are built; build/ without it.
set -u
export WAKEPROOF_CACHE=  # what was proved before would not be tested
build=$(realpath "${1:-$(dirname "$0")/../build}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
stop() {
  echo "consumer: $*" >&2
  exit 1
}
# quietly WHAT COMMAND...: its output only where it fails
quietly() {
  local what=$1
  shift
  local status=0
  "$@" >"$work/log" 2>&1 || status=$?
  [ $status -eq 0 ] || { tail -40 "$work/log" >&2; stop "$what: exit status $status"; }
}
# refuses PATTERN COMMAND...: it must fail, and say so
refuses() {
  local pattern=$1
  shift
  "$@" >"$work/log" 2>&1 && stop "not refused: $*"
  grep -q -- "$pattern" "$work/log" || { tail -20 "$work/log" >&2; stop "$* does not say '$pattern'"; }
}

# A copy of the project: nothing can be found beside it that is not installed.
cp -r consumer "$work/consumer"
export CMAKE_PREFIX_PATH=$prefix PKG_CONFIG_PATH=
quietly 'install' cmake --install "$build" --prefix "$prefix"
"$prefix/bin/wakeproof" --version | grep -qx 'wakeproof [0-9.]*' || stop 'the installed command tells no version'
if grep -rlE '#include <(relacy|CLI|nlohmann)/' "$prefix"; then stop 'headers that an installed one must not need'; fi

# --- find_package: its tests are as they must be, among them one under ThreadSanitizer -------------------------
quietly 'configure' cmake -S "$work/consumer" -B "$work/built"
quietly 'build' cmake --build "$work/built" -j2
quietly 'tests' ctest --test-dir "$work/built" --output-on-failure
tests=$(ctest --test-dir "$work/built" -N -L race_gate | sed -n 's/^ *Test *#[0-9]*: //p' | sort | tr '\n' ' ')
[ "$tests" = 'own_scenarios.1x1 own_scenarios.1x2 own_scenarios.2x1 own_scenarios.tsan ' ] ||
  stop "the tests with the label are: $tests"

# The adapters fail where a verdict is another one, and print the counterexample.
catch2=$work/built/own_catch2_test
gtest="$work/built/own_gtest_test --gtest_also_run_disabled_tests"
refuses 'consumer waits for changed' "$catch2" '[hope]'
refuses 'there are: own_queue/correct' "$catch2" '[nobody]'
refuses 'consumer waits for changed' $gtest --gtest_filter='*HopedRight'
refuses 'there are: own_queue/correct' $gtest --gtest_filter='*Nobody'

# --- pkg-config alone: the bug, taken to be right -----------------------------------------------------------
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name wakeproof.pc)")
# shellcheck disable=SC2046
quietly 'g++ and pkg-config' g++ -std=c++20 -O2 "$work/consumer/own_hope.cpp" $(pkg-config --cflags --libs wakeproof) -o "$work/hope"
# shellcheck disable=SC2046
quietly 'headers by pkg-config' g++ -std=c++20 "$work/consumer/own_program.cpp" $(pkg-config --cflags --libs wakeproof-sink) -o "$work/program"
"$work/program" | grep -q ': 5050$' || stop 'the program by pkg-config does not add up'
"$work/hope" run --traces "$work/traces" --junit "$work/junit.xml" --sarif "$work/wakeproof.sarif" >"$work/out" 2>&1
status=$?
[ $status -eq 10 ] || { cat "$work/out" >&2; stop "a bug that is to be proved gives exit status $status, not 10"; }
grep -q '<html' "$work"/traces/*.html || stop 'no page of the counterexample'
xmllint --noout --schema junit.xsd "$work/junit.xml" 2>/dev/null && grep -q '<failure' "$work/junit.xml" ||
  stop 'no JUnit report of the counterexample'
grep -q '"ruleId": *"lost_wakeup"' "$work/wakeproof.sarif" || stop 'no SARIF report of the counterexample'
grep -q 'EXPECTED proved' "$work/out" || stop 'the row does not say what was expected'

# --- a race: the put's lock taken away, and the stress program must see it -------------------------------------
cp "$work/consumer/own_queue.hpp" "$work/own_queue.hpp"
sed -i '0,/typename P::unique_lock lock(lock_);/s//typename P::mutex unused; typename P::unique_lock lock(unused);/
        0,/while (slot_.read()) changed_.wait(lock);/s//while (slot_.read()) P::pause();/' "$work/consumer/own_queue.hpp"
cmp -s "$work/consumer/own_queue.hpp" "$work/own_queue.hpp" && stop 'no lock to take away from the put'
quietly 'build without a lock' cmake --build "$work/built" --target own_scenarios.stress
refuses 'ThreadSanitizer: data race' env TSAN_OPTIONS='halt_on_error=1 exitcode=66' "$work/built/own_scenarios.stress"
cp "$work/own_queue.hpp" "$work/consumer/own_queue.hpp"

# --- calls that are wrong get one line that says why ------------------------------------------------------------
wrong() {
  local pattern=$1 call=$2
  mkdir -p "$work/wrong"
  cp "$work"/consumer/own_s* "$work/wrong"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(wrong LANGUAGES CXX)' \
    'find_package(wakeproof CONFIG REQUIRED)' "$call" >"$work/wrong/CMakeLists.txt"
  refuses "$pattern" cmake -S "$work/wrong" -B "$work/wrong/built"
}
wrong "BOUNDS '2by1' is not PRODUCERSxITEMS" 'wakeproof_add_scenarios(s own_scenarios.cpp BOUNDS 2by1)'
wrong "there is no source 'missing.cpp'" 'wakeproof_add_scenarios(s missing.cpp)'
wrong 'no sources' 'wakeproof_add_scenarios(s BOUNDS 1x1)'
wrong "BUDGET 'soon' is not a whole number" 'wakeproof_add_scenarios(s own_scenarios.cpp BUDGET soon)'
wrong 'LABELS without a value' 'wakeproof_add_scenarios(s own_scenarios.cpp LABELS)'
wrong 'wakeproof' 'find_package(wakeproof CONFIG REQUIRED COMPONENTS no_such)'

# --- the Debian packages, unpacked into a folder of their own -----------------------------------------------------
quietly 'cpack' cpack --config "$build/CPackConfig.cmake" -B "$work/packages"
set -- "$work"/packages/*.deb
[ $# -eq 3 ] || stop "$# packages, not 3: $*"
holds() {
  dpkg-deb -c "$work"/packages/"$1"_*.deb >"$work/held"
  grep -q " \./usr/$2\$" "$work/held" || stop "$1 does not hold $2"
}
holds libwakeproof-sink-dev include/wakeproof/sink/output_sink.hpp
holds libwakeproof-dev 'lib.*/libwakeproof_models.a'
holds wakeproof bin/wakeproof
dpkg-deb -f "$work"/packages/wakeproof_*.deb Depends | grep -q libfmt || stop 'the command does not ask for libfmt'
dpkg-deb -f "$work"/packages/libwakeproof-dev_*.deb Depends | grep -q libwakeproof-sink-dev ||
  stop 'libwakeproof-dev does not ask for the headers'
for package in "$@"; do dpkg -x "$package" "$work/root"; done
"$work/root/usr/bin/wakeproof" list 'output_sink/correct' >/dev/null || stop 'the packaged command does not run'
CMAKE_PREFIX_PATH=$work/root/usr quietly 'configure against the packages' cmake -S "$work/consumer" -B "$work/packaged"
grep -q "wakeproof_DIR:PATH=$work/root/usr" "$work/packaged/CMakeCache.txt" || stop 'the packages were not found'

# The headers alone are enough for what ships.
rm -rf "$work/root"
dpkg -x "$work"/packages/libwakeproof-sink-dev_*.deb "$work/root"
CMAKE_PREFIX_PATH=$work/root/usr refuses 'wakeproof' cmake -S "$work/consumer" -B "$work/headers_only"
echo 'consumer: found by CMake and by pkg-config, from a prefix and from the Debian packages; its bug is caught'
