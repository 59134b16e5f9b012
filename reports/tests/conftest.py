"""Directories with result files, made anew for each test that writes, once for those that only read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sample
from ftlab.report.contents import Report
from ftlab.report.load import load_report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests marked `shared` and those in a browser FTLAB_SHARE=FIRST/OF runs a part."""
    first, of = map(int, os.environ.get("FTLAB_SHARE", "0/1").split("/"))
    shared = [item for item in items if item.get_closest_marker("shared") or item.path.parent.name == "browser"]
    left = {id(item) for index, item in enumerate(shared) if index % of != first}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left])
    items[:] = [item for item in items if id(item) not in left]


@pytest.fixture
def study_dir(tmp_path: Path) -> Path:
    return sample.write_study(tmp_path / "out")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A study with three runs and a reproduction."""
    return load_report(sample.write_study(tmp_path_factory.mktemp("study")))


@pytest.fixture(scope="session")
def single(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One run without reads."""
    directory = tmp_path_factory.mktemp("single")
    sample.write_json(directory / "result.json", sample.result(reads=False))
    return load_report(directory)
