"""A small mesh, or a point, that is drawn once for each row of some tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.chunks import ShapeRange


class InstanceTable(NamedTuple):
    """A buffer with a row for each shape; all columns are of one format, e.g. "3f" or "4u1"."""

    buffer: moderngl.Buffer
    format: str
    row: int
    """The bytes of a row."""
    names: tuple[str, ...]


class Vertices(NamedTuple):
    """The vertices of a mesh: their attributes side by side, (n, floats), e.g. in the layout "2f 3f"."""

    values: NDArray[Any]
    layout: str
    names: tuple[str, ...]
    order: NDArray[Any] | None = None
    """The indices of the vertices in the order of drawing."""
    mode: int = moderngl.TRIANGLES


class Mesh:
    """A program with its vertices, drawn for the rows of some tables; without vertices, a point for each row.

    OpenGL 3.3 cannot begin with a given instance: for every run the tables are bound from its first row on.
    """

    def __init__(
        self,
        context: moderngl.Context,
        program: moderngl.Program,
        tables: Sequence[InstanceTable],
        vertices: Vertices | None = None,
    ) -> None:
        """Bind the attributes of the vertices and tables that the program uses; others are left out."""
        self.program = program
        self._vertices = vertices
        content: list[Any] = []
        order = None
        if vertices is not None:
            corners = context.buffer(vertices.values.astype(np.float32).tobytes())
            content = [(corners, vertices.layout, *vertices.names)]
            if vertices.order is not None:
                order = context.buffer(vertices.order.astype(np.int32).tobytes())
        self._array = context.vertex_array(program, content, index_buffer=order, skip_errors=True)
        self._columns: list[tuple[int, InstanceTable, int]] = []
        for table in tables:
            for i, name in enumerate(table.names):
                attribute = program.get(name, None)
                if isinstance(attribute, moderngl.Attribute):
                    self._columns.append((attribute.location, table, i * table.row // len(table.names)))

    def draw(self, runs: Sequence[ShapeRange]) -> None:
        """Draw the shapes of some runs."""
        for first, count in runs:
            for location, table, offset in self._columns:
                kind = "f" if table.format.endswith("f") else "i"
                divisor = 0 if self._vertices is None else 1
                self._array.bind(
                    location, kind, table.buffer, table.format, first * table.row + offset, table.row, divisor
                )
            if self._vertices is None:
                self._array.render(moderngl.POINTS, vertices=count)
            else:
                self._array.render(self._vertices.mode, instances=count)
