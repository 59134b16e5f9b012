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
configure_release() { configure release -DFTLAB_TESTS=ON -DFTLAB_BENCH=ON -DFTLAB_PLAIN_TESTS_APART=ON; }

prepare_release() {
  configure_release
  build release all
}

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

# stage_release [FILTER]: when all stages run, fast tests without SystemC are left to asan.
stage_release() {
  prepare_release
  if [ -n "${1-}" ]; then
    build release ftlab-tests
    run_ctest release --tests-regex "$1"
  elif [ -n "$all_stages" ]; then
    run_ctest release --build-config whole --label-exclude 'slow|single|image|plain' --exclude-regex _NOT_BUILT
  else
    build release ftlab-tests
    # A process costs more than most tests.
    run_ctest release --build-config whole --label-exclude 'slow|single|image'
  fi
}

# today: a number, the next one tomorrow. What a run tries a part of, it draws anew each day.
today() { echo $(($(date +%s) / 86400)); }

# some_combinations: tests over all combinations of policies, and over all layers under sanitizers, take an eighth of
# them, another one each day; FTLAB_SHARE=0/1 takes all.
some_combinations() {
  FTLAB_SHARE=${FTLAB_SHARE:-$(($(today) % 8))/8}
  export FTLAB_SHARE
  echo "combinations of policies and layers: share $FTLAB_SHARE (FTLAB_SHARE)"
}

stage_slow() {
  prepare_release
  some_combinations
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
  python3 "$FTLAB_ROOT/tests/mutants/mutants.py" "$FTLAB_ROOT" "$FTLAB_ROOT/build/release" --draw 3 --trust
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

# Tests without SystemC, and of the others, which all run without sanitizers, a quarter, another one each day.
stage_asan() {
  configure asan
  build asan all
  quarter=${FTLAB_SHARE:-$(($(today) % 4))/4}
  some_combinations
  # Where the lengthy ones go, layers_test and the fuzz targets of the layers go as well.
  run_ctest asan --label-exclude 'slow|lengthy|image|systemc'
  echo "tests with SystemC: share $quarter (FTLAB_SHARE)"
  run_ctest asan --label-regex systemc --tests-information "$((${quarter%/*} + 1)),,${quarter#*/}"
}

# stage_cores [PROGRAMS [SEED]]: instruction-set cores beside Unicorn, which a test environment of Python has.
stage_cores() {
  unicorn=$("${FTLAB_PYTHON:-python3}" -c 'import glob, os, unicorn
print(*glob.glob(os.path.join(os.path.dirname(unicorn.__file__), "lib", "libunicorn.so*")))' 2>/dev/null) || unicorn=
  if [ -z "$unicorn" ]; then
    echo 'no cores are compared: the Python environment has no package unicorn'
    return 0
  fi
  if [ $# -eq 0 ]; then set -- 20000 "$(seed_of_today)"; fi
  configure_release
  for core in arm riscv; do
    build release "ftlab-compare-$core"
    "$FTLAB_ROOT/build/release/tests/cores/ftlab-compare-$core" "$unicorn" "${2:-1}" "$1"
  done
}

# stage_fuzz [SECONDS [TARGET]]: a short run is the sanitizers' alone; a long one makes its executions without them and
# gives them what reached something new.
stage_fuzz() {
  configure asan
  build asan ftlab-fuzz
  fuzz_fast=-
  if [ $# -gt 0 ]; then
    configure fuzz-fast
    build fuzz-fast ftlab-fuzz
    fuzz_fast=$FTLAB_ROOT/build/fuzz-fast
  fi
  python3 "$FTLAB_ROOT/tests/fuzz/run.py" "$fuzz_fast" "$FTLAB_ROOT/build/asan" "${1:-short=$(today)}" ${2+"$2"}
}

# Tests of the firmware and a short storm where words are 32 bits and the most significant byte comes first.
stage_emulated() {
  configure firmware-powerpc
  build firmware-powerpc all
  if grep -ril systemc "$FTLAB_ROOT/build/firmware-powerpc/build.ninja"; then
    echo 'the firmware-only build asks for SystemC'
    return 1
  fi
  some_combinations
  run_ctest firmware-powerpc --label-exclude 'slow|lengthy'
  python3 "$FTLAB_ROOT/tests/powerloss/campaign.py" --emulator qemu-ppc \
    "$FTLAB_ROOT/build/firmware-powerpc/tests/powerloss/ftlab-campaign" storm 600 --seed "$(seed_of_today)"
}

stage_firmware() {
  for preset in firmware firmware-riscv; do
    configure "$preset"
    build "$preset" all
    # Code and RAM of every object, and of the image that holds what it needs and nothing that it must do without.
    size_log=$FTLAB_ROOT/build/$preset/size.txt
    quietly "$size_log" cmake --build "$FTLAB_ROOT/build/$preset" --target firmware-size
    sed -n "s/^[^ ]*\.elf: /$preset: /p" "$size_log"
    echo "sizes of every object: build/$preset/size.txt"
  done
  # Studies on simulated cores, beside the same ones natively.
  configure_release
  build release core_run_test ftlab
  run_ctest release --label-regex image
  # One of the pairs of firmware and part, another one each day.
  on_cores 1 20 --seed "$(today)" --share "${FTLAB_SHARE:-$(($(today) % 11))/11}"
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

# stage_oncores STUDIES [SEED]
stage_oncores() { on_cores "$1" $(($1 * 100)) --seed "${2:-1}"; }

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

# Findings of unchanged files do not change: a quarter of them each day.
stage_tidy() {
  prepare_release
  share=${FTLAB_SHARE:-$(($(today) % 4))/4}
  echo "sources: share $share (FTLAB_SHARE)"
  tidy_files "$share" >"$FTLAB_ROOT/build/release/tidy-files.txt"
  # shellcheck disable=SC2046 # one word per file
  quietly "$FTLAB_ROOT/build/release/tidy.log" run-clang-tidy -quiet -j "$(jobs)" -p "$FTLAB_ROOT/build/release" \
    -extra-arg=-Wno-unknown-warning-option $(cat "$FTLAB_ROOT/build/release/tidy-files.txt")
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

stage_bench() {
  prepare_release
  # Google Benchmark reads its options from the environment, too.
  BENCHMARK_MIN_TIME=0.01 quietly "$FTLAB_ROOT/build/release/bench/run.log" \
    cmake --build "$FTLAB_ROOT/build/release" --target run-bench
  ls "$FTLAB_ROOT/build/release/bench"
}

# Of the tests in a browser and two lengthy ones a half each day.
stage_reports() {
  configure_release
  build release ftlab
  FTLAB_SHARE=${FTLAB_SHARE:-$(($(today) % 2))/2}
  export FTLAB_SHARE
  echo "tests in a browser: share $FTLAB_SHARE (FTLAB_SHARE)"
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
