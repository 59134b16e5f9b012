"""Numbers for people: three significant digits, a unit that fits, thousands set apart."""

from __future__ import annotations

from dataclasses import dataclass

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


@dataclass(frozen=True)
class Scale:
    """Divide by `divisor` to get `unit`."""

    divisor: float
    unit: str


_TIME = (Scale(1e-9, "ns"), Scale(1e-6, "µs"), Scale(1e-3, "ms"), Scale(1.0, "s"))


@dataclass(frozen=True)
class LongScale(Scale):
    """Used from `least` units on: 90 s read better than 1.5 min."""

    least: float = 1.0


_LONG_TIME = (LongScale(60.0, "min", 2.0), LongScale(3600.0, "h"), LongScale(86400.0, "d", 3.0))
_ENERGY = (Scale(1e-9, "nJ"), Scale(1e-6, "µJ"), Scale(1e-3, "mJ"), Scale(1.0, "J"), Scale(1e3, "kJ"), Scale(1e6, "MJ"))
_BYTES = (
    Scale(1.0, "B"),
    Scale(1024.0, "KiB"),
    Scale(1024.0**2, "MiB"),
    Scale(1024.0**3, "GiB"),
    Scale(1024.0**4, "TiB"),
)


def significant(value: float, digits: int = 3) -> str:
    """`value` with about `digits` significant digits, never in exponent form between 1e-4 and 1e15."""
    if value == 0:
        return "0"
    magnitude = abs(value)
    if magnitude < 1e-4 or magnitude >= 1e15:
        return f"{value:.{digits - 1}e}".replace("-", MINUS)
    whole = len(str(int(magnitude))) if magnitude >= 1 else 0
    leading_zeros = 0
    if whole == 0:
        while magnitude * 10 ** (leading_zeros + 1) < 1:
            leading_zeros += 1
    decimals = max(0, digits - whole + leading_zeros)
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def fixed(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def count(value: float) -> str:
    return f"{value:,.0f}"


def counted(things: int, one: str, several: str = "") -> str:
    """1 point, 15 points; `several`: where that is more than an s behind `one`."""
    return f"{things} {one if things == 1 else several or one + 's'}"


def mean_count(value: float) -> str:
    """A count, or a mean of counts with its fraction, which a change in per cent beside it is computed from."""
    return count(value) if float(value).is_integer() else fixed(value, 2 if abs(value) < 10 else 1)


def _pick(value: float, scales: tuple[Scale, ...]) -> Scale:
    fitting = [scale for scale in scales if abs(value) >= scale.divisor]
    return fitting[-1] if fitting else scales[0]


def _with_unit(value: float, scales: tuple[Scale, ...], base_unit: str) -> str:
    if value == 0:
        return f"0 {base_unit}"
    scale = _pick(value, scales)
    return f"{significant(value / scale.divisor)} {scale.unit}"


def seconds(value: float) -> str:
    """From nanoseconds to days."""
    for scale in reversed(_LONG_TIME):
        if abs(value) >= scale.divisor * scale.least:
            return f"{significant(value / scale.divisor)} {scale.unit}"
    return _with_unit(value, _TIME, "s")


def long_time_scale(largest_s: float) -> Scale:
    """The unit of an axis of elapsed times."""
    fitting = [scale for scale in _LONG_TIME if largest_s >= scale.divisor * scale.least]
    return Scale(fitting[-1].divisor, fitting[-1].unit) if fitting else _pick(largest_s, _TIME)


def joules(value: float) -> str:
    return _with_unit(value, _ENERGY, "J")


def energy_scale(largest_j: float) -> Scale:
    return _pick(largest_j, _ENERGY)


def axis_scale(largest: float, unit: str) -> Scale:
    """The multiple of `unit` that an axis up to `largest` is read in."""
    if unit in ("B", "B/s"):
        scale = _pick(largest, _BYTES)
        return Scale(scale.divisor, scale.unit + unit[1:])
    if unit == "s":
        return long_time_scale(largest) if largest > 0 else Scale(1.0, unit)
    if unit == "J":
        return energy_scale(largest) if largest > 0 else Scale(1.0, unit)
    return Scale(1.0, unit)


def bytes_text(value: float) -> str:
    """Whole numbers of a unit are written without decimals: 4 KiB."""
    scale = _pick(value, _BYTES)
    whole = value / scale.divisor
    return f"{whole:,.0f} {scale.unit}" if whole.is_integer() else f"{significant(whole)} {scale.unit}"


def rate(value: float) -> str:
    return f"{bytes_text(value)}/s"


def volts(value: float) -> str:
    return f"{value:.3g} V"


def percent(share: float, decimals: int = 1) -> str:
    return f"{fixed(share * 100, decimals)} %"


def signed_percent(share: float, decimals: int = 1) -> str:
    text = fixed(share * 100, decimals)
    return f"{'+' if share > 0 else ''}{text} %"


def change(value: float, base: float) -> str:
    """How `value` stands to `base`: a percentage, or a factor when it more than triples."""
    if base == 0:
        return ""
    ratio = value / base
    return f"{TIMES} {significant(ratio, 2)}" if ratio >= 3 else signed_percent(ratio - 1)
