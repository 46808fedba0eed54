"""`hitscope.Mesh`: triangles, and what rays hit of them."""

from __future__ import annotations  # so that signatures are short in help()

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitscope import numerals
from hitscope.errors import Fault, HitscopeError, faults_in, shown
from hitscope.extras import missing
from hitscope.float_mode import in_default_mode
from hitscope.geometry import exact, threads
from hitscope.geometry.arrays import Array, Shapes, rows_of, vectors_of
from hitscope.geometry.shapes import Ray, Triangle
from hitscope.scene import mesh as mesh_files

if TYPE_CHECKING:
    from hitscope.geometry.bvh import Tree

NOTHING = -1
"""The element of a ray that hits nothing; what is less stands for no answer."""
Rays: TypeAlias = tuple[Shapes, tuple[int, ...]]
"""m rays, and the shape of the array of them that was given."""


class ClosestHit(NamedTuple):
    """The first entry of each of an array of rays (...,); of one ray an int, a float and two vectors (3,)."""

    element: Any
    """The index of the triangle, -1 for none; (...,)."""
    t: Any
    """The hit is at origin + t * direction; NaN for none; (...,)."""
    points: NDArray[np.float64]
    """The hits, NaN for none; (..., 3)."""
    normals: NDArray[np.float64]
    """The unit normals, on the side that the ray comes from; (..., 3).

    NaN for none, which a ray that begins on the triangle or lies in its plane has, too.
    """


class HitPairs(NamedTuple):
    """Every hit of an array of rays: ray `rays[k]`, counted in C order, hits triangle `elements[k]`."""

    rays: NDArray[np.intp]
    """The indices of the rays, ascending; (k,)."""
    elements: NDArray[np.intp]
    """The indices of the triangles, of each ray ascending; (k,)."""


class Mesh:
    """A mesh of n triangles, and exact answers to what rays hit of it.

    The hierarchy over the triangles is built by the first query. Rays have origins and directions of shape (3,) or
    (..., 3), broadcast against each other as in NumPy; a direction need not be unit, and t counts in directions.
    Touching is a hit, from either side. A mesh is immutable, and threads may share it.

    >>> import hitscope
    >>> mesh = hitscope.Mesh([(0, 0, 0), (4, 0, 0), (0, 4, 0)], faces=[(0, 1, 2)])
    >>> mesh.closest((1, 1, 5), (0, 0, -1))
    ClosestHit(element=0, t=5.0, points=array([1., 1., 0.]), normals=array([0., 0., 1.]))
    >>> mesh.any([(1, 1, 5), (9, 9, 5)], (0, 0, -1))
    array([ True, False])
    """

    def __init__(self, vertices: Any, faces: ArrayLike | None = None) -> None:
        """Make a mesh of vertices (v, 3) and faces (n, 3), which are indices of vertices.

        Instead of both, take triangles (n, 3, 3), or an object with `vertices` and `faces` (of trimesh) or
        `triangles` (of Open3D). The numbers are copied. Raises HitscopeError for numbers that are no mesh.
        """
        with faults_in("Mesh"):
            if isinstance(vertices, str | PathLike):
                raise Fault(("vertices",), "vertices or a mesh; `Mesh.load` reads a file", shown(vertices))
            if faces is None and hasattr(vertices, "vertices"):
                vertices, faces = _parts_of(vertices)
            triangles = rows_of(("vertices",), vertices, (3, 3)) if faces is None else _indexed(vertices, faces)
        self._set(Shapes.from_fields(Triangle, *triangles.transpose(1, 0, 2)))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Mesh:
        """Load a file (OBJ, STL, PLY or glTF): polygons are fanned, degenerate faces kept, in file order.

        Raises HitscopeError for any other file.
        """
        try:
            return _mesh_of(cls, mesh_files.read(Path(path)))
        except Fault as fault:
            raise HitscopeError(f"{path}: {fault.message}") from None

    def _set(self, shapes: Shapes) -> None:
        self.shapes = shapes
        """The triangles as `Shapes`."""
        self._tree: Tree | None = None
        self._search: Callable[[Array], int] | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the triangles alone."""
        return _mesh_of, (type(self), self.shapes)

    def __len__(self) -> int:
        """Return n."""
        return len(self.shapes)

    def __repr__(self) -> str:
        """Return the number of triangles."""
        return f"<Mesh of {numerals.counted(len(self), 'triangle')}>"

    @property
    def triangles(self) -> Array:
        """The corners of the triangles, (n, 3, 3), read-only."""
        return np.moveaxis(self.shapes.rows.reshape(3, 3, -1), -1, 0)

    @property
    def bounds(self) -> Array:
        """The least and the greatest coordinates, (2, 3); NaN of a mesh without triangles."""
        if not len(self):
            return np.full((2, 3), np.nan)
        corners = self.shapes.rows.reshape(3, 3, -1)
        return np.array([corners.min(axis=(0, 2)), corners.max(axis=(0, 2))])

    @property
    def tree(self) -> Tree:
        """The hierarchy over the triangles, for probes of other types."""
        if self._tree is None:
            try:
                from hitscope.geometry.bvh import Tree
                from hitscope.geometry.compiled import said_anywhere
            except ModuleNotFoundError as error:
                raise HitscopeError(f"Mesh: {missing(error.name) or error}") from None
            said_anywhere.set()
            with self._lock:
                if self._tree is None:
                    self._tree = Tree(self.shapes)
        return self._tree

    @in_default_mode
    def closest(self, origins: ArrayLike, directions: ArrayLike) -> ClosestHit:
        """Return the triangle that each ray enters first, the lowest index of several, with t, point and normal.

        Triangle and t are those of exact geometry, t rounded once; points are computed from them in float64, and
        normals are right to 1e-12. Raises HitscopeError for what are no rays.

        >>> import hitscope
        >>> mesh = hitscope.Mesh([[(0, 0, 0), (4, 0, 0), (0, 4, 0)]])
        >>> mesh.closest([(1, 1, 5), (9, 9, 5)], (0, 0, -1)).t
        array([ 5., nan])
        """
        found = self._closest_to_one(origins, directions)
        return self._closest(*_rays("Mesh.closest", origins, directions)) if found is None else found

    @in_default_mode
    def any(self, origins: ArrayLike, directions: ArrayLike) -> Any:
        """Return whether each ray hits anything, (...,); a bool of one ray.

        >>> import hitscope
        >>> hitscope.Mesh([[(0, 0, 0), (4, 0, 0), (0, 4, 0)]]).any((1, 1, 5), (0, 0, 1))
        False
        """
        if (one := self._closest_to_one(origins, directions)) is not None:
            return bool(one.element >= 0)
        rays, shape = _rays("Mesh.any", origins, directions)
        found = self.tree.any(rays)
        return found.reshape(shape) if shape else bool(found[0])

    @in_default_mode
    def all(self, origins: ArrayLike, directions: ArrayLike) -> HitPairs:
        """Return every triangle that each ray hits, as pairs of the indices of a ray and a triangle.

        >>> import hitscope
        >>> mesh = hitscope.Mesh([[(0, 0, z), (4, 0, z), (0, 4, z)] for z in range(3)])
        >>> mesh.all((1, 1, 5), (0, 0, -1)).elements
        array([0, 1, 2])
        """
        rays, _ = _rays("Mesh.all", origins, directions)
        first, elements = self.tree.all(rays)
        return HitPairs(np.repeat(np.arange(len(rays)), np.diff(first)), elements.astype(np.intp))

    def _closest_to_one(self, origin: ArrayLike, direction: ArrayLike) -> ClosestHit | None:
        """Answer one ray with the least overhead; None for other arguments, and where that needs fractions."""
        try:
            o, d = np.asarray(origin), np.asarray(direction)
        except ValueError:
            return None
        if not (o.shape == d.shape == (3,) and o.dtype.kind in "fiu" and d.dtype.kind in "fiu"):
            return None
        search = self._search = self._search or self.tree.search_of_one
        numbers = np.empty(13)
        numbers[:3], numbers[3:6] = o, d
        element = search(numbers)
        return None if element < NOTHING else ClosestHit(element, numbers.item(6), numbers[7:10], numbers[10:])

    def _closest(self, rays: Shapes, shape: tuple[int, ...]) -> ClosestHit:
        element, t = self.tree.closest(rays)
        from hitscope.geometry.bvh.one_ray import write_entered

        m = len(rays)
        given = rays.rows, self.shapes.rows, element, t
        made = points, normals, sure = np.empty((m, 3)), np.empty((m, 3)), np.empty(m, np.bool_)
        threads.each_part(m, lambda first, last: write_entered(*given, first, last, *made))
        for n in np.flatnonzero(~sure).tolist():
            normal = exact.relation(rays[n], self.shapes[int(element[n])]).normal
            normals[n] = np.nan if normal is None else exact.unit(normal)
        if not shape:
            return ClosestHit(int(element[0]), float(t[0]), points[0], normals[0])
        vectors = points.reshape(*shape, 3), normals.reshape(*shape, 3)
        return ClosestHit(element.reshape(shape), t.reshape(shape), *vectors)


def _mesh_of(kind: type[Mesh], shapes: Shapes) -> Mesh:
    made = object.__new__(kind)
    made._set(shapes)
    return made


def _parts_of(mesh: Any) -> tuple[Any, Any]:
    """Return the vertices and faces of another package's mesh."""
    for name in ("faces", "triangles"):
        if hasattr(mesh, name):
            return np.asarray(mesh.vertices), np.asarray(getattr(mesh, name))
    raise Fault(("vertices",), "vertices, or a mesh with faces", f"a {type(mesh).__name__} without faces")


def _indexed(vertices: Any, faces: Any) -> Array:
    """Return the corners of the faces, (n, 3, 3); raises Fault."""
    points = rows_of(("vertices",), vertices, (3,))
    indices = np.asarray(faces) if np.size(faces) else np.empty((0, 3), np.intp)
    expected = "three indices of vertices a face, (n, 3)"
    if indices.dtype.kind not in "iu":
        raise Fault(("faces",), expected, shown(faces) if indices.ndim == 0 else f"an array of {indices.dtype}")
    if indices.ndim != 2 or indices.shape[1] != 3:
        raise Fault(("faces",), expected, f"an array of shape {indices.shape}")
    wrong = (indices < 0) | (indices >= len(points))
    if wrong.any():
        n, k = np.argwhere(wrong)[0].tolist()
        raise Fault(("faces", n, k), f"the index of one of {len(points)} vertices", str(indices[n, k]))
    corners: Array = points[indices]
    return corners


def _rays(called: str, origins: ArrayLike, directions: ArrayLike) -> Rays:
    """Return rays broadcast against each other; raises HitscopeError."""
    with faults_in(called):
        given = vectors_of(("origins",), origins), vectors_of(("directions",), directions)
        try:
            o, d = np.broadcast_arrays(*given)
        except ValueError:
            found = f"{given[1].shape} beside origins of {given[0].shape}"
            raise Fault(("directions",), "directions that broadcast with the origins", found) from None
    rows = np.empty((6, o.size // 3))
    rows[:3], rows[3:] = o.reshape(-1, 3).T, d.reshape(-1, 3).T
    return Shapes(Ray, rows), o.shape[:-1]
