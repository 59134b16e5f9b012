"""Directories with result files, made anew for each test that writes, once for those that only read."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.report.contents import Report
from ftlab.report.load import load_report


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
