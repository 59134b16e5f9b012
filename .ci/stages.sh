# shellcheck shell=sh
# What each stage of `./ftlab test` does; sourced by test.sh. A stage prints little unless it fails, ends with a
# non-zero status when something does not hold, and never needs another stage to have run before it.

# tracked PATTERN...: repository files, tracked or new, that match; works in an unpacked source archive, too.
tracked() {
  if git -C "$FTLAB_ROOT" rev-parse >/dev/null 2>&1; then
    git -C "$FTLAB_ROOT" ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
      if [ -f "$FTLAB_ROOT/$file" ]; then printf '%s\n' "$file"; fi
    done
  else
    for pattern in "$@"; do
      # The folders that .gitignore names.
      (cd "$FTLAB_ROOT" && find . \( -path './build*' -o -path './.venv*' -o -path './out*' -o -path ./reports/build \) \
        -prune -o -name "$pattern" -print | sed 's,^\./,,')
    done
  fi
}

# run_ctest TREE ARGUMENT...: the closing lines, or the whole story when a test fails. Names skipped tests.
run_ctest() {
  ctest_tree=$FTLAB_ROOT/build/$1
  shift
  ctest_log=$ctest_tree/ctest.log
  if ctest --test-dir "$ctest_tree" --parallel "$(jobs)" --output-on-failure --no-tests=error "$@" >"$ctest_log" 2>&1 </dev/null; then
    sed -n '/tests passed,/,$p' "$ctest_log"
    return 0
  fi
  grep -Ev '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed )' "$ctest_log" | tail -n 400
  return 1
}

# The same arguments every time: others would configure the tree again, and build it.
configure_release() { configure release -DFTLAB_TESTS=ON -DFTLAB_BENCH=ON -DFTLAB_FAST_TESTS_APART=ON; }

# prepare_release [TARGET...]: these as well.
prepare_release() {
  configure_release
  build release all "$@"
}

# today: a number, the next one tomorrow. What a run tries a part of, it draws anew each day; a run that passes midnight
# stays with its day.
FTLAB_TODAY=${FTLAB_TODAY:-$(($(date +%s) / 86400))}
export FTLAB_TODAY
today() { echo "$FTLAB_TODAY"; }

# one_in N: the share of N that is today's, or that FTLAB_SHARE names.
one_in() { echo "${FTLAB_SHARE:-$(($(today) % $1))/$1}"; }

# some_of KIND SHARE [PARTS]: of the parts KIND-0, KIND-1..., four unless given, those that the share FIRST/OF is: one when
# OF is as many or more, else every OF-th. They are targets, and labels of tests.
some_of() {
  some_parts=${3-4}
  some_step=${2#*/}
  if [ "$some_step" -gt "$some_parts" ]; then some_step=$some_parts; fi
  part=$((${2%/*} % some_step))
  while [ $part -lt "$some_parts" ]; do
    printf '%s-%s ' "$1" "$part"
    part=$((part + some_step))
  done
}

# either LABEL...: an expression for ctest.
either() { printf '^(%s)$' "$(printf '%s' "$*" | tr -s ' ' '|')"; }

stage_format() {
  tracked '*.h' '*.cpp' | (cd "$FTLAB_ROOT" && xargs clang-format --dry-run -Werror --style=file)
}

stage_rules() {
  python3 "$FTLAB_ROOT/tests/lint/include_rules.py" "$FTLAB_ROOT"
  python3 "$FTLAB_ROOT/tests/lint/text_rules.py" "$FTLAB_ROOT"
  python3 "$FTLAB_ROOT/tests/lint/word_rules.py" "$FTLAB_ROOT"
  python3 "$FTLAB_ROOT/tests/lint/class_rules.py" "$FTLAB_ROOT"
  python3 "$FTLAB_ROOT/tests/lint/register_headers.py" "$FTLAB_ROOT"
  python3 "$FTLAB_ROOT/tests/mutants/mutants.py" "$FTLAB_ROOT" none --check
}

# stage_release [FILTER]: when all stages run, those fast tests that asan takes today are left to it.
stage_release() {
  if [ -n "${1-}" ]; then
    prepare_release ftlab-tests
    run_ctest release --tests-regex "$1"
    return
  fi
  left=
  others=ftlab-tests
  if [ -n "$all_stages" ]; then
    left="$(some_of plain "$(one_in 16)") $(some_of systemc "$(one_in 16)")"
    others=
    for part in 0 1 2 3; do
      case $left in *"plain-$part "*) ;; *) others="$others plain-$part systemc-$part" ;; esac
    done
  fi
  # shellcheck disable=SC2086 # words
  prepare_release $others
  # A process costs more than most tests. What is not built is what is left.
  # shellcheck disable=SC2086 # words
  run_ctest release --build-config whole --label-exclude "$(either slow single image $left)" --exclude-regex _NOT_BUILT
}

# some_combinations OF DAYS: tests over all combinations of policies, and over all layers under sanitizers, take one share
# in OF of them, the next one after DAYS, the days until the tests' part comes again; FTLAB_SHARE=0/1 takes all.
some_combinations() {
  FTLAB_SHARE=${FTLAB_SHARE:-$(($(today) / $2 % $1))/$1}
  export FTLAB_SHARE
  echo "combinations of policies and layers: share $FTLAB_SHARE (FTLAB_SHARE)"
}

stage_slow() {
  prepare_release
  some_combinations 8 1
  # Not having any is no failure.
  if ctest --test-dir "$FTLAB_ROOT/build/release" -N -L slow | grep -q '^Total Tests: 0$'; then
    echo 'no tests are labelled slow'
    return 0
  fi
  run_ctest release --label-regex slow
}

# campaign KIND AMOUNT [SEED]
campaign() {
  configure_release
  build release ftlab-campaign
  python3 "$FTLAB_ROOT/tests/powerloss/campaign.py" "$FTLAB_ROOT/build/release/tests/powerloss/ftlab-campaign" "$1" "$2" ${3+--seed "$3"}
}

# seed_of_today: of a campaign's first case; those of tomorrow lie far from it.
seed_of_today() { echo $(($(today) * 100000000 + 1)); }

# of_today KIND AMOUNT [ASKED [SEED]]: AMOUNT cases, others each day, or as many as were asked for.
of_today() {
  today_kind=$1
  today_amount=$2
  shift 2
  if [ $# -eq 0 ]; then set -- "$today_amount" "$(seed_of_today)"; fi
  campaign "$today_kind" "$@"
}

# stage_storm [LOSSES [SEED]], the others [CASES]
stage_storm() { of_today storm 20000 "$@"; }
stage_fullest() { of_today fullest 250 "$@"; }
stage_life() { of_today life 750 "$@"; }
stage_damage() { of_today damage 1000 "$@"; }

stage_replay() {
  configure_release
  build release ftlab-campaign
  "$FTLAB_ROOT/build/release/tests/powerloss/ftlab-campaign" replay "$1"
}

# A few mutants, in the tree that is there already. That the tests pass without mutants other stages see.
stage_sample() {
  configure_release
  python3 "$FTLAB_ROOT/tests/mutants/mutants.py" "$FTLAB_ROOT" "$FTLAB_ROOT/build/release" --draw 2 --trust
}

# stage_mutants [NAME]: of the firmware and of the instruction-set cores, or one.
stage_mutants() {
  cores_list=$FTLAB_ROOT/tests/mutants/cores.toml
  if [ $# -eq 0 ] || ! grep -qxF "name = \"$1\"" "$cores_list"; then
    configure mutants
    python3 "$FTLAB_ROOT/tests/mutants/mutants.py" "$FTLAB_ROOT" "$FTLAB_ROOT/build/mutants" ${1+--only "$1"}
  fi
  if [ $# -eq 0 ] || grep -qxF "name = \"$1\"" "$cores_list"; then
    configure_release
    python3 "$FTLAB_ROOT/tests/mutants/mutants.py" "$FTLAB_ROOT" "$FTLAB_ROOT/build/release" --cores ${1+--only "$1"}
  fi
}

# Of four parts of the tests one each day, which all run without sanitizers, too, if not on the same day.
prepare_asan() {
  configure asan
  share=$(one_in 16)
  # shellcheck disable=SC2046 # words
  build asan sanitizer $(some_of plain "$share") $(some_of systemc "$share")
}

stage_asan() {
  prepare_asan
  some_combinations 4 4
  # shellcheck disable=SC2046 # words
  set -- $(some_of plain "$share") $(some_of systemc "$share")
  echo "parts: $* (FTLAB_SHARE)"
  # Where the lengthy ones go, layers_test and the fuzz targets of the layers go as well.
  run_ctest asan --label-regex "$(either sanitizer "$@")"
  case "$*" in
    *systemc-3*)
      # Tests that run long: a quarter each time.
      of=$((${share#*/} / 4))
      if [ $of -eq 0 ]; then of=1; fi
      run_ctest asan --label-regex '^each$' --tests-information "$((${share%/*} / 4 % of + 1)),,$of"
      ;;
  esac
}

# stage_cores [PROGRAMS [SEED]]: instruction-set cores beside Unicorn, which a test environment of Python has, and a tenth
# of it, programs with exceptions, beside QEMU.
stage_cores() {
  if [ $# -eq 0 ]; then set -- 20000 "$(seed_of_today)"; fi
  configure_release
  build release ftlab-run-traps
  for core in arm riscv; do
    python3 "$FTLAB_ROOT/tests/cores/traps.py" "$FTLAB_ROOT/build/release/tests/cores/ftlab-run-traps" $core "${2:-1}" \
      $((($1 + 9) / 10)) --jobs "$(jobs)"
  done
  unicorn=$("${FTLAB_PYTHON:-python3}" -c 'import glob, os, unicorn
print(*glob.glob(os.path.join(os.path.dirname(unicorn.__file__), "lib", "libunicorn.so*")))' 2>/dev/null) || unicorn=
  if [ -z "$unicorn" ]; then
    echo 'no programs without exceptions are compared: the Python environment has no package unicorn'
    return 0
  fi
  for core in arm riscv; do
    build release "ftlab-compare-$core"
    "$FTLAB_ROOT/build/release/tests/cores/ftlab-compare-$core" "$unicorn" "${2:-1}" "$1"
  done
}

# stage_fuzz [SECONDS [TARGET]]: a short run is the sanitizers' alone, of the targets of the part of the tests that asan
# takes that day; a long one makes its executions without them and gives them what reached something new.
stage_fuzz() {
  configure asan
  if [ $# -eq 0 ]; then
    share=$(one_in 16)
    # shellcheck disable=SC2046 # words
    build asan $(some_of fuzz "$share")
    # shellcheck disable=SC2046 # words
    set -- $(cd "$FTLAB_ROOT/build/asan/fuzzers" && cat $(some_of part "$share"))
    if [ $# -eq 0 ]; then echo "no fuzz target is of the part of share $share (FTLAB_SHARE)"; fi
    if [ $# -gt 0 ]; then python3 "$FTLAB_ROOT/tests/fuzz/run.py" - "$FTLAB_ROOT/build/asan" "short=$(today)" "$@"; fi
    return
  fi
  build asan ftlab-fuzz
  configure fuzz-fast
  build fuzz-fast ftlab-fuzz
  python3 "$FTLAB_ROOT/tests/fuzz/run.py" "$FTLAB_ROOT/build/fuzz-fast" "$FTLAB_ROOT/build/asan" "$@"
}

# Tests of the firmware, a quarter of the programs each day, and a short storm where words are 32 bits and the most
# significant byte comes first.
prepare_emulated() {
  configure firmware-powerpc
  # shellcheck disable=SC2046 # words
  build firmware-powerpc ftlab-campaign $(some_of plain "$(one_in 4)")
}

stage_emulated() {
  prepare_emulated
  if grep -ril systemc "$FTLAB_ROOT/build/firmware-powerpc/build.ninja"; then
    echo 'the firmware-only build asks for SystemC'
    return 1
  fi
  quarter=$(one_in 4)
  echo "programs: share $quarter (FTLAB_SHARE)"
  some_combinations 4 4
  # shellcheck disable=SC2046 # words
  run_ctest firmware-powerpc --label-regex "$(either $(some_of plain "$quarter"))"
  python3 "$FTLAB_ROOT/tests/powerloss/campaign.py" --emulator qemu-ppc \
    "$FTLAB_ROOT/build/firmware-powerpc/tests/powerloss/ftlab-campaign" storm 300 --seed "$(seed_of_today)"
}

prepare_firmware() {
  for preset in firmware firmware-riscv; do
    configure "$preset"
    build "$preset" all
  done
}

stage_firmware() {
  prepare_firmware
  for preset in firmware firmware-riscv; do
    # Code and RAM of every object, and of the image that holds what it needs and nothing that it must do without.
    size_log=$FTLAB_ROOT/build/$preset/size.txt
    quietly "$size_log" cmake --build "$FTLAB_ROOT/build/$preset" --target firmware-size
    sed -n "s/^[^ ]*\.elf: /$preset: /p" "$size_log"
    echo "sizes of every object: build/$preset/size.txt"
  done
  # The share of the pairs of firmware and part, while FTLAB_SHARE is the caller's.
  pairs=$(one_in 11)
  # Studies on simulated cores, beside the same ones natively. Of a firmware of one's own and the mistakes in it half of the
  # tests each day.
  FTLAB_SHARE=$(one_in 2)
  export FTLAB_SHARE
  echo "tests of a firmware of one's own: share $FTLAB_SHARE (FTLAB_SHARE)"
  configure_release
  build release core_run_test ftlab
  run_ctest release --label-regex image
  echo "pairs of firmware and part: share $pairs"
  on_cores 1 20 --seed "$(today)" --share "$pairs"
  for core in arm riscv; do
    preset=firmware
    if [ $core = riscv ]; then preset=firmware-riscv; fi
    python3 "$FTLAB_ROOT/tests/system/debug_session.py" "$FTLAB_ROOT/build/release/ftlab" $core \
      "$FTLAB_ROOT/build/$preset/firmware/target/ftlab_image.elf"
  done
}

# on_cores STUDIES LOSSES ARGUMENT...: the firmware's programs on simulated cores, beside native runs.
on_cores() {
  configure_release
  build release ftlab
  python3 "$FTLAB_ROOT/tests/cores/on_cores.py" "$FTLAB_ROOT/build/release/ftlab" "$@"
}

# stage_oncores STUDIES [SEED] [OPERATIONS]
stage_oncores() { on_cores "$1" $(($1 * 100)) --seed "${2:-1}" --operations "${3:-0}"; }

# tidy_files SHARE: patterns of what the compiler is given, unity files mostly; of these FIRST/OF.
tidy_files() {
  python3 - "$FTLAB_ROOT" "$1" <<'PYTHON'
import json, re, sys
root, share = sys.argv[1:]
first, of = map(int, share.split("/"))
ours = re.compile(re.escape(root) + r"/(build/release/)?(firmware|hw|workloads|platform)/(?!.*bench/)")
with open(root + "/build/release/compile_commands.json") as commands:
    files = sorted(command["file"] for command in json.load(commands))
print(*("^" + re.escape(file) + "$" for file in [file for file in files if ours.match(file)][first::of]), sep="\n")
PYTHON
}

# Findings of unchanged files do not change: an eighth of them each day.
stage_tidy() {
  prepare_release
  share=$(one_in 8)
  echo "sources: share $share (FTLAB_SHARE)"
  tidy_files "$share" >"$FTLAB_ROOT/build/release/tidy-files.txt"
  # shellcheck disable=SC2046 # one word per file
  quietly "$FTLAB_ROOT/build/release/tidy.log" run-clang-tidy -quiet -j "$(jobs)" -p "$FTLAB_ROOT/build/release" \
    -extra-arg=-Wno-unknown-warning-option -extra-arg=-Wno-unused-command-line-argument $(cat "$FTLAB_ROOT/build/release/tidy-files.txt")
}

stage_examples() {
  prepare_release
  prefix=$FTLAB_ROOT/build/installed
  rm -rf "$prefix" "$FTLAB_ROOT/build/examples"
  quietly "$FTLAB_ROOT/build/install.log" cmake --install "$FTLAB_ROOT/build/release" --prefix "$prefix"
  by=$(generator)
  quietly "$FTLAB_ROOT/build/examples.log" cmake -S "$FTLAB_ROOT/examples" -B "$FTLAB_ROOT/build/examples" \
    "${by:--GNinja}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
  quietly "$FTLAB_ROOT/build/examples.log" cmake --build "$FTLAB_ROOT/build/examples" --parallel "$(jobs)"
  run_ctest examples
  python_environment --dev
  "$FTLAB_ROOT/tests/system/installed.sh" "$prefix"
}

# A half of the benchmarks each day.
stage_bench() {
  configure_release
  half=$(one_in 2)
  echo "benchmarks: share $half (FTLAB_SHARE)"
  # Google Benchmark reads its options from the environment, too.
  # shellcheck disable=SC2046 # words
  BENCHMARK_MIN_TIME=0.01 quietly "$FTLAB_ROOT/build/release/bench/run.log" \
    cmake --build "$FTLAB_ROOT/build/release" --target $(some_of run-bench "$half" 2) --parallel "$(jobs)"
  ls "$FTLAB_ROOT/build/release/bench"
}

# Instructions that requests take, beside those of before, and how fast whole runs are beside a program that only counts.
stage_speed() {
  configure_release
  build release ftlab counting_reference
  python3 "$FTLAB_ROOT/tests/speed/count_instructions.py" "$FTLAB_ROOT/build/release/ftlab"
  python3 "$FTLAB_ROOT/tests/speed/beside_counting.py" "$FTLAB_ROOT/build/release/ftlab" \
    "$FTLAB_ROOT/build/release/platform/bench/counting_reference"
}

# Of the tests in a browser and some lengthy ones a quarter each day.
stage_reports() {
  configure_release
  build release ftlab
  FTLAB_SHARE=$(one_in 4)
  export FTLAB_SHARE
  echo "tests in a browser and lengthy ones: share $FTLAB_SHARE (FTLAB_SHARE)"
  FTLAB_PROGRAM=$FTLAB_ROOT/build/release/ftlab "$FTLAB_ROOT/reports/run-tests"
}

# Munge and daemons of its own, wherever they run; nothing of it is left.
stage_slurm() {
  configure_release
  build release ftlab
  slurm_python=$("$FTLAB_ROOT/reports/make-venv" --dev | tail -n 1)
  cd "$FTLAB_ROOT/reports"
  FTLAB_PROGRAM=$FTLAB_ROOT/build/release/ftlab "$FTLAB_ROOT/tests/system/slurm.sh" \
    "$slurm_python" -m pytest -v tests/sweeps/test_dask.py -k slurm
}

stage_readme() {
  prepare_release
  python3 "$FTLAB_ROOT/tests/lint/readme_examples.py" "$FTLAB_ROOT/README.md" "$FTLAB_ROOT/docs/tour.md" "$FTLAB_ROOT/docs/workloads.md" \
    "$FTLAB_ROOT/docs/models.md" "$FTLAB_ROOT/docs/sweeps.md" "$FTLAB_ROOT/docs/power.md" "$FTLAB_ROOT/docs/wear.md"
}
