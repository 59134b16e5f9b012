"""The laboratory of ftlab: runs of the simulator, sweeps over its keys, and what came of them.

    import ftlab
    result = ftlab.run("study.toml", ftl__selection="greedy")
    result.throughput.write_bytes_per_s
    ftlab.sweep("study.toml", {"ftl.utilization": [0.5, 0.7, 0.9]}, figures=["write_amplification"])

A simulation is a process of the program `ftlab` each (program.py says which one). Keys and figures are those that
`ftlab keys` and `ftlab figures` list.
"""

from __future__ import annotations

from ftlab.errors import InputError, RunError
from ftlab.result import Result, load
from ftlab.runs import run
from ftlab.sweeps.api import sweep

__all__ = ["InputError", "Result", "RunError", "load", "run", "sweep"]
