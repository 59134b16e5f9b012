# shellcheck shell=sh
# Finds and installs missing system packages; sourced. Knows the list in cmake/debian-packages.txt and nothing of
# what the packages are for. Quiet unless something is missing.

say() { printf 'ftlab: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

package_list=$FTLAB_ROOT/cmake/debian-packages.txt

# packages_of GROUP...: lines "package probe [optional]".
packages_of() {
  awk -v groups=" $* " '!/^#/ && NF && index(groups, " " $1 " ") { print $2, $3, $4 }' "$package_list"
}

# present PROBE: whether the thing itself is there, however it was installed.
present() {
  probe_name=${1#*:}
  case $1 in
    command:*)
      while [ -n "$probe_name" ]; do
        if command -v "${probe_name%%|*}" >/dev/null 2>&1; then return 0; fi
        case $probe_name in *'|'*) probe_name=${probe_name#*|} ;; *) return 1 ;; esac
      done
      ;;
    pkg:*) pkg-config --exists "$probe_name" 2>/dev/null ;;
    header:*) printf '#include <%s>\n' "$probe_name" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1 ;;
    python:*) python3 -c "import $probe_name" >/dev/null 2>&1 ;;
    *) return 1 ;;
  esac
}

# missing_packages GROUP...: names of what is absent; first word of each line is the name, the second the probe.
missing_packages() {
  if command -v dpkg-query >/dev/null 2>&1; then
    # One question for all of them; only what Debian does not know is probed one by one.
    names=$(packages_of "$@" | cut -d' ' -f1)
    # shellcheck disable=SC2086,SC2016 # names are words; the format is dpkg-query's own
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $names 2>/dev/null | awk '$2 == "installed" { print $1 }')
  else
    installed=
  fi
  packages_of "$@" | while read -r name probe optional; do
    case "
$installed
" in *"
$name
"*) continue ;; esac
    if ! present "$probe"; then printf '%s %s %s\n' "$name" "$probe" "$optional"; fi
  done
}

# install_debian NAME...: with the package index refreshed only when the first try fails.
install_debian() {
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then die "run as root: apt-get install $*"; fi
    as_root=sudo
  fi
  log=$(mktemp)
  say "installing: $*"
  for try in first again; do
    # shellcheck disable=SC2086 # as_root is one word or none
    if $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$log" 2>&1 </dev/null; then
      rm -f "$log"
      return 0
    fi
    # shellcheck disable=SC2086
    if [ $try = first ]; then $as_root apt-get update -q >>"$log" 2>&1 </dev/null || true; fi
  done
  tail -n 20 "$log" >&2
  rm -f "$log"
  die "could not install: $*"
}

# ensure_packages GROUP...
ensure_packages() {
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then return 0; fi
  if command -v apt-get >/dev/null 2>&1; then
    # shellcheck disable=SC2046 # one word per package
    install_debian $(printf '%s\n' "$missing" | cut -d' ' -f1)
    return 0
  fi
  demanded=$(printf '%s\n' "$missing" | grep -v ' optional$' || true)
  if [ -z "$demanded" ]; then return 0; fi
  say "this is not Debian or Ubuntu; please install what is missing, then run ftlab again:"
  printf '%s\n' "$demanded" | while read -r name probe _; do
    printf '  %-34s Debian calls it %s\n' "$(printf %s "${probe#*:}" | cut -d'|' -f1) (${probe%%:*})" "$name" >&2
  done
  exit 1
}
