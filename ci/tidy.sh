#!/bin/sh
# The gate for what clang-tidy finds: ci/tidy.sh [REV]; with REV only in sources that changed since.
# It looks at the .cpp files of models/ and at the headers they reach, models/ and sink/: not at tests, which Catch2's
# macros fill with findings, and not at scenarios/. About five minutes on two cores.
set -eu
cd "$(dirname "$0")/.."
tidy=${CLANG_TIDY:-clang-tidy-19}
command -v "$tidy" >/dev/null 2>&1 || {
  echo "tidy: $tidy is missing: apt-get install clang-tidy-19 (ci/setup.sh does)" >&2
  exit 2
}
if [ $# -gt 0 ]; then
  git rev-parse -q --verify "$1^{commit}" >/dev/null || { echo "tidy: '$1' is no revision" >&2; exit 2; }
  list="git diff --name-only --diff-filter=d $1"
else
  list='git ls-files'
fi
# The generated sources and the flags of each file; nothing is built.
cmake --preset clang >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$list -- models | grep '\.cpp$' | grep -vE '_(test|bench|fuzz)\.cpp$' >"$work/files" || true
[ -s "$work/files" ] || { [ $# -gt 0 ] && echo "tidy: no source of models/ changed since $1" && exit 0; echo 'tidy: no sources' >&2; exit 2; }
xargs -P "$(nproc)" -n 2 "$tidy" -p build/clang --quiet <"$work/files" >"$work/out" 2>"$work/err" || {
  cat "$work/out" >&2
  grep -v 'warnings\? generated' "$work/err" >&2 || true
  echo "tidy: $(grep -cE ' (error|warning): ' "$work/out" || true) findings in the sources" >&2
  exit 1
}
echo "tidy: $(wc -l <"$work/files") sources without a finding"
