"""The laboratory of ftlab: runs of the simulator, sweeps over its keys, and what came of them.

    import ftlab
    result = ftlab.run("study.toml", ftl__selection="greedy")
    result.throughput.write_bytes_per_s
    table = ftlab.sweep("study.toml", {"ftl.utilization": [0.5, 0.7, 0.9]}, figures=["write_amplification"])
    best = ftlab.optimize("study.toml", {"ftl.utilization": [0.5, 0.7, 0.9]}, {"energy.j_per_host_mib": "min"})
    ftlab.plot(table, "write_amplification")  # shows itself in a notebook
    ftlab.figures("out/study")                # every figure of the page

A simulation is a process of the program `ftlab` each: the one that the environment variable FTLAB_PROGRAM names, else
the release build of the source tree, else `ftlab` on the PATH. Keys and figures are those that `ftlab keys` and `ftlab
figures` list, with their units. What a caller can mend is an InputError of one line.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ftlab.errors import InputError, RunError
    from ftlab.result import Result, load
    from ftlab.runs import run
    from ftlab.show import figures, plot
    from ftlab.sweeps.api import optimize, sweep

__all__ = ["InputError", "Result", "RunError", "figures", "load", "optimize", "plot", "run", "sweep"]

_HOMES = {
    "InputError": "errors",
    "Result": "result",
    "RunError": "errors",
    "figures": "show",
    "load": "result",
    "optimize": "sweeps.api",
    "plot": "show",
    "run": "runs",
    "sweep": "sweeps.api",
}


def __getattr__(name: str) -> Any:
    # A command line has its signal handlers before anything of weight is imported, and needs little of it.
    if name in _HOMES:
        return getattr(importlib.import_module(f"ftlab.{_HOMES[name]}"), name)
    raise AttributeError(f"module ftlab has no {name}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
