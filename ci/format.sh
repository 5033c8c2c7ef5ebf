#!/bin/sh
# The gate for the layout of sources: what `make format` would change fails it.
set -eu
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
formatter=${CLANG_FORMAT:-clang-format-19}
command -v "$formatter" >/dev/null 2>&1 || {
  echo "format: $formatter is missing: apt-get install clang-format-19 (ci/setup.sh does)" >&2
  exit 2
}
if ! git ls-files '*.hpp' '*.cpp' | xargs "$formatter" --dry-run -Werror 2>"$log"; then
  cat "$log" >&2
  echo 'format: sources are laid out otherwise than .clang-format says: make format' >&2
  exit 1
fi
echo "format: $(git ls-files '*.hpp' '*.cpp' | wc -l) sources as .clang-format says"
