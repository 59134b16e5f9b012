"""Traces for viewers, read back by packaged readers."""

from __future__ import annotations

from pathlib import Path

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
from vcd.reader import TokenKind, tokenize

import ftlab
from ftlab.commands import main
from ftlab.explain import timeline_cli
from ftlab.explain.events import Slice, Track, tracks_of
from ftlab.explain.perfetto_file import write_perfetto
from ftlab.explain.repeat import operations_of, repeated
from ftlab.explain.vcd_file import write_vcd
from program import needs_program

TRACKS = [
    Track("host", "requests", [Slice(10, 50, "write", {"offset": 4096, "status": "ok"}), Slice(50, 60, "read", {})]),
    Track("dies", "die 0", [Slice(20, 40, "erase", {})]),
]


def test_a_perfetto_trace_has_a_process_for_each_group_and_slices_that_end(tmp_path: Path) -> None:
    write_perfetto(tmp_path / "t", TRACKS)
    trace = Trace()
    trace.ParseFromString((tmp_path / "t").read_bytes())
    processes = [
        packet.track_descriptor.process.process_name
        for packet in trace.packet
        if packet.track_descriptor.HasField("process")
    ]
    assert processes == ["host", "dies"]
    begins = [packet for packet in trace.packet if packet.track_event.type == TrackEvent.TYPE_SLICE_BEGIN]
    ends = [packet for packet in trace.packet if packet.track_event.type == TrackEvent.TYPE_SLICE_END]
    assert [(packet.timestamp, packet.track_event.name) for packet in begins] == [
        (1, "write"),
        (5, "read"),
        (2, "erase"),
    ]
    assert [packet.timestamp for packet in ends] == [5, 6, 4]
    details = {one.name: one for one in begins[0].track_event.debug_annotations}
    assert details["offset"].int_value == 4096
    assert details["status"].string_value == "ok"


def test_a_value_change_dump_says_of_each_track_whether_and_what(tmp_path: Path) -> None:
    write_vcd(tmp_path / "t.vcd", TRACKS)
    with (tmp_path / "t.vcd").open("rb") as file:
        tokens = list(tokenize(file))
    names = [token.data.reference for token in tokens if token.kind is TokenKind.VAR]  # type: ignore[union-attr]
    assert names == ["busy", "doing", "busy", "doing"]
    at, busy = 0, []
    first = next(token.data.id_code for token in tokens if token.kind is TokenKind.VAR)  # type: ignore[union-attr]
    for token in tokens:
        if token.kind is TokenKind.CHANGE_TIME:
            at = int(token.data)  # type: ignore[arg-type]
        elif token.kind is TokenKind.CHANGE_SCALAR and token.data.id_code == first:  # type: ignore[union-attr]
            busy.append((at, token.data.value))  # type: ignore[union-attr]
    assert "1" in [value for _, value in busy]
    assert busy[-1][1] == "0"


@needs_program
def test_every_request_and_operation_of_a_run_stands_on_a_track_without_overlap(tmp_path: Path) -> None:
    result = ftlab.run(part="series2plus-4mb", workload__total_mib=4, out=tmp_path)
    with repeated(tmp_path) as record:
        tracks = tracks_of(record, 0.0, float("inf"))
        operations = len(record.operations)
    count = {
        group: sum(len(track.slices) for track in tracks if track.group == group)
        for group in ("host", "dies", "firmware")
    }
    assert count == {"host": result.host.requests, "dies": operations, "firmware": operations}
    assert any(track.group == "bus" and track.slices for track in tracks)
    for track in tracks:
        for one, after in zip(track.slices, track.slices[1:], strict=False):
            assert one.end <= after.begin, track.name


@needs_program
@pytest.mark.parametrize(("form", "name"), [("perfetto", "timeline.pftrace"), ("vcd", "timeline.vcd")])
def test_the_file_lies_beside_the_result_and_a_span_is_smaller(
    form: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ftlab.run(part="series2plus-4mb", workload__total_mib=2, out=tmp_path)
    assert main(["timeline", str(tmp_path), "--format", form]) == 0
    assert f"{tmp_path / name}: " in capsys.readouterr().out
    whole = (tmp_path / name).stat().st_size
    assert main(["timeline", str(tmp_path), "--format", form, "--to", "15", "--out", str(tmp_path / "part")]) == 0
    assert 0 < (tmp_path / "part").stat().st_size < whole


@needs_program
def test_a_span_holds_what_the_whole_run_has_there_in_seconds_of_the_measured_phase(tmp_path: Path) -> None:
    result = ftlab.run(part="series2plus-4mb", workload__total_mib=1, out=tmp_path)
    end_s = float(result.json["time"]["simulated_s"])
    with repeated(tmp_path) as whole, repeated(tmp_path, span_s=(0.25 * end_s, 0.5 * end_s)) as part:
        assert tracks_of(part, 0.25 * end_s, 0.5 * end_s) == tracks_of(whole, 0.25 * end_s, 0.5 * end_s)
        assert len(part.operations) < 0.5 * len(whole.operations)
        assert whole.requests["begin_s"].iloc[0] < 0.001
        assert whole.requests["end_s"].iloc[-1] == pytest.approx(end_s, rel=0.01)
        assert operations_of(result) == len(whole.operations)


@needs_program
def test_of_a_long_run_the_begin_is_shown_and_a_note_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ftlab.run(part="series2plus-4mb", workload__total_mib=1, out=tmp_path)
    monkeypatch.setattr(timeline_cli, "_MANY", 1000)
    assert main(["timeline", str(tmp_path)]) == 0
    first = capsys.readouterr()
    assert first.err.startswith("ftlab: note: the run has ")
    assert first.err.endswith(", and --from and --to choose\n")
    assert main(["timeline", str(tmp_path), "--to", "1e9"]) == 0
    whole = capsys.readouterr()
    assert whole.err == ""
    assert first.out != whole.out


@needs_program
def test_only_a_trace_or_nothing_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ftlab.run(part="series2plus-4mb", workload__total_mib=1, out=tmp_path)
    before = (tmp_path / "result.json").read_bytes()
    assert main(["timeline", str(tmp_path), "--out", str(tmp_path / "result.json")]) == 2
    assert "exists and is no *.pftrace; name another file" in capsys.readouterr().err
    assert (tmp_path / "result.json").read_bytes() == before
    assert main(["timeline", str(tmp_path), "--out", "/dev/null"]) == 2


@needs_program
def test_requests_in_flight_together_get_tracks_of_their_own(tmp_path: Path) -> None:
    ftlab.run(
        part="flexonenand-8gb-ddp", host="omap2420-400", ftl__firmware="page", workload__queue_depth=4,
        workload__total_mib=2, workload__fill=False, out=tmp_path,
    )  # fmt: skip
    with repeated(tmp_path) as record:
        tracks = tracks_of(record, 0.0, float("inf"))
    assert len([track for track in tracks if track.group == "host"]) > 1
