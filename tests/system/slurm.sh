#!/bin/sh
# Runs a command beside a SLURM of one node on this host: munge, slurmctld, slurmd, all of their files in one scratch
# folder and ports that are free, so that a SLURM of the machine's own is not touched. Needs root, and no systemd.
# usage: tests/system/slurm.sh COMMAND [ARGUMENT...]
# The command finds it by SLURM_CONF, and FTLAB_SLURM=1 in its environment. Its exit status is passed on. Jobs, daemons
# and folder are gone at the end, also after Ctrl-C or SIGTERM.
set -eu

if [ $# -eq 0 ]; then
  echo 'usage: tests/system/slurm.sh COMMAND [ARGUMENT...]' >&2
  exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'slurm.sh: a SLURM is set up by root alone; run it as root' >&2
  exit 2
fi
for name in munged slurmctld slurmd sbatch; do
  if ! command -v "$name" >/dev/null 2>&1; then
    echo "slurm.sh: there is no $name; Debian: apt-get install slurmctld slurmd slurm-client munge" >&2
    exit 2
  fi
done

at=$(mktemp -d "${TMPDIR:-/tmp}/ftlab-slurm.XXXXXX")
chmod 755 "$at"
daemons=
child=

# gone PID...: waits up to 10 s for them to end; those that do not are killed.
gone() {
  for pid in "$@"; do
    tries=100
    while kill -0 "$pid" 2>/dev/null && [ $tries -gt 0 ]; do
      sleep 0.1
      tries=$((tries - 1))
    done
    kill -KILL "$pid" 2>/dev/null || true
  done
}

stop() {
  trap '' INT TERM HUP
  if [ -n "$child" ]; then
    kill -TERM "-$child" 2>/dev/null || true
    gone "$child"
  fi
  # A job outlives its daemon.
  if [ -n "$daemons" ]; then
    scancel --partition=main 2>/dev/null || true
    tries=100
    while [ $tries -gt 0 ] && squeue --noheader 2>/dev/null | grep -q .; do
      sleep 0.1
      tries=$((tries - 1))
    done
  fi
  for pid in $daemons; do kill -TERM "$pid" 2>/dev/null || true; done
  # shellcheck disable=SC2086 # words
  gone $daemons
  rm -rf "$at"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# daemon NAME ARGUMENT...: in a session of its own, so that Ctrl-C reaches it by stop() alone.
daemon() {
  daemon_name=$1
  shift
  setsid "$daemon_name" "$@" >"$at/$daemon_name.out" 2>&1 </dev/null &
  daemons="$! $daemons"
}

# until_true WHAT COMMAND...: waits up to 30 s.
until_true() {
  what=$1
  shift
  tries=150
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ $tries -eq 0 ]; then
      echo "slurm.sh: $what; the end of what the daemons say:" >&2
      tail -n 5 "$at"/*.out "$at"/*.log >&2 || true
      exit 1
    fi
    sleep 0.2
  done
}

node=$(hostname -s)
ports=$(python3 -c '
import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in held))')
mkdir "$at/state" "$at/spool" "$at/jobs"
cat >"$at/slurm.conf" <<CONF
ClusterName=ftlab
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$at/munge.socket
StateSaveLocation=$at/state
SlurmdSpoolDir=$at/spool
SlurmctldPidFile=$at/slurmctld.pid
SlurmdPidFile=$at/slurmd.pid
SlurmctldLogFile=$at/slurmctld.log
SlurmdLogFile=$at/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$at/slurm.conf" FTLAB_SLURM=1
# Of Dask's jobs, which write beside the caller otherwise.
export DASK_JOBQUEUE__SLURM__LOG_DIRECTORY="$at/jobs"

dd if=/dev/urandom of="$at/munge.key" bs=128 count=1 2>/dev/null
chmod 400 "$at/munge.key"
daemon munged --foreground --force --key-file="$at/munge.key" --socket="$at/munge.socket" \
  --pid-file="$at/munged.pid" --log-file="$at/munged.log" --seed-file="$at/munged.seed"
until_true 'munged does not answer' munge --socket="$at/munge.socket" --no-input
daemon slurmctld -D
daemon slurmd -D -N "$node"
idle() { sinfo --noheader --states=idle --format=%n | grep -q .; }
until_true 'the node does not come up' idle

setsid "$@" &
child=$!
status=0
wait "$child" || status=$?
child=
exit $status
