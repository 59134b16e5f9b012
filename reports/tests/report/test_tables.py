"""What stands in the tables and on the cards."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import sample
from ftlab.report import experiments, headline
from ftlab.report.blocks import Table
from ftlab.report.contents import Report, Run
from ftlab.report.load import load_report
from ftlab.report.model.reproduce import Claim
from ftlab.report.model.result import Ensemble, Interval
from ftlab.report.tables import (
    battery,
    causes,
    claims,
    comparison,
    core,
    latency,
    mounts,
    provenance,
    reliability,
    reproduction,
    sensitivity,
    work,
)


def row_of(table: Table, head: str) -> list[tuple[str, str, str]]:
    row = next(row for row in table.rows if row[0].text.startswith(head))
    return [(cell.text, cell.sub, cell.tone) for cell in row[1:]]


def first_table(report: Report) -> Table:
    table = experiments.make(report)[0]
    assert isinstance(table, Table)
    return table


def test_comparison_shows_values_and_change_against_the_baseline(report: Report) -> None:
    table = comparison.make(report)[0]
    assert row_of(table, "Segments erased") == [
        ("8,827", "", ""), ("5,733", "−35.1 %", "good"), ("4,138", "−53.1 %", "good"),
    ]  # fmt: skip


def test_more_throughput_is_better_and_less_is_worse(report: Report) -> None:
    swapped = dataclasses.replace(report, baseline="CAT / M6")
    tones = [tone for _, _, tone in row_of(comparison.make(swapped)[0], "Write throughput")]
    assert tones == ["bad", "bad", ""]


def test_single_run_is_compared_with_nothing(single: Report) -> None:
    table = comparison.make(single)[0]
    assert all(cell.sub == "" for row in table.rows for cell in row)
    assert not any(row[0].text.startswith("Read latency") for row in table.rows)


def test_several_seeds_show_mean_and_interval(single: Report) -> None:
    ensemble = Ensemble((1, 2, 3), {"flash.erases": Interval(4100.0, 20.0, 4050.0, 4150.0)})
    run = Run("a", dataclasses.replace(single.runs[0].result, ensemble=ensemble))
    table = comparison.make(dataclasses.replace(single, runs=(run,)))[0]
    assert row_of(table, "Segments erased")[0][0] == "4,100"
    assert "3 seeds" in table.caption
    assert row_of(table, "Segments erased")[0][1] == "4,050 to 4,150"


def test_parts_and_shares_add_up(report: Report) -> None:
    for table in causes.time(report) + causes.energy(report):
        shares = [float(row[1].sub.removesuffix(" %")) for row in table.rows[:-1]]
        assert abs(sum(shares) - 100) < 0.5
        assert table.rows[-1][0].text == "total"


def test_paper_table_has_every_cell_with_verdict(report: Report) -> None:
    table = first_table(report)
    assert [row[0].text for row in table.rows if len(row) == 1] == ["Pentium 133", "486DX-33"]
    full = [row for row in table.rows if len(row) > 1]
    assert len(full) == 18
    assert all(len(row) == len(table.columns) == 2 + 4 for row in full)
    (failed,) = [cell for row in full for cell in row if cell.tone == "bad"]
    assert failed.sub.replace("\u00a0", " ").endswith("paper 9.20, +26.1 % ✗")
    assert "allowed ±15.4 %" in failed.hint
    assert "62 of 63 judged cells within tolerance, 9 reported" in table.caption


def test_a_quantity_without_published_values_takes_one_column(tmp_path: Path) -> None:
    value = sample.reproduction()
    table4 = value["experiments"][0]
    table4["quantities"] = [table4["quantities"][index] for index in (0, 1, 3)]
    for row in table4["rows"]:
        row["cells"] = [row["cells"][index] for index in (0, 1, 3)]
        row["cells"][2] |= {"paper": None, "deviation": None, "tolerance": None, "allowed": None, "verdict": "reported"}
    sample.write_json(tmp_path / "reproduce.json", value)
    table = first_table(load_report(tmp_path))
    assert [span for _, span in table.groups] == [2, 3, 3, 1]
    assert {len(row) for row in table.rows if len(row) > 1} == {len(table.columns)} == {2 + 2 * 3 + 1}
    assert table.columns[-1].title == "ours"


def test_a_note_on_many_cells_is_said_once(report: Report) -> None:
    notes = first_table(report).notes
    assert notes[-1] == "Throughput, 9 rows: known not to fit costs that do not depend on the workload"


def test_fitted_and_free_parameters_are_marked(report: Report) -> None:
    table = reproduction.parameters(report)[0]
    assert [row[3].text for row in table.rows] == ["fitted", "given", "unpublished"]
    assert "1 of 3 were fitted" in table.caption


def test_what_unpublished_values_decide_is_reported_value_by_value(report: Report) -> None:
    (table,) = sensitivity.make(report)  # one experiment of three was varied
    assert table.group == "fms-breakdown"
    assert [row[0].text for row in table.rows] == ["host work.page_write", "", "", "power.low_power_after_ms"]
    assert [row[1].text for row in table.rows[:2]] == ["sequential", "random"]
    assert [(cell.text, cell.sub) for cell in table.rows[0][3:]] == [
        ("72.06", ""),
        ("73.06", "182.4 us"),
        ("71.06", "273.6 us"),
        ("–", ""),
    ]
    assert [cell.sub for cell in table.rows[3][4:]] == ["8 ms", "12 ms", "100 ms"]
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.notes == ("No effect: ftl.low_water, host timer_tick.",)


def test_what_does_not_reproduce_is_said(report: Report) -> None:
    block = reproduction.not_reproduced(report)[0]
    assert block.title == "What does not reproduce"


def test_configuration_shows_where_runs_differ(report: Report) -> None:
    table = next(table for table in provenance.make(report) if table.name == "configuration")
    selection = row_of(table, "ftl.selection")
    assert [text for text, _, _ in selection] == ["greedy", "cost-benefit", "cat"]
    assert {tone for _, _, tone in selection} == {"strong"}
    assert {tone for _, _, tone in row_of(table, "workload.total_mib")} == {"muted"}


@pytest.mark.parametrize(
    ("arrival", "said"), [("closed_loop", "closed loop"), ("trace", "at the workload's own times")]
)
def test_provenance_says_when_requests_arrive(single: Report, arrival: str, said: str) -> None:
    result = single.runs[0].result
    workload = dataclasses.replace(result.workload, arrival=arrival)
    run = Run("scenario", dataclasses.replace(result, workload=workload))
    facts = {row[0].text: row[1].text for row in provenance.make(dataclasses.replace(single, runs=(run,)))[0].rows}
    assert facts["arrivals"] == said


def test_provenance_names_seed_and_version(single: Report) -> None:
    table = provenance.make(single)[0]
    assert row_of(table, "seed")[0][0] == "1"
    assert row_of(table, "ftlab version")[0][0] == "0.1.0"


def test_trace_facts_are_shown_with_units(single: Report) -> None:
    trace: dict[str, object] = {
        "file": "hplajw.gz", "format": "hp_srt", "requests": 123456, "span_s": 14 * 86400, "hottest_1pct_share": 0.61,
        "bytes_written": 3 * 2**20, "unique_pages": None, "last_line_open": False,
    }  # fmt: skip
    workload = dataclasses.replace(single.runs[0].result.workload, trace=trace)
    run = Run("a", dataclasses.replace(single.runs[0].result, workload=workload))
    facts = {row[0].text: row[1].text for row in provenance.make(dataclasses.replace(single, runs=(run,)))[0].rows}
    assert facts["trace: requests"] == "123,456"
    assert facts["trace: span"] == "14.0 d"
    assert facts["trace: writes to the hottest 1 % of pages"] == "61.0 %"
    assert facts["trace: bytes written"] == "3 MiB"
    assert facts["trace: pages touched"] == "–"
    assert facts["trace: last line has no end, perhaps cut short"] == "no"


def test_battery_and_work_tables(report: Report) -> None:
    assert len(battery.make(report)[0].rows) == 6
    assert row_of(work.make(report)[0], "page copy")[0][:2] == ("225,068", "22.4 s")


def test_cards_show_the_best_run_against_the_baseline(report: Report) -> None:
    cards = {card.title: card for card in headline.cards(report)}
    assert cards["Segments erased"].value == "4,138"
    assert cards["Segments erased"].detail == "CAT / M6: −53.1 % against Greedy / M1"
    assert cards["Published cells within tolerance"].value == "65 of 66"
    assert cards["Published cells within tolerance"].tone == "bad"


def test_a_card_counts_the_statements_and_none_the_cells_where_none_is_judged(report: Report) -> None:
    assert report.reproduction is not None
    held = Claim("it holds", "here", 0, None, "", 0, 1.0, None, 0.0, True)
    made = (held, dataclasses.replace(held, holds=False), held)
    experiment = dataclasses.replace(report.reproduction.experiments[0], rows=(), claims=made)
    reproduction = dataclasses.replace(report.reproduction, experiments=(experiment,))
    cards = {card.title: card for card in headline.cards(dataclasses.replace(report, reproduction=reproduction))}
    assert cards["Statements that hold"].value == "2 of 3"
    assert cards["Statements that hold"].detail == ""
    assert "Published cells within tolerance" not in cards


def test_statements_about_something_that_did_not_run_say_so_where_they_stand(report: Report) -> None:
    assert report.reproduction is not None
    held = Claim("it holds", "here", 0, None, "", 0, 1.0, None, 0.0, True)
    of_trace = dataclasses.replace(
        report.reproduction.experiments[0], rows=(), claims=(held,), claims_about="the trace, which is not here"
    )
    of_ours = dataclasses.replace(of_trace, claims_about="")
    for shown_here, said in (
        ((of_trace,), "about the trace, which is not here"),
        ((of_ours, of_trace), "1 of them about the trace, which is not here"),
    ):
        shown = dataclasses.replace(
            report, reproduction=dataclasses.replace(report.reproduction, experiments=shown_here)
        )
        cards = {card.title: card for card in headline.cards(shown)}
        assert cards["Statements that hold"].detail == said
        assert claims.make(shown)[-1].caption.endswith("They are about the trace, which is not here.")


def test_waiting_in_the_queue_has_a_column_where_anything_waited(tmp_path: Path) -> None:
    value = sample.result()

    def titles() -> list[str]:
        sample.write_json(tmp_path / "result.json", value)
        return [column.title for column in latency.make(load_report(tmp_path))[0].columns]

    assert "In the queue" not in titles()
    value["latency"]["read"]["wait_mean_s"] = 0.0012
    assert titles()[3:5] == ["Mean", "In the queue"]
    table = latency.make(load_report(tmp_path))[0]
    assert [row[4].text for row in table.rows] == ["0 s", "1.20 ms"]
    del value["latency"]["read"]["wait_mean_s"]
    assert "In the queue" not in titles(), "results of older versions do not say"


def test_cards_of_a_single_run_are_its_values(single: Report) -> None:
    assert [card.detail for card in headline.cards(single)] == [""] * 5


def test_a_run_that_only_reads_is_headlined_by_its_reads(tmp_path: Path) -> None:
    value = sample.result()
    value["host"] |= {"writes": 0, "pages_written": 0, "bytes_written": 0, "bytes_read": 2**20}
    value["throughput"] = {"write_bytes_per_s": 0.0, "read_bytes_per_s": 52000.0}
    value["energy"]["j_per_host_mib"] = None
    value["latency"]["write"] = sample.empty_latency()
    sample.write_json(tmp_path / "result.json", value)
    report = load_report(tmp_path)
    cards = {card.title: card.value for card in headline.cards(report)}
    assert cards["Read throughput"] == "50.8 KiB/s"
    assert "Read latency, 99th percentile" in cards
    assert "0 B/s" not in cards.values()
    heads = [row[0].text for row in comparison.make(report)[0].rows]
    assert "Write throughput" not in heads
    assert "Write amplification" not in heads


def _report(folder: Path, document: sample.Json) -> Report:
    sample.write_json(folder / "result.json", document)
    return load_report(folder)


def _power_cycles(losses: int) -> dict[str, object]:
    return {
        "planned": losses,
        "losses": losses,
        "mounts": losses - 1,
        "mount_mean_s": 0.25,
        "mount_max_s": 0.3,
        "at_s": [float(place) for place in range(losses)],
        "requests": list(range(losses)),
        "in_flight": [1] * losses,
        "mount_s": [0.001 * (place + 1) for place in range(losses)],
        "mount_j": [0.5] * losses,
        "mounted": [int(place > 0) for place in range(losses)],
        "torn_programs": [place + 1 for place in range(losses)],
        "torn_erases": [0] * losses,
        "mount_reads": [1000 + place for place in range(losses)],
        "mount_programs": [7] * losses,
        "mount_erases": [2] * losses,
    }


def test_every_mount_is_a_row(tmp_path: Path, single: Report) -> None:
    assert mounts.make(single) == []
    document = sample.result()
    document["power_cycles"] = _power_cycles(2)
    rows = mounts.make(_report(tmp_path, document))[0].rows
    assert [[cell.text for cell in row[1:]] for row in rows] == [
        ["1", "0", "1", "1", "0", "1,000", "7", "2", "1.00 ms", "500 mJ", "lost again, or failed"],
        ["2", "1", "1", "2", "0", "1,001", "7", "2", "2.00 ms", "500 mJ", "mounted"],
    ]


def test_a_mount_of_which_nothing_is_counted_has_empty_cells(tmp_path: Path) -> None:
    document = sample.result()
    counted = ("torn_programs", "torn_erases", "mount_reads", "mount_programs", "mount_erases")
    document["power_cycles"] = {key: value for key, value in _power_cycles(1).items() if key not in counted}
    (row,) = mounts.make(_report(tmp_path, document))[0].rows
    assert [cell.text for cell in row[4:9]] == [""] * 5


def test_what_a_loss_found_in_data_ram_is_lost_or_saved(tmp_path: Path) -> None:
    document = sample.result()
    document["power_cycles"] = _power_cycles(2) | {"lost_bytes": [4096, 0]}
    table = mounts.make(_report(tmp_path, document))[0]
    assert table.columns[4].title == "Writes in data RAM"
    assert [(row[4].text, row[4].tone) for row in table.rows] == [("4 KiB lost", "bad"), ("0 B lost", "")]
    held = {"saved_bytes": [4096, 0], "lost_bytes": [0, 0], "hold_up_s": [0.002, 0.0], "hold_up_j": [0.25, 0.0]}
    document["power_cycles"] = _power_cycles(2) | held
    (row, _) = mounts.make(_report(tmp_path, document))[0].rows
    assert (row[4].text, row[4].sub) == ("4 KiB saved", "held up 2.00 ms, 250 mJ")


def test_of_many_mounts_the_longest_are_shown(tmp_path: Path) -> None:
    document = sample.result()
    document["power_cycles"] = _power_cycles(mounts.MOST + 5)
    table = mounts.make(_report(tmp_path, document))[0]
    assert [row[1].text for row in table.rows] == [str(place) for place in range(6, mounts.MOST + 6)]
    assert "5 are left out" in table.caption


def test_failures_and_endurance_stand_where_something_failed(tmp_path: Path, single: Report) -> None:
    assert reliability.make(single) == []
    document = sample.result()
    document["firmware"]["segments_retired"] = 3
    document["flash"] |= {"corrected_reads": 1200, "unreadable_reads": 0}
    document["endurance"] = {"drive_writes": 12.5, "drive_writes_per_day": 0.25}
    table = reliability.make(_report(tmp_path, document))[0]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Segments taken out of use", "3"],
        ["Reads with bits put right", "1,200"],
        ["Written, in sizes of the drive", "12.5"],
        ["Drive writes a day for five years (DWPD)", "0.250"],
    ]


@pytest.mark.parametrize(("unit", "said"), [("%", "missed by 7.8 points"), ("ms", "missed by 7.8 ms")])
def test_a_share_misses_by_points(report: Report, unit: str, said: str) -> None:
    assert report.reproduction is not None
    failed = Claim("it is cut by 60 to 65", "here", 60.0, 65.0, unit, 1, 52.2, None, 7.8, False)
    experiment = dataclasses.replace(report.reproduction.experiments[0], claims=(failed,))
    shown = dataclasses.replace(
        report, reproduction=dataclasses.replace(report.reproduction, experiments=(experiment,))
    )
    assert claims.make(shown)[0].rows[0][3].sub == said


@pytest.mark.parametrize(("count", "said"), [(2, "in both runs"), (3, "in all 3 runs")])
def test_no_run_is_the_best_where_all_read_the_same(report: Report, count: int, said: str) -> None:
    first = report.runs[0].result.write_latency
    runs = tuple(
        dataclasses.replace(
            run,
            result=dataclasses.replace(
                run.result, write_latency=dataclasses.replace(first, p99_s=0.698 + index * 1e-5)
            ),
        )
        for index, run in enumerate(report.runs[:count])
    )
    cards = {card.title: card for card in headline.cards(dataclasses.replace(report, runs=runs))}
    assert cards["Write latency, 99th percentile"].detail == said


def test_the_hours_of_a_charge_are_those_that_the_battery_says(report: Report) -> None:
    (table,) = battery.make(report)
    assert report.battery is not None
    assert table.caption == report.battery.description
    assert table.columns[-1].title == "Lasts"


def test_a_simulated_core_is_a_table_with_shares_of_its_cycles(tmp_path: Path, single: Report) -> None:
    assert core.make(single) == []
    (table,) = core.make(_report(tmp_path, sample.core_result()))
    assert [(row[0].text, row[1].text, row[1].sub) for row in table.rows] == [
        ("Instructions", "1,500", ""),
        ("Interrupts", "7", ""),
        ("Cycles", "10,000", ""),
        ("Asleep", "80.0 %", "8,000"),
        ("Waiting for part and registers", "2.4 %", "240"),
        ("Awake for host requests", "19.0 %", "1,900"),
        ("Awake for cleaning", "1.0 %", "100"),
        ("Awake cycles a request", "200", ""),
        ("Lines of flash read", "40", ""),
        ("Energy, active", "2.00 mJ", ""),
        ("Energy, asleep", "1.00 mJ", ""),
    ]
