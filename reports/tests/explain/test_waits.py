"""What requests waited for: sums over causes, device time within a request, the slowest ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ftlab
from ftlab.commands import main
from ftlab.explain.lanes import lanes_of
from ftlab.explain.repeat import Record
from ftlab.explain.waits import groups_of, present, requests_of, slowest_of
from ftlab.result import Result
from program import needs_program


def _record(
    requests: list[dict[str, Any]], operations: list[dict[str, Any]], result: dict[str, Any] | None = None
) -> Record:
    return Record(Result(result or {}), pd.DataFrame(requests), pd.DataFrame(operations), pd.DataFrame())


def _request(arrival: float, begin: float, end: float, host: float, clean: float) -> dict[str, Any]:
    return {
        "arrival_s": arrival, "begin_s": begin, "end_s": end, "kind": "write", "offset": 0, "bytes": 4096,
        "status": "ok", "bus_s": 0.5, "cpu_s": 0.25, "host_s": host, "clean_s": clean,
    }  # fmt: skip


def _operation(start: float, busy: float, kind: str, cause: str, device: int = 0) -> dict[str, Any]:
    return {"start_s": start, "busy_s": busy, "kind": kind, "cause": cause, "device": device}


RECORD = _record(
    [_request(0, 0, 2, 2, 0), _request(1, 2, 10, 1, 7), _request(10, 10, 11, 1, 0)],
    [
        _operation(0.5, 1, "buffer_program", "host"),
        _operation(2.5, 4, "erase", "clean"),
        _operation(7, 1, "buffer_program", "clean", device=1),
        _operation(9.5, 1, "buffer_program", "host"),
        _operation(20, 5, "erase", "clean"),
    ],
)


def test_causes_are_the_columns_of_the_log_that_are_not_its_own() -> None:
    assert RECORD.causes == ["host", "clean"]


def test_device_time_counts_as_far_as_it_lies_within_the_request() -> None:
    frame = requests_of(RECORD, "write")
    assert list(frame["latency"]) == [9, 2, 1]
    assert list(frame["queue"]) == [1, 0, 0]
    slowest = frame.iloc[0]
    assert slowest["device erase"] == 4
    assert slowest["device program"] == 1.5, "half of the last one belongs to the next request"
    assert slowest["else"] == 8 - 4 - 1.5 - 0.75
    assert frame.iloc[2]["device program"] == 0.5
    assert frame["else"].min() >= 0


def test_groups_are_means_of_the_slowest_shares() -> None:
    many = _record(
        [_request(t, t, t + 1 + t / 100, 1, t / 100) for t in range(200)], [_operation(0, 1, "erase", "clean")]
    )
    groups = groups_of(many, requests_of(many, "write"))
    assert [(group.title, group.count) for group in groups] == [
        ("all", 200), ("the slowest 10 %", 20), ("the slowest 1 %", 2), ("the slowest", 1),
    ]  # fmt: skip
    assert groups[1].least_s == pytest.approx(1 + 180 / 100)
    for group in groups:
        assert group.queue_s + sum(group.causes.values()) == pytest.approx(group.latency_s)
    assert present([group.causes for group in groups]) == ["host", "clean"]


def test_the_slowest_name_the_operations_that_went_on_meanwhile() -> None:
    slow = slowest_of(RECORD, requests_of(RECORD, "write"), 2)
    assert slow[0].operations == {"clean": {"buffer_program": 1, "erase": 1}, "host": {"buffer_program": 1}}
    assert slow[1].operations == {"host": {"buffer_program": 1}}
    assert len(slowest_of(RECORD, requests_of(RECORD, "write"), 9)) == 3


def test_an_average_die_is_named_where_dies_work_beside_the_host() -> None:
    array = _record(
        [_request(0, 0, 10, 10, 0)],
        [
            _operation(0, 4, "erase", "clean"),
            _operation(1, 4, "buffer_program", "host"),  # another plane: 3 of 4 s at the same time
            _operation(8, 4, "buffer_program", "host", device=1),
        ],
        {"dies": {}, "device": {"parallel_units": 4}},
    )
    frame = requests_of(array, "write")
    group = groups_of(array, frame)[0]
    assert group.causes == {"host": 10, "clean": 0}
    assert group.dies == {"host": (1 + 2) / 4, "clean": 4 / 4}
    assert slowest_of(array, frame, 1)[0].dies == group.dies
    assert groups_of(RECORD, requests_of(RECORD, "write"))[0].dies == {}


@needs_program
def test_an_array_is_explained_by_what_its_dies_work_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study: dict[str, Any] = {
        "part": "array-slc", "host": "ssd-controller", "ftl__firmware": "page", "ftl__spare_factor": 0.4,
        "part_overrides__channels": 1, "part_overrides__dies_per_channel": 2, "part_overrides__segments": 64,
        "part_overrides__pages_per_segment": 16, "workload__kind": "uniform", "workload__overwrites": 1,
        "workload__queue_depth": 8,
    }  # fmt: skip
    ftlab.run(**study, out=tmp_path)
    assert main(["explain", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "what an average die worked for" in said
    assert re.search(r" s +[0-9,]+ B +[0-9]+ KiB", said), "where each begins, and its size"
    assert main(["explain", str(tmp_path), "--json"]) == 0
    group = json.loads(capsys.readouterr().out)["write"]["groups"][0]
    assert group["dies"]["clean"] > 10 * group["causes"]["clean"]
    assert sum(group["dies"].values()) < group["latency_s"]


def test_intervals_get_the_first_lane_that_is_free() -> None:
    assert lanes_of([(0, 4), (1, 2), (2, 3), (2.5, 5), (4, 6)]) == [0, 1, 1, 2, 0]
    assert lanes_of([]) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    ftlab.run(part="series2plus-4mb", workload__total_mib=4, workload__read_share=0.3, out=out)
    return out


@needs_program
def test_a_run_is_explained_from_its_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert main(["explain", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"write", "read"}
    result = ftlab.load(folder)
    writes = found["write"]["groups"][0]
    assert writes["count"] == result.host.writes
    assert writes["latency_s"] == pytest.approx(result.latency.write.mean_s)
    assert writes["queue_s"] + sum(writes["causes"].values()) == pytest.approx(writes["latency_s"])
    assert writes["causes"]["clean"] > 0
    assert len(found["read"]["slowest"]) == 10
    assert sorted(path.name for path in folder.iterdir()) == before, "nothing is written there"
    assert main(["explain", str(folder / "result.json"), "--kind", "read", "--slowest", "0"]) == 0
    out = capsys.readouterr().out
    assert "read requests" in out
    assert "write requests" not in out
    assert "one by one" not in out


@needs_program
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["explain", "none"], "none: no such file; give the folder that `ftlab run --out` named, or a result.json"),
        (["explain", "DIR", "--kind", "rite"], "--kind rite: is none of write, read, trim, flush"),
        (["explain", "DIR", "--kind", "trim"], "--kind trim: the run has none; it has write, read"),
        (["explain", "DIR", "--slowest", "-1"], "--slowest -1: must be a whole number from 0 on"),
        (["timeline", "DIR", "--format", "vdc"], "--format vdc: is none of perfetto, vcd"),
        (["timeline", "DIR", "--from", "5", "--to", "4"], "--from 5 --to 4: must be a span of time from 0 on"),
        (
            ["timeline", "DIR", "--from", "1e9"],
            "--from 1e+09: the measured phase of the run ends at 70.1556 s; give less",
        ),
        (["timeline", "DIR", "--out", ""], "--out: must not be empty; name a file"),
    ],
)
def test_slips_are_one_line(words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word.replace("DIR", str(folder)) for word in words]) == 2
    assert capsys.readouterr().err == f"ftlab: error: {said}\n"


@needs_program
def test_a_result_of_another_program_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads((folder / "result.json").read_text())
    document["flash"]["erases"] += 1
    (tmp_path / "result.json").write_text(json.dumps(document))
    assert main(["explain", str(tmp_path)]) == 2
    assert "another ftlab made it, which simulated otherwise" in capsys.readouterr().err
