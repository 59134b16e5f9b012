"""The tutorial does what it shows, and figures show themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

import ftlab
from program import needs_program

pytestmark = needs_program

_TUTORIAL = Path(__file__).resolve().parents[1] / "notebooks" / "tutorial.ipynb"


@pytest.mark.shared
def test_tutorial_runs_and_ends_in_pictures(tmp_path: Path) -> None:
    notebook: Any = nbformat.read(_TUTORIAL, as_version=4)  # type: ignore[no-untyped-call]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code[0].source.splitlines()) <= 10, "from the import to the plot"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.get("data", {}) for cell in code for output in cell.outputs]
    assert "image/svg+xml" in shown[0]
    assert "text/html" in shown[1], "the table"
    assert "<svg" in shown[-1]["text/html"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    study = {"part": "series2plus-4mb", "workload": {"total_mib": 0.5}}
    return ftlab.sweep(study, {"ftl.utilization": [0.5, 0.8]}, figures=["flash.erases", "write_amplification"], seeds=2)


def test_a_table_is_plotted_by_its_first_figure_or_the_one_named(table: pd.DataFrame, tmp_path: Path) -> None:
    picture = ftlab.plot(table)
    assert "Segments erased" in repr(picture)
    assert "<svg" in picture._repr_svg_()
    assert ftlab.plot(table, "write_amplification").title.startswith("Write amplification over ")
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == picture._repr_svg_()


def test_a_table_that_lost_its_description_is_plotted_by_its_columns(table: pd.DataFrame) -> None:
    assert ftlab.plot(pd.DataFrame(table.to_dict("list"))).name == ftlab.plot(table).name


def test_what_cannot_be_plotted_is_said_in_one_line(table: pd.DataFrame) -> None:
    with pytest.raises(ftlab.InputError, match="no figure flash.erase; did you mean 'flash.erases'"):
        ftlab.plot(table, "flash.erase")
    with pytest.raises(ftlab.InputError, match="is no table of a sweep"):
        ftlab.plot(pd.DataFrame({"a": [1]}))


def test_the_figures_of_a_page_are_there_by_name(tmp_path: Path) -> None:
    ftlab.run(part="series2plus-4mb", workload__total_mib=0.5, out=tmp_path)
    pictures = ftlab.figures(tmp_path)
    assert len(pictures) > 2
    assert all("<svg" in picture._repr_svg_() for picture in pictures.values())
    assert pictures._repr_html_().count("<h4>") == len(pictures)
    with pytest.raises(KeyError, match="no figure none; there are"):
        pictures["none"]
