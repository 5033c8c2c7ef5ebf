#!/bin/sh
# The gate for the model: the machine, the search, the traces and the catalogue, with g++.
set -eu
cd "$(dirname "$0")/.."
ci/build.sh dev
ctest --preset dev --no-tests=error -R '^models$'
