"""result.json as the program writes it, against the schema that the same program prints. Needs the program: the file
that FTLAB_PROGRAM names, or the release build of the checkout."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import sample
from ftlab.report.load import load_report

_ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = Path(os.environ.get("FTLAB_PROGRAM") or _ROOT / "build" / "release" / "ftlab")

pytestmark = pytest.mark.skipif(not _PROGRAM.exists(), reason=f"{_PROGRAM} is not built")

# Parts of the result that are described figure by figure.
_FIGURES = ("firmware", "flash", "time", "energy", "wear", "throughput", "host")


def _run(*arguments: str) -> str:
    return subprocess.run([_PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(_run("figures", "--schema"))
    return loaded


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("run")
    (at / "study.toml").write_text(
        'part = "series2plus-4mb"\n[workload]\ntotal_mib = 0.5\nread_share = 0.25\n', "utf-8"
    )
    _run("run", str(at / "study.toml"), "--out", str(at / "out"))
    return at / "out"


@pytest.fixture
def result(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return loaded


def test_schema_takes_what_a_run_writes(schema: dict[str, Any], result: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(result, schema)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("flash", "erases", "many"),
        ("flash", "erasures", 1),
        ("device", "segments", None),
        ("time", "simulated_s", "1 s"),
    ],
)
def test_schema_refuses_another_type_and_an_unknown_figure(
    schema: dict[str, Any], result: dict[str, Any], table: str, key: str, value: object
) -> None:
    result[table][key] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(result, schema)


def test_schema_refuses_a_result_without_a_figure(schema: dict[str, Any], result: dict[str, Any]) -> None:
    del result["flash"]["erases"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(result, schema)


def test_report_reads_what_a_run_writes(folder: Path, result: dict[str, Any]) -> None:
    (run,) = load_report(folder).runs
    assert run.result.flash["erases"] == result["flash"]["erases"]


def test_sample_of_the_other_tests_has_no_figure_that_the_program_does_not_write(schema: dict[str, Any]) -> None:
    written = schema["properties"]
    ours = sample.result()
    assert [f"{t}.{key}" for t in _FIGURES for key in ours[t] if key not in written[t]["properties"]] == []
