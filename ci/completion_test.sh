#!/bin/sh
# What `wakeproof completion` prints, in the shells that it is for, and the manual page.
set -u
export WAKEPROOF_CACHE=  # what was proved before would not be tested
wakeproof=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(dirname "$wakeproof"):$PATH
failed=0

fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

for tool in bash zsh fish groff; do
  command -v $tool >/dev/null || { echo "completion: $tool is missing; ci/setup.sh installs it" >&2; exit 2; }
done

# expect SHELL LINE WORD: among the completions of LINE there is WORD.
expect() {
  case $1 in
    bash)
      # shellcheck disable=SC2016
      bash --norc -c '
        eval "$(wakeproof completion bash)"
        read -r -a COMP_WORDS <<<"$1"
        case $1 in *" ") COMP_WORDS+=("") ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _wakeproof
        printf "%s\n" "${COMPREPLY[@]}"' bash "$2" >"$work/out" 2>&1
      ;;
    fish)
      wakeproof completion fish >"$work/wakeproof.fish"
      fish --no-config -c "source '$work/wakeproof.fish'; complete -C '$2'" 2>&1 | cut -f1 >"$work/out"
      ;;
  esac
  grep -qxF -e "$3" "$work/out" || fail "$1: '$2' does not complete to '$3': $(head -3 "$work/out")"
}

for shell in bash fish; do
  expect $shell 'wakeproof ' explain
  expect $shell 'wakeproof ex' explain
  expect $shell 'wakeproof run output_sink/miss' output_sink/missing_second_drain
  expect $shell 'wakeproof run --keep' --keep-going
  expect $shell 'wakeproof explain --for' --format
done

# zsh completes only at a terminal: that it reads what is printed, and defines the function, is what is seen here.
zsh -f -c 'autoload -Uz compinit; compinit -u -d "$1/dump"; eval "$(wakeproof completion zsh)"; whence -w _wakeproof' \
  zsh "$work" >"$work/out" 2>&1
grep -q '^_wakeproof: function$' "$work/out" || fail "zsh: $(head -3 "$work/out")"
wakeproof completion zsh >"$work/_wakeproof" && zsh -n "$work/_wakeproof" || fail 'zsh does not read it'
for verb in $(wakeproof completion bash | sed -n 's/^ *\*) words=.\(.*\) --help.*/\1/p'); do
  grep -q "'$verb:" "$work/_wakeproof" || fail "zsh: no verb $verb"
done

wakeproof man >"$work/wakeproof.1" || fail 'no manual page'
groff -man -ww -Tutf8 "$work/wakeproof.1" >"$work/page" 2>"$work/warnings"
[ -s "$work/warnings" ] && fail "the manual page: $(head -3 "$work/warnings")"
for verb in $(wakeproof completion bash | sed -n 's/^ *\*) words=.\(.*\) --help.*/\1/p'); do
  grep -q "^.SS $verb\$" "$work/wakeproof.1" || fail "the manual page does not tell of $verb"
done

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
echo 'completion: bash, zsh, fish and the manual page'
