"""What an experiment file says of figures that are weighed against each other."""

from __future__ import annotations

from typing import Any

from ftlab.nearest import listed, meant
from ftlab.reproduce.axis_fields import AxisFields
from ftlab.reproduce.spec import Axis, Quantity, TradeOff

_WANTED = ("less", "more")


class TradeOffFields(AxisFields):
    def _trade_off(
        self, tree: dict[str, Any], axes: tuple[Axis, ...], quantities: tuple[Quantity, ...]
    ) -> TradeOff | None:
        table = self._table(tree, "trade_off")
        if not table:
            return None
        self._only("trade_off", table, ("over", "beaten", "figures"))
        names = [quantity.name for quantity in quantities]
        figures = self._table(table, "figures")
        if len(figures) < 2:
            problem = "must be two quantities or more, each less or more, such as { erasures = 'less' }"
            raise self._at.refuse("trade_off.figures", problem)
        for name in figures:
            self._known(f"trade_off.figures.{name}", name, names)
        return TradeOff(
            over=self._known("trade_off.over", self._text(table, "over", None, "trade_off"), _columns(axes)),
            beaten=self._known("trade_off.beaten", self._text(table, "beaten", None, "trade_off"), names),
            figures=tuple(
                (name, self._choice(figures, name, _WANTED, "", "trade_off.figures") == "more") for name in figures
            ),
        )

    def _known(self, key: str, name: str, names: list[str]) -> str:
        if name not in names:
            raise self._at.refuse(key, f"there is no {name}{meant(name, names, listed(names))}")
        return name


def _columns(axes: tuple[Axis, ...]) -> list[str]:
    return [axis.name for axis in axes if axis.column]
