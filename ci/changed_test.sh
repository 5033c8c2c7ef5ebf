#!/bin/bash
# --changed-since and tags, on a project of its own with a repository: by ninja and by make.
# Usage: changed_test.sh BUILD_FOLDER, where the libraries are built.
set -u
build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")
work=$(realpath "$(mktemp -d)")
trap 'rm -rf "$work"' EXIT
export WAKEPROOF_CACHE= GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
stop() {
  echo "changed: $*" >&2
  cat "$work/out" "$work/err" 2>/dev/null | head -20 >&2
  exit 1
}

# --- the project: two scenarios in a source each, a helper of both, and a program that is none of theirs -------------
mkdir -p "$work/project/src" "$work/project/helper" && cd "$work/project" || exit 1
git init -q -b main . && git config user.name somebody && git config user.email somebody@example.org
for one in first second; do
  echo "inline constexpr const char* k_$one = \"A scenario.\";" >"src/$one.hpp"
  cat >"src/$one.cpp" <<CPP
#include "$one.hpp"
#include "models/handoff.hpp"
const char* help();
template <class P>
struct ${one}_queue {
  typename P::mutex lock{"lock"};
  typename P::event bell{"bell"};
  int items = 0;
};
template <class Queue>
struct ${one}_script {
  ${one}_script(const wakeproof::Bounds&, wakeproof::Ledger& l) : ledger(l) {}
  void put(int, int item) { { typename Queue::Lock guard(queue.lock); last = item; } queue.bell.set(); }
  void consumer() { queue.bell.wait(); ledger.took(last); }
  void judge() {}
  wakeproof::Ledger& ledger;
  Queue queue;
  int last = 0;
};
template <class P>
struct ${one}_subject : ${one}_queue<P> { using Lock = typename P::lock_guard; };
const bool added = (help(), wakeproof::add<${one}_script, ${one}_subject>({.name = "$one/correct", .story = k_$one, .sizes = {{1, 1}}, .tags = {"of_$one"}}));
CPP
done
echo 'const char* help() { return "helped"; }' >helper/help.cpp
echo 'add_library(helper help.cpp)' >helper/CMakeLists.txt
echo 'int main() { return 0; }' >src/other.cpp
echo 'A project.' >README
echo '/built-*' >.gitignore
cat >CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.22)
project(two LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
add_compile_options(-fno-sized-deallocation)
include_directories($source)
link_directories($build)
add_subdirectory(helper)
add_executable(scenarios src/first.cpp src/second.cpp)
target_link_libraries(scenarios helper wakeproof_main wakeproof_cli wakeproof_models fmt pugixml)
add_executable(other src/other.cpp)
CMAKE
git add . && git commit -qm 'A project'

# those WANTED ARGUMENTS...: the names that `list` gives
those() {
  local wanted=$1
  shift
  "$program" list --names "$@" >"$work/out" 2>"$work/err" || stop "list $*: exit status $?"
  [ "$(tr '\n' ' ' <"$work/out")" = "$wanted" ] || stop "list $* gives $(tr '\n' ' ' <"$work/out"), not $wanted"
}
complains() {
  local pattern=$1
  shift
  "$@" >"$work/out" 2>"$work/err" && stop "not refused: $*"
  [ "$(wc -l <"$work/err")" = 1 ] && grep -qE -- "$pattern" "$work/err" || stop "$* does not say '$pattern' in one line"
}
# touched WANTED FILE: what counts as changed where the file is
touched() {
  echo '// changed' >>"$2"
  those "$1" --changed-since HEAD
  git checkout -q -- "$2"
}
both='first/correct second/correct '
helper=helper
for way in 'Ninja:OFF' 'Unix Makefiles:ON' 'Unix Makefiles:OFF'; do
  generator=${way%:*}
  # Of a folder with a blank ninja learns no dependencies from what CMake 3.25 writes for it.
  if [ "$way" = 'Unix Makefiles:ON' ]; then
    helper='a helper'
    git mv helper "$helper" && sed -i 's/(helper)$/("a helper")/' CMakeLists.txt && git commit -qam 'A folder with a blank'
  fi
  built=built-$(printf %s "$way" | tr -c a-zA-Z _)
  cmake -G "$generator" -DBUILD_SHARED_LIBS="${way#*:}" -S . -B "$built" >"$work/out" 2>&1 && cmake --build "$built" -j2 >>"$work/out" 2>&1 ||
    stop "the project does not build with $generator"
  program=$PWD/$built/scenarios
  those "$both"
  those '' --changed-since HEAD
  touched 'first/correct ' src/first.cpp
  touched 'first/correct ' src/first.hpp
  touched 'second/correct ' src/second.hpp
  touched "$both" "$helper/help.cpp" # of the program, and of no scenario's own
  touched "$both" CMakeLists.txt     # it says how things are compiled
  touched '' src/other.cpp           # of another program
  touched '' README
  echo 'new' >src/new.hpp            # nobody includes it
  those '' --changed-since HEAD
  rm src/new.hpp
  git rm -q --cached src/second.hpp && git commit -qm 'Forgets a file'
  those 'second/correct ' --changed-since HEAD
  git reset -q --hard HEAD~1
  (cd src && those '' --changed-since HEAD) || exit 1  # from below the root
  echo '// changed' >>src/second.hpp && git commit -qam 'Changed'
  those 'second/correct ' --changed-since HEAD~1
  those '' --changed-since HEAD
  those '' --changed-since HEAD~1 --exclude 'second/*'
  git reset -q --hard HEAD~1
done

# --- `run`: what did not change is not searched, and nothing to search is no failure ---------------------------------
"$program" run --changed-since HEAD --json "$work/r.json" >"$work/out" 2>"$work/err" || stop "run: exit status $?"
grep -q '^0 of 2 scenarios changed since HEAD' "$work/err" || stop 'run does not say that nothing changed'
grep -q '"results": \[\]' "$work/r.json" || stop 'the report of nothing is not empty'
echo '// changed' >>src/first.hpp
"$program" run --changed-since HEAD >"$work/out" 2>"$work/err" || stop "run: exit status $?"
grep -q '^1 of 2 scenarios changed since HEAD' "$work/err" || stop 'run does not say how many changed'
grep -q '^first/correct .* proved' "$work/out" || stop 'run does not search what changed'
grep -q '^second/' "$work/out" && stop 'run searches what did not change'

# --- who cannot tell says so ---------------------------------------------------------------------------------------------
cp "$program" "$work/moved"
complains 'is in no build folder of CMake; --build says' "$work/moved" list --changed-since HEAD
complains "knows nothing of|failed: " "$work/moved" list --changed-since HEAD --build "$PWD/$built"
complains "'no_such' is no revision here" "$program" list --changed-since no_such
complains "'--all' is no revision here" "$program" list --changed-since=--all
complains 'no_such' "$program" list --changed-since HEAD --build no_such
(cd / && complains 'git failed: .*not a git repository' "$program" list --changed-since HEAD) || exit 1
find "$built" -name '*.o.d' -delete
complains 'wrote nothing down about the sources' "$program" list --changed-since HEAD
complains 'cannot run git' env PATH="$work" "$program" list --changed-since HEAD

# --- tags ------------------------------------------------------------------------------------------------------------------
those 'first/correct ' --tag of_first
those "$both" --tag of_first --tag of_second
those "$both" --tag proved
those 'second/correct ' --exclude-tag of_first
those 'second/correct ' 's*' --tag proved
complains "no scenario has the tag 'of_third'; there are of_first, of_second, proved" "$program" list --tag of_third
complains 'nothing is left' "$program" run --tag of_first --exclude-tag proved
echo 'changed: what was touched is searched, by ninja and by make'
