"""What Python is given for a sweep or a search, as the file of one would say it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.errors import InputError, echo
from ftlab.runs import as_study
from ftlab.sweeps.pool import jobs_at_once
from ftlab.sweeps.spec import SHOWN, Sweep, sweep_of
from ftlab.toml_source import read_tree
from ftlab.values import ValueRefusedError, plain


def read_given(study: Any, axes: Any, more: dict[str, Any]) -> tuple[dict[str, Any], Sweep]:
    """The tree of a sweep file, and the sweep. `study`: with no axes the path of such a file; `more`: what replaces its
    keys where it is not None. Raises InputError for what no sweep can hold."""
    given = as_study(study)
    stated = {key: _plain(key, value) for key, value in more.items() if value is not None}
    if axes is None and isinstance(given, Path):
        tree, source = read_tree(given, SHOWN)
        tree |= stated
        return tree, _warned(sweep_of(tree, source, given.parent))
    if axes is not None and not isinstance(axes, Mapping):
        raise InputError(f"axes={echo(axes)}: must be a table of keys, each with its values")
    base = str(given.absolute()) if isinstance(given, Path) else given
    tree = {"study": base, "axes": dict(axes or {})} | stated
    return tree, _warned(sweep_of(tree))


def _warned(sweep: Sweep) -> Sweep:
    for note in sweep.notes:
        warnings.warn(note, FutureWarning, stacklevel=4)  # at the caller of ftlab.sweep
    return sweep


def jobs_of(jobs: Any) -> int:
    """Simulations at once. Raises InputError for what is no count."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise InputError(f"jobs={echo(jobs)}: must be a whole number from 1 on")
    return jobs_at_once(jobs)


def _plain(key: str, value: Any) -> Any:
    try:
        return plain(value)
    except ValueRefusedError as problem:
        raise InputError(f"sweep: {key}: {problem}") from None
