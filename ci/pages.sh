#!/bin/sh
# The page of a counterexample in headless Chromium: ci/pages.sh [WAKEPROOF [FOLDER]]
set -eu
export WAKEPROOF_CACHE=  # what was proved before would not be tested
tree=$(cd "$(dirname "$0")/.." && pwd)
wakeproof=${1:-$tree/build/wakeproof}
folder=${2:-$tree/build/page}
chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ] || ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
  echo 'pages: chromium, nodejs or npm is missing: apt-get install chromium nodejs npm (ci/setup.sh does)' >&2
  exit 1
fi
mkdir -p "$folder"
if ! cmp -s "$tree/models/trace/page/package-lock.json" "$folder/package-lock.json" || [ ! -d "$folder/node_modules" ]; then
  cp "$tree/models/trace/page/package.json" "$folder/"
  (cd "$folder" && cp "$tree/models/trace/page/package-lock.json" . && npm ci --silent --no-audit --no-fund) || {
    rm -f "$folder/package-lock.json"
    echo 'pages: npm ci could not install playwright-core and axe-core' >&2
    exit 1
  }
fi
CHROMIUM=$chromium node "$tree/models/trace/page/page_test.mjs" "$wakeproof" "$folder"
