"""The results as tables on the terminal."""

from rich.text import Text

from benchmarks.comparison import CostScaling, Figure, Row
from hitscope.cli.tables import new_table, print_table
from hitscope.terminal import one_line, print_line


def print_result(result: Figure | CostScaling) -> None:
    """Print a figure or a scaling as a table."""
    if isinstance(result, Figure):
        _print_figure(result)
    else:
        _print_scaling(result)


def _print_figure(figure: Figure) -> None:
    cores = f", {figure.cores} core{'s' * (figure.cores > 1)}" if figure.cores else ""
    print_line(f"{figure.title}{cores}")
    table = new_table("")
    for heading in (figure.unit, "ratio", "runs"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for row in figure.rows:
        table.add_row(
            Text(row.contender, style="bold" if row.judged else ""),
            "" if row.value is None else f"{row.value:.3g}" if row.value < 1000 else f"{row.value:,.0f}",
            _ratio(figure, row),
            str(len(row.values) or ""),
            Text(one_line(row.note), style="yellow"),
        )
    print_table(table)
    if figure.goal:
        outcome = {
            True: "met",
            False: "NOT met",
            None: "nothing to compare with" if figure.agree else "the contenders disagree",
        }
        print(f"goal: {figure.goal}: {outcome[figure.holds]}\n")


def _ratio(figure: Figure, row: Row) -> Text:
    ratio = figure.ratio(row)
    if ratio is None:
        return Text("")
    style = ""
    if figure.limit is not None and row.judged:
        style = "green" if ratio <= figure.limit else "red" if row is figure.best else ""
    return Text(f"{ratio:.2f}", style=style)


def _print_scaling(scaling: CostScaling) -> None:
    print(scaling.title)
    table = new_table(scaling.unit)
    counts = sorted({count for values in scaling.series.values() for count in values})
    for heading in (*(f"{count:,}" for count in counts), "times a decade"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for name in dict.fromkeys((*scaling.series, *scaling.notes)):
        values = scaling.series.get(name, {})
        growth = scaling.growth(name) if values else None
        table.add_row(
            Text(name, style="bold" if name in scaling.judged else ""),
            *(f"{values[count]:,.0f}" if count in values else "" for count in counts),
            f"{growth:.2f}" if growth else "",
            Text(one_line(scaling.notes.get(name, "")), style="yellow"),
        )
    print_table(table)
