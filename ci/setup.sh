#!/bin/sh
# Installs the Debian packages that building and testing need. Does nothing where none is missing.
set -eu

packages='g++ python3 cmake ninja-build make git relacy-dev catch2 libcli11-dev nlohmann-json3-dev libfmt-dev libpugixml-dev
  libxxhash-dev libbenchmark-dev libgtest-dev parallel procps pkg-config dpkg-dev python3-jsonschema python3-yaml libxml2-utils
  clang-19 libclang-rt-19-dev clang-format-19 clang-tidy-19 doxygen chromium fonts-dejavu-core netcat-openbsd zsh fish
  groff-base'
# Of these any version will do, wherever it comes from.
command -v node >/dev/null 2>&1 || packages="$packages nodejs"
command -v npm >/dev/null 2>&1 || packages="$packages npm"

missing=
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "setup: missing packages, and neither root nor sudo to install them:$missing" >&2
  exit 1
fi
echo "setup: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
  echo "setup: apt-get could not install:$missing" >&2
  exit 1
}
