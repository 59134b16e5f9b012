"""Numbers for people."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ftlab.report import units

SAMPLES = Path(__file__).parents[3] / "tests" / "fixtures" / "quantity_samples.json"


def test_quantities_read_as_on_the_console() -> None:
    texts: dict[str, Callable[[float], str]] = {
        "time": units.seconds,
        "energy": units.joules,
        "size": units.bytes_text,
        "rate": units.rate,
        "count": units.count,
        "share": units.percent,
    }
    samples = json.loads(SAMPLES.read_text(encoding="utf-8"))
    assert len(samples) > 50
    for sample in samples:
        assert texts[sample["kind"]](float(sample["value"])) == sample["text"], sample


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.00"),
        (12.345, "12.3"),
        (999.9, "1,000"),
        (46332.0, "46,332"),
        (0.0123, "0.0123"),
        (-5.5, "−5.50"),
        (0.5, "0.500"),
        (1.5e-7, "1.50e−07"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert units.significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 s"),
        (150e-9, "150 ns"),
        (2.5e-6, "2.50 µs"),
        (0.0085, "8.50 ms"),
        (90.0, "90.0 s"),
        (600.0, "10.0 min"),
        (46332.0, "12.9 h"),
        (20 * 86400.0, "20.0 d"),
    ],
)
def test_times_take_the_unit_that_fits(value: float, text: str) -> None:
    assert units.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0 B"), (4096.0, "4 KiB"), (131072.0, "128 KiB"), (1500.0, "1.46 KiB"), (24 * 2.0**20, "24 MiB")],
)
def test_whole_numbers_of_bytes_have_no_decimals(value: float, text: str) -> None:
    assert units.bytes_text(value) == text


def test_axis_of_times_uses_the_unit_of_the_largest() -> None:
    assert units.long_time_scale(9000.0).unit == "h"
    assert units.long_time_scale(90.0).unit == "s"
    assert units.long_time_scale(0.02).unit == "ms"


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (12345.0, "12,345"), (2.5, "2.50"), (104.4, "104.4"), (12345.67, "12,345.7")]
)
def test_a_mean_of_counts_keeps_its_fraction(value: float, text: str) -> None:
    assert units.mean_count(value) == text


def test_small_changes_are_percentages_and_large_ones_factors() -> None:
    assert units.change(50, 100) == "−50.0 %"
    assert units.change(112, 100) == "+12.0 %"
    assert units.change(450, 100) == "× 4.5"
    assert units.change(5, 0) == ""


def test_energy_and_rates() -> None:
    assert units.joules(0.18) == "180 mJ"
    assert units.joules(2410) == "2.41 kJ"
    assert units.rate(22680) == "22.1 KiB/s"
