#!/bin/sh
# installed.sh PREFIX: an installed ftlab, used from an empty folder away from the source tree. Both sides answer from the
# prefix, and what hints say works where the user stands. FTLAB_PYTHON: a Python with the packages that commands need.
set -eu

prefix=$1
unset FTLAB_DATA_DIR FTLAB_PROGRAM FTLAB_COMMAND FTLAB_ROOT
PATH=$prefix/bin:$PATH
export PATH
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
cd "$there"

fail() {
  echo "installed.sh: $1" >&2
  exit 1
}

ftlab init study.toml >said
for seeds in 1 2; do
  ftlab run study.toml --set part=series2plus-4mb --set workload.total_mib=0.5 --seeds $seeds >said
  hint=$(sed -n 's/^Report:  //p' said)
  rm -f out/study/report.html
  sh -c "$hint" >said || fail "the hint does not work: $hint"
  [ -s out/study/report.html ] || fail "no page after: $hint"
done
ftlab explain out/study >said
cat >sweep.toml <<'TOML'
study = "study.toml"
figures = ["flash.erases"]
[axes]
"workload.total_mib" = [0.25, 0.5]
TOML
ftlab sweep sweep.toml --quiet
[ -s out/sweep/table.csv ] || fail "no table of the sweep"
ftlab reproduce --list | grep -q '^fms-table4 ' || fail "no experiments"
ftlab completion bash | bash -n || fail "the script for bash is none"
ftlab new firmware mine >said
[ -s mine/src/ftl.c ] && [ -s mine/.vscode/launch.json ] || fail "not all of a firmware is written"
# An interpreter without the packages says how to get them, by the lock that was installed.
if ! python3 -I -S -c 'import pandas' 2>/dev/null; then
  printf '#!/bin/sh\nexec python3 -S "$@"\n' >bare
  chmod +x bare
  if FTLAB_PYTHON=$there/bare ftlab sweep sweep.toml 2>said; then fail "a sweep without pandas"; fi
  grep -q "pip install -r $prefix/share/ftlab/python/requirements-lab.lock" said || fail "no hint: $(cat said)"
fi
