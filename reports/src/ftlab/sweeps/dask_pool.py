"""Runs on the workers of a Dask scheduler. They see the same files as this process: study, traces, part files, program.

A worker that is lost takes its runs along; the scheduler gives them to others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import dask_jobqueue
from distributed import Client, KilledWorker, as_completed

from ftlab.errors import InputError
from ftlab.nearest import listed, meant
from ftlab.program import digest
from ftlab.sweeps.job import Job, run_job
from ftlab.sweeps.journal import Outcome

CLUSTERS = {
    "htcondor": dask_jobqueue.HTCondorCluster,
    "lsf": dask_jobqueue.LSFCluster,
    "pbs": dask_jobqueue.PBSCluster,
    "sge": dask_jobqueue.SGECluster,
    "slurm": dask_jobqueue.SLURMCluster,
}
# Handed out for each thread of the workers, so that none waits for this process.
_RUNS_AHEAD = 4
_CONNECT_S = 20


def client_of(scheduler: str | None, cluster: str | None, workers: int) -> Client:
    """Raises InputError when there is no such scheduler or queueing system."""
    if scheduler is not None:
        try:
            return Client(scheduler, timeout=_CONNECT_S)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"--scheduler {scheduler}: no Dask scheduler answers there ({error})") from None
    if cluster not in CLUSTERS:
        hint = meant(str(cluster), CLUSTERS, listed(CLUSTERS))
        raise InputError(f"--cluster {cluster}: is no queueing system{hint}")
    # One process and one core for each worker; account, queue and the like come from Dask's own configuration.
    try:
        made = CLUSTERS[cluster](cores=1, processes=1, memory="2GB")
        made.scale(workers)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"--cluster {cluster}: {error}") from None
    return Client(made)


def _on_worker(study: Path | None, job: Job, program_digest: str) -> Outcome:
    if digest() != program_digest:
        raise InputError("a worker has another build of ftlab; give all of them the same by FTLAB_PROGRAM")
    return run_job(study, job)


class DaskPool:
    def __init__(self, client: Client) -> None:
        self._client = client

    def outcomes(self, study: Path | None, jobs: Iterable[Job]) -> Iterator[tuple[str, Outcome]]:
        waiting = iter(jobs)
        keys: dict[str, str] = {}
        ready = as_completed()

        def submit(count: int) -> None:
            for job in itertools.islice(waiting, count):
                future = self._client.submit(_on_worker, study, job, digest(), pure=False)
                keys[future.key] = job.key
                ready.add(future)

        try:
            submit(_RUNS_AHEAD * max(1, self._threads()))
            for future in ready:
                yield keys.pop(future.key), _outcome_of(future)
                submit(1)
        finally:
            self._close()

    def _close(self) -> None:
        """Workers of a cluster that was made for the sweep end with it; those of a scheduler stay."""
        cluster = self._client.cluster
        self._client.close()
        if cluster is not None:
            cluster.close()

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())


def _outcome_of(future: Any) -> Outcome:
    try:
        outcome: Outcome = future.result()
    except KilledWorker:
        return Outcome({}, reason="every worker that ran it was lost", lasts=False)
    return outcome
