"""An experiment small enough to run, and to be misspelt."""

from __future__ import annotations

from pathlib import Path

SMALL = """title = "Small"
source = "nowhere"
keys = ["policy", "load"]
[study]
part = "series2plus-4mb"
workload.total_mib = 0.5
[axes.policy]
title = "Policy"
values = [
  { name = "greedy", title = "Greedy", set = { ftl.selection = "greedy" } },
  { name = "cat", title = "CAT", set = { ftl.selection = "cat" } },
]
[axes.load]
values = [{ name = "0.5", set = { ftl.utilization = 0.5 } }, { name = "0.8", set = { ftl.utilization = 0.8 } }]
[derived]
erases = "flash.erases"
[quantities.erasures]
decimals = 1
value = "erases"
[quantities.against]
value = [{ where = { policy = "cat" }, is = "erases - at(erases, policy='greedy')" }]
[published.greedy]
"0.5".erasures = 3
[[tolerances]]
reason = "made up"
erasures = { absolute = 100 }
[[claims]]
text = "the card is erased"
value = "most(erases, over='load')"
range = [0, inf]
[[plots]]
name = "small"
title = "Small"
x = { title = "load" }
y = { title = "erasures" }
series = [{ where = { load = "0.5" }, points = "along(erases, over='load')" }]
[vary]
[[vary.values]]
name = "ftl.low_water"
used = "3"
variants = [{ text = "8", set = { ftl = { low_water = 8, high_water = 8 } } }]
"""


def write(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path
