# What the stages share. Source it first: it moves to the top of the checkout.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
scratch=$root/.build/ci
mkdir -p "$scratch"

say() { printf '%s\n' "$*"; }
fail() {
  printf 'ci: %s\n' "$*" >&2
  exit 1
}

# need TOOL PACKAGE: installs a package of Debian's when a tool is missing and may be installed.
need() {
  command -v "$1" >/dev/null && return
  say "$1 is missing: installing $2"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$2"; } >"$scratch/install.log" 2>&1 ||
    fail "$1 is missing and $2 cannot be installed; see .build/ci/install.log"
}

command -v swift >/dev/null || fail "swift is not on the PATH; the package needs the toolchain that Package.swift names"

# quietly NAME COMMAND…: runs a command, its output in .build/ci/NAME.log; shows what matters of it when it fails.
quietly() {
  local log=$scratch/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null && return
  local status=$?
  grep -E '(error|warning): |✘|^↳|Fatal error|Sanitizer' "$log" |
    grep -vE '`- |^↳ (Testing Library|Target Platform)|error: fatalError' | awk '!seen[$0]++' | head -n 60 || true
  say "… the end of ${log#"$root"/}:"
  tail -n 20 "$log"
  return "$status"
}

# closing NAME: the test runner's own closing line in a log; fails when no test ran.
closing() {
  local line
  line=$(grep -E 'Test run with [0-9]+ tests?' "$scratch/$1.log" | tail -n 1) || fail "the log of $1 tells of no test run"
  say "$line"
  [[ $line != *'Test run with 0 tests'* ]] || fail "no test ran in $1"
}

# readme_command START: the first line of a shell block of README.md that starts so.
readme_command() {
  awk -v start="$1" '
    /^```/ { open = !open; shell = open && /^```(sh|bash|shell|console) *$/; next }
    shell { sub(/^\$ /, ""); if (index($0, start) == 1) { print; exit } }
  ' README.md
}

# The JSON suite lies beside the checkout where it is to be had, and is no part of it.
find_json_suite() {
  local suite=$root/../shared/json-test-suite/test_parsing
  if [ -n "${STOIC_JSON_SUITE:-}" ]; then
    say "JSON suite: $STOIC_JSON_SUITE"
  elif [ -d "$suite" ]; then
    STOIC_JSON_SUITE=$(cd "$suite" && pwd)
    export STOIC_JSON_SUITE
    say "JSON suite: ../shared/json-test-suite"
  else
    say "SKIPPED: the JSON suite, as ../shared/json-test-suite is not there"
  fi
}
