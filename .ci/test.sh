#!/bin/sh
# Everything that has to hold, one stage after another; run as `./ftlab test`. Each stage prints one line when it
# starts and one when it ends; a failed stage does not stop the others, but fails the whole. Knows which stages there
# are and in which order; how one works is in stages.sh.
set -u

. "$FTLAB_ROOT/cmake/setup/packages.sh"
. "$FTLAB_ROOT/cmake/setup/build.sh"
. "$FTLAB_ROOT/.ci/stages.sh"

usage() {
  cat <<'TEXT'
usage: ./ftlab test             everything: all tests, sanitizers, firmware builds, format, lint, examples, README
       ./ftlab test --fast      release build; its tests except those labelled slow; format and layer rules
       ./ftlab test FILTER      release build; the tests whose name matches the regular expression FILTER
       ./ftlab test --stage S   one stage alone: format rules release slow asan native firmware tidy examples bench
                                reports readme
FTLAB_TRACE_DIR: directory with real block traces; tests that want one say that they skip when it is not set.
TEXT
}

passed=
failed=
summary=
started_all=$(date +%s)

# stage NAME TITLE: runs stage_NAME, times it, remembers the outcome.
stage() {
  printf '\n== %s: %s\n' "$1" "$2"
  started=$(date +%s)
  # A subshell, so that a stage may exit; not in a condition, where the shell would ignore `set -e`.
  (
    set -e
    "stage_$1"
  )
  status=$?
  outcome=FAILED
  if [ $status -eq 0 ]; then outcome=ok; fi
  seconds=$(($(date +%s) - started))
  printf '== %s: %s (%d s)\n' "$1" "$outcome" "$seconds"
  summary="$summary
$(printf '  %-9s %-7s %4d s   %s' "$1" "$outcome" "$seconds" "$2")"
  if [ $outcome = ok ]; then passed="$passed $1"; else failed="$failed $1"; fi
}

one() {
  case $1 in
    format) stage format "sources are formatted (clang-format)" ;;
    rules) stage rules "layers, file lengths, wording" ;;
    release) stage release "release build and its tests" ;;
    slow) stage slow "tests labelled slow" ;;
    asan) stage asan "tests under address and undefined-behaviour sanitizers" ;;
    native) stage native "firmware and its tests without SystemC" ;;
    firmware) stage firmware "firmware for a bare-metal ARM core, with its sizes" ;;
    tidy) stage tidy "static analysis (clang-tidy)" ;;
    examples) stage examples "examples built against an installed ftlab, and run" ;;
    bench) stage bench "benchmarks build and run" ;;
    reports) stage reports "report package and pages" ;;
    readme) stage readme "commands in the documents do what they show" ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
}

filter=
stages='format rules release slow asan native firmware tidy examples bench reports readme'
groups='runtime test bare-metal browser'
case ${1-} in
  '') ;;
  -h | --help)
    usage
    exit 0
    ;;
  --fast)
    stages='format rules release'
    groups='runtime test'
    ;;
  --stage)
    if [ $# -ne 2 ]; then
      usage >&2
      exit 2
    fi
    stages=$2
    ;;
  -*)
    usage >&2
    exit 2
    ;;
  *)
    filter=$1
    stages=release
    groups='runtime test'
    ;;
esac

# shellcheck disable=SC2086 # words
ensure_packages $groups
python_environment --dev || failed=' python-environment'
for name in $stages; do one "$name"; done

printf '\n== summary (%d s)%s\n' "$(($(date +%s) - started_all))" "$summary"
if [ -n "$failed" ]; then
  printf 'FAILED:%s\n' "$failed"
  exit 1
fi
printf 'all stages passed:%s\n' "$passed"
