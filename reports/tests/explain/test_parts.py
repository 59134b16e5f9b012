"""The sentence that says where requests around a percentile spent their time."""

from __future__ import annotations

import pandas as pd

from ftlab.explain.parts import sentences
from ftlab.explain.repeat import Record
from ftlab.explain.waits import groups_of, requests_of
from ftlab.result import Result


def _record(count: int) -> Record:
    rows = [
        {
            "arrival_s": t, "begin_s": t, "end_s": t + 0.002 + 0.002 * (t >= 0.9 * count), "kind": "read", "offset": 0,
            "bytes": 4096, "status": "ok", "bus_s": 0.0, "cpu_s": 0.0, "host_s": 0.001, "queue_s": 0.0,
            "firmware_s": 0.00000001, "die_s": 0.002 * (t >= 0.9 * count), "cells_s": 0.00199999,
        }
        for t in range(count)
    ]  # fmt: skip
    operations = pd.DataFrame([{"start_s": 0.0, "busy_s": 0.001, "kind": "load", "cause": "host", "device": 0}])
    return Record(Result({}), pd.DataFrame(rows), operations, pd.DataFrame())


def test_shares_are_named_largest_first_and_what_is_next_to_nothing_is_not() -> None:
    record = _record(1000)
    assert record.causes == ["host"], "parts are no causes"
    said = sentences(record, "read", requests_of(record, "read"))
    assert said[0] == "p50 of reads, 2.00 ms: 100 % cells."
    assert said[1] == "p99 of reads, 4.00 ms: 50 % waiting for the die, 50 % cells."


def test_of_one_request_both_are_that_one() -> None:
    record = _record(1)
    assert [one.split(":")[0] for one in sentences(record, "read", requests_of(record, "read"))] == [
        "p50 of reads, 2.00 ms",
        "p99 of reads, 2.00 ms",
    ]


def test_nothing_is_said_of_requests_that_were_not_followed() -> None:
    record = _record(10)
    plain = Record(record.result, record.requests.drop(columns=["queue_s", "firmware_s", "die_s", "cells_s"]),
                   record.operations, record.bus)  # fmt: skip
    frame = requests_of(plain, "read")
    assert sentences(plain, "read", frame) == []
    assert groups_of(plain, frame)[0].parts == {}


def test_groups_have_the_parts_of_their_latency() -> None:
    record = _record(1000)
    for group in groups_of(record, requests_of(record, "read")):
        assert abs(sum(group.parts.values()) - group.latency_s) < 1e-8
