"""Paper against ours: the table of an experiment; parameters; what does not reproduce."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Block, Cell, Column, Prose, Table
from ftlab.report.contents import Report
from ftlab.report.model.reproduce import Cell as PaperCell
from ftlab.report.model.reproduce import Experiment, Parameter, Quantity

UNITS = {"us": "µs"}
TONES = {"pass": "good", "fail": "bad", "reported": "muted"}
NO_BREAK = "\N{NO-BREAK SPACE}"
MAX_COLUMNS = 11  # more do not fit beside each other on a page
UNBEATEN = "\N{BLACK DIAMOND}"
WORDS = {"pass": "within tolerance", "fail": "outside tolerance", "reported": "reported, not judged"}


def _amount(value: float, kind: str, quantity: Quantity, signed: bool) -> str:
    if kind == "relative":
        text = units.fixed(value * 100, 2 if abs(value) < 0.1 else 1) + " %"
    else:
        unit = " points" if quantity.unit == "%" else ""
        text = units.fixed(value, quantity.decimals) + unit
    return f"+{text}" if signed and value > 0 else text


def _together(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Paper, ours and deviation as one cell: ours, and below it what it stands against."""
    if len(cells) == 1:
        return cells
    paper, ours, deviation = cells
    parts = (ours.sub, "" if paper.tone == "muted" else f"paper {paper.text}", deviation.text)
    # Lines break between the parts, not within them.
    sub = ", ".join(part.replace(" ", NO_BREAK) for part in parts if part)
    return (Cell(ours.text, sub=sub, tone=deviation.tone if ours.tone != "muted" else ours.tone, hint=deviation.hint),)


def _compared(experiment: Experiment, quantity: Quantity) -> bool:
    """Some row has a published value."""
    cells = (row.cells.get(quantity.name) for row in experiment.rows)
    return any(cell is not None and cell.paper is not None for cell in cells)


def _cells(cell: PaperCell | None, quantity: Quantity, compared: bool) -> tuple[Cell, ...]:
    """Paper, ours, deviation; ours alone where nothing is published."""
    if cell is None:
        return (Cell("–", tone="muted"),) * (3 if compared else 1)
    paper = Cell("–", tone="muted") if cell.paper is None else Cell(units.fixed(cell.paper, quantity.decimals))
    error = cell.standard_error
    error_text = f"{units.PLUS_MINUS}{units.fixed(error, max(quantity.decimals, 1))}" if error else ""
    ours = Cell(units.fixed(cell.ours, quantity.decimals), sub=error_text)
    if not compared:
        return (ours,)
    sign = names.VERDICT_SIGNS[cell.verdict]
    hint = WORDS[cell.verdict]
    allowed = ""
    if cell.allowed is not None:
        allowed = f"{units.PLUS_MINUS}{_amount(cell.allowed, cell.deviation_kind, quantity, signed=False)}"
        hint += f"; allowed {allowed}"
    if cell.note:
        hint += f"; {cell.note}"
    text = sign if cell.deviation is None else f"{_amount(cell.deviation, cell.deviation_kind, quantity, True)} {sign}"
    return paper, ours, Cell(text, sub=allowed, tone=TONES[cell.verdict], hint=hint)


def verdict_text(experiment: Experiment) -> str:
    counts = experiment.verdict_counts()
    judged = counts["pass"] + counts["fail"]
    parts = [f"{counts['pass']} of {judged} judged cells within tolerance"] if judged else []
    if counts["reported"]:
        parts.append(f"{counts['reported']} reported")
    return ", ".join(parts)


def _remarks(experiment: Experiment) -> tuple[str, ...]:
    """Notes of cells, each said once."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in experiment.rows:
        for quantity in experiment.quantities:
            cell = row.cells.get(quantity.name)
            if cell is not None and cell.note:
                places.setdefault((quantity.title, cell.note), []).append(experiment.row_label(row))
    return tuple(
        f"{title}, {rows[0] if len(rows) == 1 else f'{len(rows)} rows'}: {note}"
        for (title, note), rows in places.items()
    )


def _rows(
    experiment: Experiment, keys: tuple[tuple[str, str], ...], grouped: bool, together: bool
) -> tuple[tuple[Cell, ...], ...]:
    """One line for each row; where rows are grouped, a line with the first key alone before each group."""
    rows: list[tuple[Cell, ...]] = []
    group = None
    for row in experiment.rows:
        if grouped and row.keys[experiment.keys[0][0]] != group:
            group = row.keys[experiment.keys[0][0]]
            rows.append((Cell(group),))
        unbeaten = experiment.trade_off is not None and experiment.trade_off.unbeaten(row)
        cells: list[Cell] = [
            Cell(f"{row.keys[name]} {UNBEATEN}", tone="strong") if unbeaten else Cell(row.keys[name])
            for name, _ in keys
        ]
        for quantity in experiment.quantities:
            apart = _cells(row.cells.get(quantity.name), quantity, _compared(experiment, quantity))
            cells.extend(_together(apart) if together else apart)
        rows.append(tuple(cells))
    return tuple(rows)


def _title(quantity: Quantity) -> str:
    return f"{quantity.title}, {quantity.unit}" if quantity.unit else quantity.title


def _weighed(experiment: Experiment) -> str:
    """What the mark means."""
    if experiment.trade_off is None:
        return ""
    titles = [quantity.title for quantity, _ in experiment.trade_off.figures]
    return f" {UNBEATEN}: no other here is as good in {', '.join(titles[:-1])} and {titles[-1]} and better in one."


def table_of(experiment: Experiment, label: str, nth: int) -> Table:
    """`label`: of the rows, where they are not all; they are the `nth` then, and the first say what holds for all."""
    grouped = len(experiment.keys) > 2
    keys = experiment.keys[1:] if grouped else experiment.keys
    spans = [3 if _compared(experiment, quantity) else 1 for quantity in experiment.quantities]
    together = len(keys) + sum(spans) > MAX_COLUMNS
    titles = [_title(quantity) for quantity in experiment.quantities]
    columns = [Column(title) for _, title in keys]
    groups: tuple[tuple[str, int], ...] = ()
    if together:
        columns += [Column(title, right=True) for title in titles]
    else:
        groups = (("", len(keys)), *zip(titles, spans, strict=True))
        for span in spans:
            parts = ("paper", "ours", "deviation") if span == 3 else ("ours",)
            columns += [Column(part, right=True) for part in parts]
    seeds = len(experiment.seeds)
    about = f" {experiment.about}" if experiment.about else ""
    runs = f" Mean of {seeds} runs, {units.PLUS_MINUS} standard error." if seeds > 1 else ""
    said = f"{experiment.paper_source}.{about}{runs} {verdict_text(experiment)}.{_weighed(experiment)}"
    return Table(
        name=f"table-{experiment.name}-{nth}" if nth > 1 else f"table-{experiment.name}",
        title=": ".join(filter(None, [experiment.title, label])) + f" {names.VERDICT_SIGNS[experiment.verdict]}",
        columns=tuple(columns),
        rows=_rows(experiment, keys, grouped, together),
        caption=said if nth == 1 else "",
        groups=groups,
        row_heads=len(keys),
        notes=(experiment.notes if nth == 1 else ()) + _remarks(experiment),
        group=experiment.name,
    )


def _kind(parameter: Parameter) -> Cell:
    if parameter.fitted:
        return Cell("fitted", tone="strong", hint="chosen so that cells agree with the paper")
    if parameter.free:
        return Cell("unpublished", tone="strong", hint="not published; varied by 20 %")
    if parameter.note == "estimate":
        return Cell("estimate", hint="judged, not measured or published")
    return Cell("given", tone="muted", hint="taken from the source named")


def parameters(report: Report) -> list[Table]:
    if report.reproduction is None or not report.reproduction.parameters:
        return []
    rows = tuple(
        (
            Cell(parameter.group or "–", tone="" if parameter.group else "muted"),
            Cell(parameter.title or parameter.name, sub=parameter.name if parameter.title else "", hint=parameter.note),
            Cell(f"{parameter.value} {UNITS.get(parameter.unit, parameter.unit)}".strip()),
            _kind(parameter),
            Cell(parameter.source, sub="" if parameter.note == "estimate" else parameter.note),
        )
        for parameter in report.reproduction.parameters
    )
    fitted = sum(parameter.fitted for parameter in report.reproduction.parameters)
    return [
        Table(
            name="parameters",
            title="Parameters",
            columns=(
                Column("Belongs to"),
                Column("Parameter"),
                Column("Value", right=True),
                Column("Kind"),
                Column("Source"),
            ),
            rows=rows,
            caption=f"{fitted} of {len(rows)} were fitted. Every cost multiplies a counted event; "
            "none depends on policy or workload.",
            row_heads=2,
        )
    ]


def not_reproduced(report: Report) -> list[Block]:
    if report.reproduction is None or not report.reproduction.not_reproduced:
        return []
    return [
        Prose(
            name="not-reproduced",
            title="What does not reproduce",
            items=report.reproduction.not_reproduced,
        )
    ]
