"""What the papers print, and how far we may be from it: a slip in an experiment's file is no reproduction.

published.json holds row, quantity, published figure, tolerance and how deviations are counted, of every cell that has a
number of its own. Changing a line there needs the paper beside it.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import ftlab
from ftlab.reproduce.cells import cell
from ftlab.reproduce.library import experiment_named, papers
from ftlab.reproduce.samples import Summary
from ftlab.reproduce.spec import Experiment
from program import needs_program

pytestmark = needs_program

_PUBLISHED: dict[str, list[list[object]]] = json.loads((Path(__file__).parent / "published.json").read_text())


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:  # computed from the runs' own files
        return None


def _cells(experiment: Experiment) -> list[list[object]]:
    found: list[list[object]] = []
    for row in experiment.rows():
        for quantity in experiment.quantities:
            if experiment.expression_of(quantity, row) is None:
                continue
            printed = experiment.published.get((row, quantity.name))
            paper = _number(printed.expression if printed else quantity.published)
            if paper is None:
                continue
            judged = cell(quantity, paper, Summary(paper, None), experiment.tolerance_of(quantity.name, row), "")
            label = " | ".join(experiment.titles(row).values())
            found.append([label, quantity.name, paper, judged["tolerance"], judged["deviation_kind"]])
    return found


@pytest.mark.parametrize("name", _PUBLISHED)
def test_published_figures_and_tolerances_are_those_of_the_papers(name: str) -> None:
    assert _cells(experiment_named(name)) == _PUBLISHED[name]


def test_initial_data_of_the_fms_papers_is_what_a_run_offers() -> None:
    paper = next(paper for paper in papers() if paper.name == "fms")
    stated = next(choice.value for choice in paper.choices if choice.name == "logical_pages")
    device = ftlab.run(paper.study | {"workload.total_mib": 0.25}).device
    assert stated == device.logical_bytes / device.page_bytes


def test_the_stand_in_is_judged_as_the_trace_is() -> None:
    trace, stand_in = experiment_named("fms-hplajw"), experiment_named("fms-stand-in")
    assert stand_in.axes == trace.axes
    assert stand_in.quantities == trace.quantities
    assert stand_in.derived == trace.derived
    assert stand_in.claims == tuple(dataclasses.replace(claim, source=stand_in.source) for claim in trace.claims)
