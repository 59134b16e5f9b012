# shellcheck shell=sh
# Configures and builds presets quietly; sourced after packages.sh. Shows one progress line on a terminal and the
# whole log when a build fails.

# generator: extra arguments for systems without ninja.
generator() {
  if ! command -v ninja >/dev/null 2>&1; then printf '%s' '-GUnix Makefiles'; fi
}

jobs() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# quietly LOG COMMAND...: output goes to LOG; shown, without progress lines, when the command fails.
quietly() {
  quiet_log=$1
  shift
  mkdir -p "$(dirname "$quiet_log")"
  if "$@" >"$quiet_log" 2>&1 </dev/null; then return 0; fi
  grep -v '^\[[0-9]*/[0-9]*\]' "$quiet_log" | tail -n 300 >&2
  say "failed: $*"
  say "the whole log is in $quiet_log"
  return 1
}

# configured PRESET: whether it was configured for this checkout, and not for one that it was copied from.
configured() {
  stamp=$FTLAB_ROOT/build/$1/configured-with
  [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$FTLAB_ROOT" ]
}

# leave_original TREE: a copied build tree names the folder of the original, and would build that. What tests have found
# and learnt there stays.
leave_original() {
  if [ ! -f "$1/CMakeCache.txt" ] || grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$FTLAB_ROOT" "$1/CMakeCache.txt"; then return 0; fi
  say "$1 was copied from another folder; it is configured and built anew"
  rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles" "$1/build.ninja" "$1/Makefile" "$1/.ninja_deps" "$1/.ninja_log"
}

# configure PRESET [CMAKE-ARGUMENT...]: nothing to do when configured here with these arguments before.
configure() {
  preset=$1
  shift
  tree=$FTLAB_ROOT/build/$preset
  if configured "$preset" && [ "$(tail -n 1 "$stamp")" = "with $*" ]; then return 0; fi
  rm -f "$stamp"
  leave_original "$tree"
  by=$(generator)
  (cd "$FTLAB_ROOT" && quietly "$tree/configure.log" cmake --preset "$preset" ${by:+"$by"} "$@") || return 1
  printf '%s\nwith %s\n' "$FTLAB_ROOT" "$*" >"$stamp"
}

# pending TARGET...: whether a build of them in $tree would do anything.
pending() {
  if [ ! -f "$tree/build.ninja" ]; then return 0; fi
  ! ninja -C "$tree" -n "$@" 2>/dev/null | grep -q 'no work to do'
}

# build PRESET TARGET...
build() {
  tree=$FTLAB_ROOT/build/$1
  shift
  if ! pending "$@"; then return 0; fi
  if [ -t 2 ] && [ -f "$tree/build.ninja" ]; then
    # Ninja overwrites one line on a terminal, and prints the output of what fails.
    if NINJA_STATUS='building [%f/%t] ' ninja -C "$tree" "$@" >&2 </dev/null; then return 0; fi
    say "the build failed"
    return 1
  fi
  quietly "$tree/build.log" cmake --build "$tree" --target "$@" --parallel "$(jobs)"
}

# packages_and_python [--dev] GROUP...: as ensure_packages, with a missing Python environment made meanwhile;
# python_environment waits for it.
packages_and_python() {
  kind=
  if [ "$1" = --dev ]; then
    kind=$1
    shift
  fi
  if [ ! -f "${FTLAB_VENV:-$FTLAB_ROOT/.venv}/bin/python" ] && [ -z "${FTLAB_PYTHON-}" ] && command -v apt-get >/dev/null 2>&1; then
    ensure_packages python
    if [ -x "$FTLAB_ROOT/reports/make-venv" ]; then
      # What goes wrong is said by python_environment, which tries again.
      "$FTLAB_ROOT/reports/make-venv" ${kind:+"$kind"} >/dev/null 2>&1 </dev/null &
    fi
  fi
  ensure_packages python "$@"
}

# python_environment [--dev]: sets FTLAB_PYTHON, which the program runs to draw reports and for sweeps. Without it the rest works.
python_environment() {
  if [ -n "${FTLAB_PYTHON-}" ] || [ ! -x "$FTLAB_ROOT/reports/make-venv" ]; then return 0; fi
  if FTLAB_PYTHON=$("$FTLAB_ROOT/reports/make-venv" "$@" </dev/null | tail -n 1) && [ -x "$FTLAB_PYTHON" ]; then
    export FTLAB_PYTHON
    return 0
  fi
  unset FTLAB_PYTHON
  say "no Python environment, so no report pages (see above); everything else works"
  return 1
}
