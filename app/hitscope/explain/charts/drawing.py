"""A chart as a drawing, which the window and SVG show alike."""

from hitscope.explain.charts import Chart
from hitscope.explain.charts.axes import AxisChart
from hitscope.explain.charts.axis_drawing import draw_axes
from hitscope.explain.charts.flat_drawing import draw_flat
from hitscope.explain.charts.marks import Drawing
from hitscope.explain.charts.slab_drawing import draw_slabs
from hitscope.explain.charts.slabs import SlabChart


def draw(chart: Chart, width: float) -> Drawing:
    """Draw a chart on a width in em."""
    match chart:
        case SlabChart():
            return draw_slabs(chart, width)
        case AxisChart():
            return draw_axes(chart, width)
    return draw_flat(chart, width)
