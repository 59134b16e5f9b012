"""Figures of results and sweeps as objects that show themselves in a notebook; those of the page, one by one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.errors import InputError, echo_name
from ftlab.nearest import listed, meant
from ftlab.places import folder_of, path_of
from ftlab.report.blocks import Figure
from ftlab.report.figures.draw import unchecked
from ftlab.report.load import load_report
from ftlab.report.registry import figures_of, fill
from ftlab.report.svg import to_svg
from ftlab.sweeps.attributes import description_of
from ftlab.write import write_whole

if TYPE_CHECKING:
    import pandas


class Picture:
    """One figure. A notebook shows it.

    `name` is its name among ftlab.figures, `title` and `caption` are those of the page, `spec` is its Vega-Lite.
    """

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self.name = figure.name
        self.title = figure.title
        self.caption = " ".join(filter(None, (figure.caption, figure.on_paper)))
        self.spec: dict[str, Any] = figure.spec

    def _repr_svg_(self) -> str:
        return to_svg(self._figure)

    def __repr__(self) -> str:
        return f"{self.title}: {self._figure.alt}"

    def save(self, path: str | Path) -> None:
        """As SVG into the file `path`. Raises InputError when it cannot be written."""
        write_whole(path_of(path, "path", "file"), to_svg(self._figure))


class Pictures(Mapping[str, Picture]):
    """Figures by name, in the order of the page: a Mapping of Picture. A notebook shows all of them.

    `pictures["name"]` raises KeyError for a name that it lacks, and says what was meant.
    """

    def __init__(self, pictures: list[Picture]) -> None:
        self._pictures = {picture.name: picture for picture in pictures}

    def __getitem__(self, name: str) -> Picture:
        if not isinstance(name, str) or name not in self._pictures:
            what = echo_name(name)
            raise KeyError(f"no figure {what}{meant(what, self._pictures, listed(self._pictures))}")
        return self._pictures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pictures)

    def __len__(self) -> int:
        return len(self._pictures)

    def _repr_html_(self) -> str:
        return "\n".join(f"<h4>{picture.title}</h4>\n{picture._repr_svg_()}" for picture in self._pictures.values())

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {picture.title}" for name, picture in self._pictures.items())


def figures(folder: str | Path) -> Pictures:
    """Every figure that `ftlab report FOLDER` draws.

    `folder`: of a run, a sweep, a search or a reproduction, as `--out` or `out` named it.

    Returns Pictures: by name, in the order of the page.

    Raises InputError where the folder holds no results, or damaged ones.
    """
    report = load_report(folder_of(folder, "folder"))
    with unchecked():
        return Pictures([Picture(figure) for figure in figures_of(fill(report))])


def plot(table: pandas.DataFrame, figure: str | None = None) -> Picture:
    """A figure of a sweep over its first numeric axis, a curve for each combination of the others.

    `table`: what ftlab.sweep, ftlab.optimize or ftlab.load gave.
    `figure`: one of its figures, such as "flash.erases". Default: the first.

    Returns a Picture, in the figure's unit, with the intervals of the means.

    Raises InputError for what is no table of a sweep, and for a figure that the table or all of its runs lack.
    """
    description = description_of(table)
    paths = [str(one["path"]) for one in description["figures"]]
    wanted = paths[0] if figure is None else figure
    if not isinstance(wanted, str) or wanted not in paths:
        raise InputError(f"the table has no figure {echo_name(wanted)}{meant(str(wanted), paths, listed(paths))}")

    with tempfile.TemporaryDirectory(prefix="ftlab-") as folder:
        write_whole(Path(folder) / "sweep.json", json.dumps(description))
        write_whole(Path(folder) / "table.csv", table.to_csv(index=False))
        drawn = figures(folder)
    name = f"sweep-{wanted.replace('.', '-').replace('_', '-')}"
    if name not in drawn:
        raise InputError(f"no run of the table has the figure {wanted}")
    return drawn[name]
