"""The scalings as one picture: time against the number of primitives, both logarithmic."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from benchmarks.comparison import CostScaling, Figure
from hitscope.outputs import output_format, write_output


def plotter(path: Path) -> Callable[[Sequence[Figure | CostScaling]], None]:
    """Return a function that draws one diagram a scaling into a picture file.

    Raises HitscopeError now, not after minutes of measuring, if the picture cannot be written.
    """
    from matplotlib import figure

    form = output_format(path, [f".{form}" for form in figure.Figure().canvas.get_supported_filetypes()])

    def draw(results: Sequence[Figure | CostScaling]) -> None:
        scalings = [result for result in results if isinstance(result, CostScaling)]
        picture = figure.Figure(figsize=(6 * len(scalings), 5), layout="constrained")
        for axes, scaling in zip(picture.subplots(1, len(scalings), squeeze=False)[0], scalings, strict=True):
            for name, values in scaling.series.items():
                width = 2.5 if name in scaling.judged else 1
                axes.plot(list(values), list(values.values()), marker="o", linewidth=width, label=name)
            axes.set(xscale="log", yscale="log", xlabel="primitives", ylabel=scaling.unit)
            axes.set_title(scaling.title, wrap=True, fontsize="medium")
            axes.grid(visible=True, alpha=0.3)
            axes.legend(fontsize="small")
        data = BytesIO()
        picture.savefig(data, dpi=120, format=form[1:])
        write_output(path, [data.getvalue()])

    return draw
