"""SWEEP.toml: what it means, and the one line that refuses it."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from ftlab.errors import InputError
from ftlab.key_units import KeyUnits
from ftlab.program import listing
from ftlab.sweeps.spec import DEFAULT_FIGURES, Sweep, read_sweep
from program import needs_program

pytestmark = needs_program


def _read(folder: Path, text: str) -> Sweep:
    path = folder / "sweep.toml"
    path.write_text(text)
    return read_sweep(path)


def test_keys_in_place_axes_seeds_and_figures(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        'seeds = 2\nfigures = ["flash.erases"]\n[study]\nseed = 7\npart = "series2plus-4mb"\nftl.selection = "greedy"\n'
        '[axes]\n"ftl.utilization" = [0.5, 0.7]\nworkload.total_mib = {from = 1, to = 2, steps = 2}\n',
    )
    assert sweep.base == {"part": "series2plus-4mb", "ftl.selection": "greedy"}
    assert sweep.axes() == ["ftl.utilization", "workload.total_mib"]
    assert len(sweep.points()) == 4
    assert (sweep.seeds, sweep.first_seed, sweep.figures) == (2, 7, ["flash.erases"])


def test_study_is_found_beside_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "cat.toml").write_text('part = "series2plus-4mb"\n')
    sweep = _read(tmp_path, 'study = "cat.toml"\n[axes]\n"ftl.utilization" = [0.5]\n')
    assert sweep.study == (tmp_path / "cat.toml").resolve()
    assert sweep.figures == list(DEFAULT_FIGURES)


def test_seed_and_files_are_those_beside_the_study_and_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "cat.toml").write_text("seed = 42\n")
    assert _read(tmp_path, 'study = "cat.toml"\n[axes]\n"ftl.utilization" = [0.5]\n').first_seed == 42
    (tmp_path / "mine.toml").write_text("")
    sweep = _read(tmp_path, '[axes]\npart = ["mine.toml", "series2plus-4mb"]\n')
    assert [point["part"] for point in sweep.points()] == [str(tmp_path / "mine.toml"), "series2plus-4mb"]


def test_files_lie_beside_the_link_of_a_study_not_beside_its_target(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "study.toml").write_text("")
    (tmp_path / "link.toml").symlink_to("sub/study.toml")
    assert _read(tmp_path, 'study = "link.toml"\n[axes]\n"ftl.utilization" = [0.5]\n').study == tmp_path / "link.toml"


def test_what_says_nothing_large_seeds_and_a_byte_order_mark_are_taken(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path, '\ufeff[study]\nseed = 4294967296\npart_overrides = {}\n[axes]\n"ftl.utilization" = [0.5]\n'
    )
    assert sweep.first_seed == 2**32
    assert sweep.base == {}


def test_linked_keys_may_repeat_a_value(tmp_path: Path) -> None:
    sweep = _read(tmp_path, '[[linked]]\n"ftl.low_water" = [1, 1, 3]\n"ftl.high_water" = [3, 5, 5]\n')
    assert len(sweep.points()) == 3


def test_numbers_of_a_table_are_figures(tmp_path: Path) -> None:
    sweep = _read(tmp_path, 'figures = ["time.by_cause_s.clean"]\n[axes]\n"ftl.utilization" = [0.5]\n')
    assert sweep.figures == ["time.by_cause_s.clean"]


def test_samples_stand_beside_every_point_of_the_axes(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        '[axes]\n"ftl.selection" = ["cat", "greedy"]\n[latin_hypercube]\nsamples = 5\n'
        '"ftl.utilization" = {from = 0.5, to = 0.9}\n',
    )
    assert len(sweep.points()) == 10
    assert sweep.points()[0]["ftl.utilization"] == sweep.points()[5]["ftl.utilization"]


def test_values_with_units_are_numbers_of_the_keys_own(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        '[study]\nworkload.total = "1GiB"\n[axes]\n"workload.request_bytes" = ["4KiB", 8192]\n'
        '"ftl.spare_factor" = {from = "10 %", to = "30 %", steps = 3}\n'
        '[[linked]]\n"platform.sample" = ["100 ms", "1 min"]\n"ftl.low_water" = ["3 segments", 4]\n'
        '[latin_hypercube]\nsamples = 2\n"workload.traced" = {from = "1MiB", to = "1GiB"}\n',
    )
    rows = [point for group in sweep.space.groups for point in group]
    assert rows == [
        {"workload.request_bytes": 4096}, {"workload.request_bytes": 8192},
        {"ftl.spare_factor": 0.1}, {"ftl.spare_factor": 0.2}, {"ftl.spare_factor": 0.3},
        {"platform.sample_s": 0.1, "ftl.low_water": 3}, {"platform.sample_s": 60, "ftl.low_water": 4},
    ]  # fmt: skip
    assert sweep.base == {"workload.total_mib": "1GiB"}
    assert (sweep.ranges["workload.traced_mib"].first, sweep.ranges["workload.traced_mib"].last) == (1, 1024)


def test_keys_answer_to_the_names_that_they_had(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        '[study]\nftl.firmware = "page"\nftl.free_segments = 4\n[axes]\n"ftl.choices" = [2, "3 segments"]\n'
        '[latin_hypercube]\nsamples = 2\n"pagemap.low_water" = {from = 2, to = 4}\n',
    )
    assert sweep.base == {"ftl.firmware": "page", "ftl.low_water": 4}
    assert sweep.space.points() == [{"ftl.candidates": 2}, {"ftl.candidates": 3}]
    assert list(sweep.ranges) == ["ftl.low_water"]
    at = tmp_path / "sweep.toml"
    assert sweep.notes == (
        f"{at}:3: study.ftl.free_segments: is called ftl.low_water now",
        f"{at}:5: axes.ftl.choices: is called ftl.candidates now",
        f"{at}:8: latin_hypercube.pagemap.low_water: is called ftl.low_water now",
    )
    with pytest.raises(InputError, match=r"axes: ftl\.candidates is there twice"):
        _read(tmp_path, '[axes]\n"ftl.choices" = [2]\n"ftl.draws" = [3]\n')


def test_a_firmware_answers_to_the_name_that_it_had(tmp_path: Path) -> None:
    sweep = _read(tmp_path, '[axes]\n"ftl.firmware" = ["pagemap", "fms"]\n')
    assert sweep.space.points() == [{"ftl.firmware": "pagemap"}, {"ftl.firmware": "fms"}]
    with pytest.raises(InputError, match=r"ftl\.firmware: 'pagemaps' is not one of fms"):
        _read(tmp_path, '[axes]\n"ftl.firmware" = ["pagemaps"]\n')


def test_every_key_with_a_unit_takes_each_of_its_spellings() -> None:
    units = KeyUnits(listing("keys"))
    spellings = 0
    for row in listing("keys"):
        for spelling, _, factor in (pair.rpartition(" ") for pair in row["units"].split(", ") if pair):
            one = Fraction(factor)
            value = units.plain(row["key"], f"{float(6 / one)} {spelling}")
            assert value == pytest.approx(6, rel=1e-12), (row["key"], spelling)
            spellings += 1
    assert spellings > 200


def test_what_the_program_says_of_a_setting_is_said_of_the_axis(tmp_path: Path) -> None:
    sweep = _read(
        tmp_path,
        '[study]\nworkload.total_mib = 1\n[axes]\n"ftl.utilization" = [1.5]\n"part_overrides.timing.erase" = [1]\n',
    )
    at = tmp_path / "sweep.toml"
    assert sweep.about_axis("--set: ftl.utilization: 1.5 is out") == f"{at}:4: axes.ftl.utilization: 1.5 is out"
    assert sweep.about_axis("--set: workload.total_mib: x") == f"{at}:2: study.workload.total_mib: x"
    assert sweep.about_axis("--set: part_overrides: timing.erase: x") == f"{at}:5: axes.part_overrides.timing.erase: x"
    assert sweep.about_axis("ended by signal 9") == "ended by signal 9"


def test_study_in_place_of_a_sweep_is_refused_with_its_command(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"sweep\.toml: is a study, and no sweep; run it with `ftlab run .*sweep\.toml`"
    ):
        _read(tmp_path, 'part = "series2plus-4mb"\nseed = 3\n[ftl]\nselection = "cat"\n')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("axs = 3\n", ":1: axs: is no key of a sweep; did you mean 'axes'"),
        ('[axes]\n"ftl.utilisation" = [0.5]\n', ":2: axes.ftl.utilisation: is no key of a study; did you mean 'ftl.utilization'"),
        ('[axes]\n"ftl.utilization" = 0.5\n', ":2: axes.ftl.utilization: must be a list, or a range"),
        ('[axes]\nseed = [1, 2]\n', ":2: axes.seed: is what `seeds` counts up"),
        ('study = "gone.toml"\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: study: .*gone.toml: no such file"),
        ('[study]\nparts = "x"\n[axes]\n"ftl.utilization" = [0.5]\n', ":2: study.parts: is no key of a study; did you mean 'part'"),
        ('figures = ["latency.write.histogram.counts"]\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: figures: no figure latency.write.histogram.counts; did you mean 'latency.write.count'"),
        ('figures = ["flash.erase"]\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: figures: no figure flash.erase; did you mean 'flash.erases'"),
        ('seeds = 0\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: seeds: must be a whole number from 1 to"),
        ('[axes]\n"workload.total" = [1, 2]\n', ":1: axes: workload.total: wants numbers with unit, in quotes; plain ones are workload.total_mib"),
        ('[axes]\n"workload.total" = ["1MiB"]\n"workload.total_mib" = [1]\n', ":1: axes: workload.total_mib is there twice"),
        ('[axes]\n"ftl.utilization" = {from = "1 ms", to = 0.9, steps = 2}\n', ":2: axes.ftl.utilization: from must be a number"),
        ('[axes]\n"ftl.utilization" = [0.5, "x"]\n', ":2: axes.ftl.utilization: must be a number, not 'x'"),
        ('[axes]\n"ftl.low_water" = [3, 3.5]\n', ":2: axes.ftl.low_water: must be a whole number, not 3.5"),
        ('[axes]\n"workload.total_mib" = ["1 s"]\n', ":2: axes.workload.total_mib: must be a number, not '1 s'; its unit is MiB"),
        ('[axes]\n"workload.fill" = [1]\n', ":2: axes.workload.fill: must be true or false, not 1"),
        ('[[linked]]\n"ftl.selection" = ["cat", "cats"]\n', ":2: linked.ftl.selection: 'cats' is not one of greedy |.*; did you mean 'cat'"),
        ("seeds = 2\n", ": varies nothing; add .axes."),
        ('[axes]\n"ftl.utilization" = [0.5]\n[[linked]]\n"ftl.utilization" = [0.5]\n', ":4: linked.ftl.utilization: is varied twice"),
        ('[[linked]]\n"ftl.low_water" = [1]\n"ftl.high_water" = [1, 2]\n', ":1: linked: linked axes must be equally long"),
        ('[latin_hypercube]\n"ftl.utilization" = {from = 0.5, to = 0.9}\n', ":1: latin_hypercube: lacks samples"),
        ("[axes\n", "sweep.toml:1: is no TOML here"),
        ('[study]\npart = 2024-01-01\n[axes]\n"ftl.utilization" = [0.5]\n', ":2: study.part: .* is no text, number"),
        ('[axes]\nftl.utilization = [0.5]\n"ftl.utilization" = [0.7]\n', ":1: axes: ftl.utilization is there twice"),
        ('[axes]\n"ftl.utilization" = [0.5, 0.5]\n', ":2: axes.ftl.utilization: holds a value twice"),
        ('[axes]\n"ftl.utilization" = {}\n', ":2: axes.ftl.utilization: must be a list"),
        ("[[linked]]\n", ":1: linked: must be tables of keys"),
        ('[[linked]]\n"ftl.low_water" = [3, 4]\n[[linked]]\n"ftl.utilization" = [0.5]\n"ftl.high_water" = [3, 4]\n', ":3: linked: linked axes must be equally long"),
        ('[[linked]]\n"ftl.low_water" = [3, 3]\n', ":1: linked: linked axes have a row twice"),
        ('# a \u2028 b\n[axes]\n"ftl.nope" = [3]\n', ":3: axes.ftl.nope: is no key"),
        ('[axes]\n"part_overrides.a=b" = [1]\n', ":2: axes.part_overrides.a=b: is no key"),
        ('[axes]\n"ftl.utilization" = {from = 0.5, to = 0.5, steps = 2}\n', ":2: axes.ftl.utilization: from and to are the same"),
        (f'[latin_hypercube]\nsamples = 2\n"ftl.low_water" = {{from = 1, to = 1{"0" * 400}}}\n', ":3: latin_hypercube.ftl.low_water: is beyond 64 bits"),
        (f'[axes]\n"ftl.selection" = [{"[" * 60}{"]" * 60}]\n', ":2: axes.ftl.selection: is nested too deeply"),
        ('[axes]\n"ftl.utilization" = {from = 0.1, to = 0.9, steps = 1000000000}\n', "steps must be a whole number from 2 to"),
        ('[study]\n"ftl.utilization" = 0.6\n[axes]\n"ftl.utilization" = 0.5\n', ":4: axes.ftl.utilization: must be a list"),
        ('[study.workload]\ntotl_mib = 1\n[axes]\n"ftl.utilization" = [0.5]\n', ":2: study.workload.totl_mib: is no key"),
        ('[axes]\n"ftl.selection" = ["\\u001b[2J"]\n', ":2: axes.ftl.selection: '.*' holds control characters"),
        ('[axes]\n"\\u001b[2J" = [1]\n', "axes. .2J: is no key of a study"),
        ('figures = ["host.ended_early"]\n[axes]\n"ftl.utilization" = [0.5]\n', ":1: figures: host.ended_early is no number"),
    ],
)  # fmt: skip
def test_mistake_is_named_with_line_and_fix(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(InputError, match=line) as refused:
        _read(tmp_path, text).points()
    assert "\n" not in str(refused.value)


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(InputError, match=r"pipe\.toml: is a pipe or a device, and no file; `ftlab sweep --help` shows"):
        read_sweep(tmp_path / "pipe.toml")
    with pytest.raises(InputError, match="is a folder, and no file; `ftlab sweep --help` shows one"):
        read_sweep(tmp_path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read \(No such file"):
        read_sweep(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            '"workload.request_bytes" = [4KiB, 8KiB]',
            'axes.workload.request_bytes: 4KiB is text; put it in quotes: "4KiB"',
        ),
        ("ftl.selection = greedy  # first", 'axes.ftl.selection: greedy is text; put it in quotes: "greedy"'),
        ("ftl.utilization = 15 %", 'axes.ftl.utilization: 15 % is text; put it in quotes: "15 %"'),
    ],
)
def test_a_value_without_its_quotes_is_named(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        _read(tmp_path, f"seeds = 2\n[axes]  # varied\n{line}\n")
    assert str(refused.value) == f"{tmp_path}/sweep.toml:3: {said}"


@pytest.mark.parametrize("line", ["a b = 1", "a = [1, 2", "a = 1 2", 'a = "x', "a = [true, , 1]", "a"])
def test_other_broken_lines_get_no_word_on_quotes(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match="is no TOML here") as refused:
        _read(tmp_path, f"[axes]\n{line}\n")
    assert "quotes" not in str(refused.value)


def test_a_json_file_of_ours_is_named_with_what_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text('{\n "schema": "ftlab-result"\n}\n')
    with pytest.raises(InputError) as refused:
        read_sweep(path)
    assert str(refused.value) == (
        f"{path}: is the result of a run: `ftlab run {path}` repeats it, and `ftlab report {tmp_path}` draws it"
    )
    path.write_text('{"schema": "another"}')
    with pytest.raises(InputError, match="is no TOML here"):
        read_sweep(path)
