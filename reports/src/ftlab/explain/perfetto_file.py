"""A trace for https://ui.perfetto.dev: a process for each group of tracks, a thread for each track."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket, TrackEvent

from ftlab.explain.events import TICK_S, Slice, Track
from ftlab.write import write_whole

_NS_PER_TICK = TICK_S * 1e9
_SEQUENCE = 1
_AT_ONCE = 10_000  # packets turned into bytes together


def write_perfetto(path: Path, tracks: list[Track]) -> None:
    """Traces are packets one after the other, so that parts of one can be written apart."""
    chunks = []
    trace = Trace()
    for packet in _packets(tracks):
        trace.packet.append(packet)
        if len(trace.packet) == _AT_ONCE:
            chunks.append(trace.SerializeToString())
            trace = Trace()
    chunks.append(trace.SerializeToString())
    write_whole(path, b"".join(chunks))


def _packets(tracks: list[Track]) -> Iterator[TracePacket]:
    groups = list(dict.fromkeys(track.group for track in tracks))
    for place, group in enumerate(groups, start=1):
        packet = TracePacket(trusted_packet_sequence_id=_SEQUENCE)
        packet.track_descriptor.uuid = place
        packet.track_descriptor.process.pid = place
        packet.track_descriptor.process.process_name = group
        yield packet
    for place, track in enumerate(tracks, start=1):
        uuid = len(groups) + place
        packet = TracePacket(trusted_packet_sequence_id=_SEQUENCE)
        packet.track_descriptor.uuid = uuid
        packet.track_descriptor.parent_uuid = groups.index(track.group) + 1
        packet.track_descriptor.name = track.name
        yield packet
        for one in track.slices:
            yield from _slice(uuid, one)


def _slice(track: int, one: Slice) -> Iterator[TracePacket]:
    begin = TracePacket(trusted_packet_sequence_id=_SEQUENCE, timestamp=round(one.begin * _NS_PER_TICK))
    begin.track_event.type = TrackEvent.TYPE_SLICE_BEGIN
    begin.track_event.track_uuid = track
    begin.track_event.name = one.name
    for name, value in one.details.items():
        detail = begin.track_event.debug_annotations.add()
        detail.name = name
        if isinstance(value, int):
            detail.int_value = value
        else:
            detail.string_value = value
    yield begin
    end = TracePacket(trusted_packet_sequence_id=_SEQUENCE, timestamp=round(one.end * _NS_PER_TICK))
    end.track_event.type = TrackEvent.TYPE_SLICE_END
    end.track_event.track_uuid = track
    yield end
