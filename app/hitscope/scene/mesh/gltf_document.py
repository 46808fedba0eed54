"""The part of a glTF 2.0 file that defines triangles, as the file has it, and its decoding."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from hitscope.errors import Fault
from hitscope.geometry.shapes import Vec3
from hitscope.scene.json_locations import line_column_of, read_strictly
from hitscope.scene.validation_errors import fault_of, parsed

TRIANGLES = 4
"""The first mode of a primitive that has triangles, and the default one."""

Index: TypeAlias = Annotated[int, Meta(ge=0)]
Size: TypeAlias = Annotated[int, Meta(ge=1)]
Matrix: TypeAlias = Annotated[tuple[float, ...], Meta(min_length=16, max_length=16)]


class Asset(Struct):
    """The version of the format."""

    version: str


class Buffer(Struct, rename="camel"):
    """Bytes of another file, of a data URI or, without a URI, of the .glb itself."""

    byte_length: Size
    uri: str | None = None


class View(Struct, rename="camel"):
    """A part of a buffer."""

    buffer: Index
    byte_length: Size
    byte_offset: Index = 0
    byte_stride: Annotated[int, Meta(ge=4, le=252)] | None = None


class Part(Struct, rename="camel", kw_only=True):
    """Elements that begin somewhere in a view."""

    buffer_view: Index | None = None
    byte_offset: Index = 0


class SparseValues(Part):
    """Where the elements are that replace others."""

    buffer_view: Index


class SparseIndices(SparseValues):
    """Where the indices of the replaced elements are."""

    component_type: int


class Sparse(Struct):
    """Elements that replace some of an accessor."""

    count: Size
    indices: SparseIndices
    values: SparseValues


class Accessor(Part, kw_only=True):
    """Elements of a type in a view; without a view they are zero."""

    component_type: int
    count: Size
    type: str
    sparse: Sparse | None = None


class Attributes(Struct):
    """The accessors of a primitive's vertices."""

    position: Index | None = field(default=None, name="POSITION")


class Primitive(Struct):
    """Vertices and how they are connected."""

    attributes: Attributes
    indices: Index | None = None
    mode: Annotated[int, Meta(ge=0, le=6)] = TRIANGLES


class Mesh(Struct):
    """Primitives that are placed together."""

    primitives: list[Primitive]


class Node(Struct):
    """A mesh, other nodes, and the transform of both."""

    mesh: Index | None = None
    children: tuple[Index, ...] = ()
    matrix: Matrix | None = None
    translation: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    scale: Vec3 = (1.0, 1.0, 1.0)


class Roots(Struct):
    """The nodes of a scene that are no other's children."""

    nodes: list[Index] = []


class Document(Struct, rename="camel"):
    """The part of a glTF file that defines triangles."""

    asset: Asset
    extensions_required: list[str] = []
    buffers: list[Buffer] = []
    buffer_views: list[View] = []
    accessors: list[Accessor] = []
    meshes: list[Mesh] = []
    nodes: list[Node] = []
    scenes: list[Roots] = []
    scene: Index = 0


_DECODER = msgspec.json.Decoder(Document)


def decode(data: bytes) -> Document:
    """Return the document of a JSON text; raises Fault, its path being that in the document, for any other."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault((), f"UTF-8 text at byte {error.start}", f"byte 0x{data[error.start]:02x}") from None
    try:
        document = _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        try:
            read_strictly(text)
            path, message = parsed(text, str(error))
            fault = fault_of(text, path, message, Document)
        except Fault as syntax:
            fault = syntax
        line, column = line_column_of(text, fault)
        raise Fault(fault.path, f"{fault.expected} on line {line}, column {column}", fault.found) from None
    if not document.asset.version.startswith("2."):
        raise Fault(("asset", "version"), "2.0", document.asset.version)
    if document.extensions_required:
        found = ", ".join(document.extensions_required)
        raise Fault(("extensionsRequired",), "a glTF file that requires no extensions", found)
    return document
