#!/bin/sh
# The gate for comments: Doxygen reads the public headers without a warning, into build/docs/html, and every class and
# concept there says what it is.
set -eu
cd "$(dirname "$0")/.."
command -v doxygen >/dev/null 2>&1 || {
  echo 'docs: doxygen is missing: apt-get install doxygen' >&2
  exit 2
}
mkdir -p build/docs
status=0
doxygen ci/Doxyfile >build/docs/log 2>&1 || status=$?
# Read once more for what has no comment. A member may speak for itself; a class or a concept may not.
{ cat ci/Doxyfile; printf '%s\n' 'EXTRACT_ALL = NO' 'WARN_IF_UNDOCUMENTED = YES' 'GENERATE_HTML = NO'; } |
  doxygen - 2>&1 | grep -E ': warning: (Compound|Concept) ' >>build/docs/log || true
if [ $status -ne 0 ] || [ -s build/docs/log ]; then
  cat build/docs/log >&2
  echo "docs: doxygen says $(wc -l <build/docs/log) lines of warnings, exit status $status" >&2
  exit 1
fi
[ -s build/docs/html/output__sink_8hpp.html ] || { echo 'docs: no page of sink/output_sink.hpp' >&2; exit 1; }
echo 'docs: the public headers without a warning, and no class without a word'
