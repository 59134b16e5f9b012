#!/bin/sh
# Everything that has to hold, one stage after another; run as `./ftlab test`. Each stage prints one line when it
# starts and one when it ends; a failed stage does not stop the others, but fails the whole. Knows which stages and
# options there are and in which order; how a stage works is in stages.sh.
set -u

. "$FTLAB_ROOT/cmake/setup/packages.sh"
. "$FTLAB_ROOT/cmake/setup/build.sh"
. "$FTLAB_ROOT/.ci/stages.sh"

# The stages in the order in which they run: name, whether always or only when asked for, groups of packages, what
# has to hold. `stage_NAME` does it.
stages_table() {
  cat <<'TABLE'
format    always  test                sources are formatted (clang-format)
rules     always  runtime             layers, file lengths, words, classes in two files at most
release   always  runtime,test        release build and its tests; in a whole run those that asan takes today are left to it
slow      always  runtime,test        tests labelled slow
storm     always  runtime,test        power losses everywhere, without faults and with: nothing lost, no volume unusable
fullest   always  runtime,test        what is accepted works: configurations at their largest logical size
life      always  runtime,test        volumes written to the end of their lives: data stays readable
damage    always  runtime,test        volumes damaged at rest: nothing silent where the metadata can know
sample    always  runtime,test        a few safety measures, drawn by chance, are missed; some sources compile alone
cores     always  runtime,test,bare-metal,emulated  instruction-set cores end random programs as other emulators do, without exceptions and with
mutants   asked   runtime,test,bare-metal,emulated  safety measures of the firmware, each switched off once, are missed; wrong instructions as well
asan      always  runtime,test,fuzz   one of four parts of the quick tests, another each day, under address and undefined-behaviour sanitizers
fuzz      always  runtime,test,fuzz   hostile input under sanitizers, for the same part: media and calls, bus traffic, or files
emulated  always  runtime,test,emulated  firmware and a quarter of its test programs, on a 32-bit big-endian machine (qemu)
firmware  always  runtime,test,bare-metal  firmware for bare-metal ARM and RISC-V cores: its sizes, and studies that simulated cores run
tidy      always  runtime,test        static analysis (clang-tidy)
examples  always  runtime,test        examples built against an installed ftlab, and run
bench     always  runtime,test        benchmarks build and run, a half each day
speed     always  runtime,test        instructions of a request on watched paths, no more than before; runs beside a program that only counts
reports   always  runtime,test,browser Python package: sweeps, pages; schema of results
readme    always  runtime,test        commands in the documents do what they show
oncores   asked   runtime,test,bare-metal  random studies and losses of power on simulated cores, beside native runs
replay    asked   runtime,test        one case of a campaign again
slurm     asked   runtime,slurm       a sweep by the queue of a SLURM of one node, set up here for it, gives the same table
TABLE
}

# The options that run stages: name, arguments (- for none, [optional]), stages, what the help says. The arguments
# go to each of the option's stages; a stage of a whole run gets none.
options_table() {
  cat <<'TABLE'
--fast     -       format,rules,release  formatting, layer rules, release build with its tests except those labelled slow
--storm    LOSSES,[SEED]  storm  so many power losses for each layer, and a fifth of it with faults; SEED draws others
--fullest  CASES   fullest  so many configurations of each layer
--life     CASES   life     so many volumes of each layer
--cores    PROGRAMS,[SEED]  cores  so many random programs on each core and on another emulator, and a tenth of it with exceptions
--on-cores STUDIES,[SEED],[OPERATIONS]  oncores  so many studies of each firmware and part on simulated cores and natively, each of OPERATIONS programs and erases or more, and a hundred times as many losses of power on each core
--mutants  [NAME]  mutants  all mutants, or one
--damage   CASES   damage   so many volumes of each layer
--replay   CASE    replay   one case that a campaign named
--slurm    -       slurm    a sweep by the queue of a SLURM that is set up here, and stopped at the end (needs root)
--fuzz     SECONDS,[TARGET]  fuzz  so long of every fuzz target, or of one: many executions, then the sanitizers
TABLE
}

# whole_run: the lines of the stages that run when nothing is asked for.
whole_run() { stages_table | awk '$2 == "always"'; }

usage() {
  echo 'usage: ./ftlab test             everything: all stages below, in this order'
  options_table | while read -r name arguments _ does; do
    if [ "$arguments" = - ]; then arguments=; fi
    printf '       ./ftlab test %-15s  %s\n' "$name${arguments:+ $(words "$arguments")}" "$does"
  done
  cat <<'TEXT'
       ./ftlab test FILTER           release build; the tests whose name matches the regular expression FILTER
       ./ftlab test --stage STAGE    one stage alone

stages:
TEXT
  whole_run | while read -r name _ _ title; do printf '  %-9s %s\n' "$name" "$title"; done
  printf '\nFTLAB_TRACE_DIR: directory with real block traces; tests that want one say that they skip when it is not set.\n'
  printf 'FTLAB_SHARE=FIRST/OF: which part to take where a stage takes one of its tests or sources each day; 0/1 takes all.\n'
}

# refuse [REASON]: the reason, the usage, exit status 2.
refuse() {
  if [ $# -gt 0 ]; then say "test: $1"; fi
  usage >&2
  exit 2
}

# require_number NAME VALUE
require_number() {
  case $2 in
    '' | 0 | *[!0-9]*) refuse "$1: '$2' is not a whole number from 1 on" ;;
  esac
}

# words A,B: A B
words() { printf '%s' "$1" | tr ',' ' '; }

# line_of TABLE NAME: the table's line about NAME; fails when there is none.
line_of() {
  "$1" | awk -v name="$2" '$1 == name { print; found = 1 } END { exit !found }'
}

# choose_option NAME ARGUMENT...: sets `stages`; refuses an unknown option and a wrong number of arguments.
choose_option() {
  option=$(line_of options_table "$1") || refuse
  shift
  read -r _ arguments stages _ <<LINE
$option
LINE
  most=0
  fewest=0
  if [ "$arguments" != - ]; then
    for argument in $(words "$arguments"); do
      most=$((most + 1))
      case $argument in '['*) ;; *) fewest=$((fewest + 1)) ;; esac
    done
  fi
  if [ $# -lt $fewest ] || [ $# -gt $most ]; then refuse; fi
  case $arguments in
    LOSSES* | CASES* | PROGRAMS* | SECONDS* | STUDIES*) require_number "${arguments%%,*}" "$1" ;;
  esac
  case $arguments in
    *,'[SEED]'*) require_number SEED "${2-1}" ;;
  esac
  case $arguments in
    *,'[OPERATIONS]') require_number OPERATIONS "${3-1}" ;;
  esac
  stages=$(words "$stages")
}

passed=
failed=
summary=
started_all=$(date +%s)
cpu_note=$(mktemp)
trap 'rm -f "$cpu_note"' EXIT

# note_cpu: sets `cpu` to the processor seconds of all that has run so far. A function that prints them would be a
# process of its own, with none behind it.
note_cpu() {
  times >"$cpu_note"
  cpu=$(tr 'ms' '  ' <"$cpu_note" | awk '{ sum += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.1f", sum }')
}

# build_ahead STAGE...: what the first of these stages with a tree of its own builds, with what the stages before it leave
# idle: their builds and tests end on one processor. What fails here does so again in its stage, which says how.
build_ahead() {
  for ahead_stage in "$@"; do
    case $ahead_stage in
      asan | emulated | firmware)
        # shellcheck disable=SC2016 # the inner shell's
        nice -n 19 sh -c '. "$FTLAB_ROOT/cmake/setup/packages.sh"; . "$FTLAB_ROOT/cmake/setup/build.sh"
          . "$FTLAB_ROOT/.ci/stages.sh"
          prepare_"$1"' sh "$ahead_stage" >/dev/null 2>&1 </dev/null &
        ahead=$!
        return
        ;;
    esac
  done
  ahead_stage=
}

# stage NAME ARGUMENT...: runs stage_NAME, times it, remembers the outcome.
stage() {
  stage_name=$1
  shift
  title=$(line_of stages_table "$stage_name" | { read -r _ _ _ title && printf '%s' "$title"; })
  printf '\n== %s: %s\n' "$stage_name" "$title"
  started=$(date +%s)
  note_cpu
  cpu_before=$cpu
  if [ "$stage_name" = "$ahead_stage" ]; then
    wait "$ahead"
    ahead_stage=
  fi
  # shellcheck disable=SC2086 # words
  if [ -z "$ahead_stage" ]; then build_ahead $stages_left; fi
  # A subshell, so that a stage may exit; not in a condition, where the shell would ignore `set -e`.
  (
    set -e
    "stage_$stage_name" "$@"
  )
  status=$?
  outcome=FAILED
  if [ $status -eq 0 ]; then outcome=ok; fi
  seconds=$(($(date +%s) - started))
  note_cpu
  cpu_seconds=$(awk -v before="$cpu_before" -v after="$cpu" 'BEGIN { printf "%.1f", after - before }')
  printf '== %s: %s (%d s, %s s of processors)\n' "$stage_name" "$outcome" "$seconds" "$cpu_seconds"
  summary="$summary
$(printf '  %-9s %-7s %4d s  %6s s of processors   %s' "$stage_name" "$outcome" "$seconds" "$cpu_seconds" "$title")"
  if [ $outcome = ok ]; then passed="$passed $stage_name"; else failed="$failed $stage_name"; fi
}

all_stages=
case ${1-} in
  '')
    stages=$(whole_run | cut -d' ' -f1)
    all_stages=yes
    ;;
  -h | --help)
    usage
    exit 0
    ;;
  --stage)
    if [ $# -ne 2 ]; then refuse; fi
    if ! whole_run | grep -q "^$2 "; then refuse "--stage: '$2' is no stage that stands alone"; fi
    stages=$2
    shift 2
    ;;
  -*)
    choose_option "$@"
    shift
    ;;
  *) stages=release ;;
esac

groups=
for name in $stages; do
  groups="$groups $(line_of stages_table "$name" | { read -r _ _ groups_of_stage _ && words "$groups_of_stage"; })"
done
# shellcheck disable=SC2086 # words
packages_and_python --dev $groups
python_environment --dev || failed=' python-environment'
stages_left=$stages
ahead_stage=
for name in $stages; do
  # shellcheck disable=SC2086 # words
  stages_left=$(printf '%s\n' $stages_left | tail -n +2)
  stage "$name" "$@"
done

note_cpu
printf '\n== summary (%d s, %s s of processors)%s\n' "$(($(date +%s) - started_all))" "$cpu" "$summary"
if [ -n "$failed" ]; then
  printf 'FAILED:%s\n' "$failed"
  exit 1
fi
printf 'all stages passed:%s\n' "$passed"
