"""SWEEP.toml: what it means, and the one line that refuses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftlab.errors import InputError
from ftlab.sweeps.spec import DEFAULT_FIGURES, Sweep, read_sweep
from program import needs_program

pytestmark = needs_program


def _read(folder: Path, text: str) -> Sweep:
    path = folder / "sweep.toml"
    path.write_text(text)
    return read_sweep(path)


def test_keys_in_place_axes_seeds_and_figures(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        'seeds = 2\nfigures = ["flash.erases"]\n[study]\nseed = 7\npart = "series2plus-4mb"\nftl.selection = "greedy"\n'
        '[axes]\n"ftl.utilization" = [0.5, 0.7]\nworkload.total_mib = {from = 1, to = 2, steps = 2}\n',
    )
    assert sweep.base == {"part": "series2plus-4mb", "ftl.selection": "greedy"}
    assert sweep.axes == ["ftl.utilization", "workload.total_mib"]
    assert len(sweep.points) == 4
    assert (sweep.seeds, sweep.first_seed, sweep.figures) == (2, 7, ["flash.erases"])


def test_study_is_found_beside_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "cat.toml").write_text('part = "series2plus-4mb"\n')
    sweep = _read(tmp_path, 'study = "cat.toml"\n[axes]\n"ftl.utilization" = [0.5]\n')
    assert sweep.study == (tmp_path / "cat.toml").resolve()
    assert sweep.figures == list(DEFAULT_FIGURES)


def test_samples_stand_beside_every_point_of_the_axes(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        '[axes]\n"ftl.selection" = ["cat", "greedy"]\n[latin_hypercube]\nsamples = 5\n'
        '"ftl.utilization" = {from = 0.5, to = 0.9}\n',
    )
    assert len(sweep.points) == 10
    assert sweep.points[0]["ftl.utilization"] == sweep.points[5]["ftl.utilization"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("axs = 3\n", ":1: axs: is no key of a sweep; did you mean axes"),
        ('[axes]\n"ftl.utilisation" = [0.5]\n', ":2: axes.ftl.utilisation: is no key of a study; did you mean ftl.utilization"),
        ('[axes]\n"ftl.utilization" = 0.5\n', ":2: axes.ftl.utilization: must be a list, or a range"),
        ('[axes]\nseed = [1, 2]\n', ":2: axes.seed: is what `seeds` counts up"),
        ('study = "gone.toml"\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: study: .*gone.toml: no such file"),
        ('[study]\nparts = "x"\n[axes]\n"ftl.utilization" = [0.5]\n', ":2: study.parts: is no key of a study; did you mean part"),
        ('figures = ["flash.erase"]\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: figures: no figure flash.erase; did you mean flash.erases"),
        ('seeds = 0\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: seeds: must be a whole number from 1 on"),
        ("seeds = 2\n", ": varies nothing; add .axes."),
        ('[axes]\n"ftl.utilization" = [0.5]\n[[linked]]\n"ftl.utilization" = [0.5]\n', "ftl.utilization: is varied twice"),
        ('[[linked]]\n"ftl.low_water" = [1]\n"ftl.high_water" = [1, 2]\n', ":1: linked: linked axes must be equally long"),
        ('[latin_hypercube]\n"ftl.utilization" = {from = 0.5, to = 0.9}\n', ":1: latin_hypercube: lacks samples"),
        ("[axes\n", "sweep.toml: .*line 1"),
    ],
)  # fmt: skip
def test_mistake_is_named_with_line_and_fix(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(InputError, match=line) as refused:
        _read(tmp_path, text)
    assert "\n" not in str(refused.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read \(No such file"):
        read_sweep(tmp_path / "none.toml")
