"""A shape is described once: in its record, in one entry of a table of each room, and in few files besides."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

import hitscope
from hitscope.cli import main
from hitscope.draw.element_arrays import WITH_ROWS
from hitscope.draw.shape_drawings import SHAPE_DRAWINGS, DrawnAs
from hitscope.errors import HitscopeError
from hitscope.geometry import arrays, exact, registry
from hitscope.geometry.kinds import KINDS, SHAPE_TABLES, word_of
from hitscope.geometry.kinds.record import checked
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.registry import of_pair, pairs
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Frustum, Polyhedron, Sphere, Vec3
from hitscope.scene import model
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.fields import FIELD_FORMS
from hitscope.scene.items import Item, Single, SpherePrimitive
from hitscope.viewer.interface.bindings import NEW_SHAPE_COMMANDS
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.inputs import KeyDown, Move, Press, Release
from hitscope.viewer.state.tool import ArmedShape

APP = Path(hitscope.__file__).parent
CEILING = 8
"""At most so many files may branch on the type or word of a shape, the exact predicates and the tables aside.

The gizmo's "plane" and the "line" of a trace are counted as well.
"""
WORDS = {*PROBES, *PRIMITIVES}
ROLES = {
    "shape": {*PROBES.values(), *PRIMITIVES.values()},
    "probe": {*PROBES.values()},
    "primitive": {*PRIMITIVES.values()},
}
ITEMS = {*model.PRIMITIVES.values(), *model.PROBES.values()} - {MeshPrimitive}
SHAPE_NAMES = {kind.__name__ for kind in ROLES["shape"]} | {
    base.__name__ for item in ITEMS for base in item.__mro__ if issubclass(base, Item)
} - {"Item", "Single", "Bulk"}
NOT_CONVERTED = {Frustum, Polyhedron}
"""Shapes whose form is a part of them: the planes and the vertices of a polyhedron are never converted."""
IN_PART = {"CONVERSIONS"}
"""Tables of what only some shapes have."""
MANY = 5
"""So many types of shapes as keys make a table of shapes."""


@checked()
class Dummy(NamedTuple):
    """A shape that has no entry anywhere, with the numbers of a sphere."""

    center: Vec3
    radius: float


@cache
def tree_of(path):
    """The syntax tree of a module of ours."""
    return ast.parse(path.read_text(encoding="utf-8"))


def plain(shapes):
    """The types of shapes by their words, but for those that are made of others."""
    return {word: kind for word, kind in shapes.items() if not issubclass(kind, Wrapped)}


def tables():
    """Return all tables of shapes."""
    for path in APP.rglob("*.py"):
        if "ShapeTable(" in path.read_text(encoding="utf-8"):
            import_module(".".join(path.relative_to(APP.parent).with_suffix("").parts).removesuffix(".__init__"))
    return SHAPE_TABLES


def missing(roles):
    return [
        f"{table.name} lacks an entry for {kind.__name__}"
        for table in tables()
        for kind in roles[table.role]
        if kind not in table
    ]


def test_every_table_has_an_entry_for_every_shape_and_for_nothing_else():
    found = missing(ROLES)
    assert not found, "\n".join(found)
    strangers = {table.name: set(table) - set(KINDS) for table in tables()}
    assert not any(strangers.values()), strangers


def test_a_new_shape_is_missed_in_every_table():
    roles = {role: kinds | {Dummy} for role, kinds in ROLES.items()}
    assert sorted(missing(roles)) == sorted(f"{table.name} lacks an entry for Dummy" for table in tables())
    for table in tables():
        with pytest.raises(HitscopeError, match=rf"^{table.name} has no entry for Dummy$"):
            table[Dummy]


@pytest.fixture
def dummy_scene(monkeypatch, tmp_path):
    """The file of a scene with dummies as a probe and a primitive: the items of spheres hold them."""
    monkeypatch.setitem(PROBES, "dummy", Dummy)
    monkeypatch.setitem(PRIMITIVES, "dummy", Dummy)
    monkeypatch.setitem(model.PROBES, "dummy", model.PROBES["sphere"])
    monkeypatch.setattr(SpherePrimitive, "shape", property(lambda item: Dummy(item.center, item.radius)))
    monkeypatch.setattr(SpherePrimitive, "element_word", "dummy")
    for pair in pairs():
        if Sphere in registry.KINDS_OF_PAIR[pair]:
            kinds = tuple(Dummy if kind is Sphere else kind for kind in registry.KINDS_OF_PAIR[pair])
            renamed = "_".join(map(word_of, kinds))
            monkeypatch.setitem(registry.KINDS_OF_PAIR, renamed, kinds)
            monkeypatch.setitem(registry._METHODS, renamed, {"exact": of_pair(pair)["exact"]})
    path = tmp_path / "dummies.scene.json"
    ball = {"type": "sphere", "center": [0, 0, 0], "radius": 1}
    probes = [{"id": "probe", **ball}, {"id": "ray", "type": "ray", "origin": [0, 0, 9], "direction": [0, 0, -1]}]
    path.write_text(json.dumps({"version": 1, "primitives": [{"id": "solid", **ball}], "probes": probes}))
    arrays.KINDS.append(Dummy)
    yield path
    arrays.KINDS.remove(Dummy)


def refusal_in_the_window(path):
    """The error when a dummy is opened, drawn, moved by a key and labelled in the window; empty for none."""
    inputs = (
        *(Move(0, 400.0, 400.0), Press(0, "Left", 400.0, 400.0, ()), Move(0, 450.0, 400.0)),
        *(Release(0, "Left", 450.0, 400.0), KeyDown(0, "Right", ()), KeyDown(0, "I", ())),
    )
    try:
        with UserInterface(open_state(DocumentList([Document(path)]), (800, 600))) as interface:
            interface.state.tool.armed = ArmedShape("probe", "dummy")
            for at, given in enumerate(inputs):
                interface.take(given)
                interface.advance(at / 50)
                if " has no entry for " in interface.state.messages.notice:
                    return interface.state.messages.notice
    except HitscopeError as error:
        return str(error)
    return ""


@pytest.mark.thorough
def test_every_command_and_the_window_name_the_table_that_lacks_a_shape(
    dummy_scene, monkeypatch, tmp_path, capsys
):
    def refusal(*command):
        return capsys.readouterr().err if main([*map(str, command)]) == 2 else ""

    monkeypatch.chdir(tmp_path)
    every, lacking = {table.name: table for table in tables()}, []
    pair = ("--probe", "ray", "--primitive", "solid")
    for run in (
        partial(refusal, "eval", dummy_scene),
        partial(refusal, "check", dummy_scene),
        partial(refusal, "render", dummy_scene, "-o", "picture.png"),
        partial(refusal, "explain", dummy_scene, *pair),
        partial(refusal, "explain", dummy_scene, *pair, "--html", "page.html"),
        partial(refusal, "judge", "exact", "--pair", "dummy_aabb", "--cases", 20, "-j", 1),
        partial(refusal, "judge", "exact", "--pair", "segment_dummy", "--cases", 20, "-j", 1),
        partial(refusal, "map", dummy_scene, "--handle", "probe.center", "--size", 8),
        partial(refusal_in_the_window, dummy_scene),
    ):
        while words := run():
            found = re.search(r"([\w.]+) has no entry for Dummy", words)
            assert found and found[1] not in lacking, f"{run}: {words}"
            entry = every[found[1]][Sphere]
            if found[1] == KINDS.name:
                entry = entry._replace(shape=Dummy, example=Dummy(*entry.example))
            monkeypatch.setitem(every[found[1]], Dummy, entry)
            lacking.append(found[1])
    assert sorted(lacking) == sorted(every), "each table is asked for the shape by one of them"


def test_no_table_of_shapes_is_a_plain_dictionary():
    hidden = [
        f"{path.relative_to(APP).as_posix()}:{node.lineno}"
        for path in sorted(APP.rglob("*.py"))
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Dict)
        if ast.unparse(getattr(node, "target", None) or node.targets[0]) not in IN_PART
        if sum(ast.unparse(key).rpartition(".")[2] in SHAPE_NAMES for key in node.value.keys if key) >= MANY
    ]
    assert not hidden, "\n".join(hidden)


def test_every_example_is_a_shape_that_its_constructor_takes():
    for kind, record in KINDS.items():
        assert kind(*record.example) == record.example
        assert exact.dimension(record.example) == record.dimension, kind


def test_every_word_of_a_shape_has_its_struct_in_the_scene_format():
    words = ("SingleProbe", PROBES, model.PROBES), ("SinglePrimitive", PRIMITIVES, model.PRIMITIVES)
    lacking = [
        f"hitscope.scene.items.{name} lacks a struct for {word}"
        for name, shapes, structs in words
        for word in plain(shapes)
        if word not in structs
    ]
    assert not lacking, "\n".join(lacking)
    for _, shapes, structs in words:
        for word, kind in plain(shapes).items():
            assert structs[word].kind is kind, word


def test_every_probe_and_primitive_is_added_by_a_command():
    wanted = {("probe", word) for word in plain(PROBES)} | {("primitive", word) for word in plain(PRIMITIVES)}
    lacking = wanted - {shape for _, shape, *_ in NEW_SHAPE_COMMANDS}
    assert not lacking, f"hitscope.viewer.interface.bindings.NEW_SHAPE_COMMANDS adds no {lacking}"


def test_every_shape_that_is_stored_in_several_forms_has_its_forms():
    structs = [item for item in ITEMS if issubclass(item, Single) and (item.either or item.at_most_one)]
    kinds = {item.kind for item in structs}
    lacking = [kind.__name__ for kind in kinds - set(FIELD_FORMS) - NOT_CONVERTED]
    assert not lacking, f"hitscope.scene.fields.FIELD_FORMS lacks {sorted(lacking)}"


def test_every_primitive_is_drawn_as_a_surface():
    surfaces = (*WITH_ROWS, DrawnAs.FACETS)
    others = [kind.__name__ for kind in PRIMITIVES.values() if SHAPE_DRAWINGS[kind].drawn_as not in surfaces]
    assert not others, f"draw.element_arrays has no arrays for {others}"


def test_exact_decides_every_pair():
    undecided = []
    for pair in pairs():
        try:
            shapes = [KINDS[kind].example for kind in registry.KINDS_OF_PAIR[pair]]
            exact.relation(*shapes)
            exact.distance(*shapes)
            exact.witness(*shapes)
        except TypeError as error:
            undecided.append(f"{pair}: {error}")
    assert not undecided, "see the docstring of geometry.shapes\n" + "\n".join(undecided)


def names_shapes(node: ast.AST) -> bool:
    return any(
        (isinstance(part, ast.Name) and part.id in SHAPE_NAMES)
        or (isinstance(part, ast.Attribute) and part.attr in SHAPE_NAMES)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in WORDS)
        for part in ast.walk(node)
    )


def branches(tree: ast.AST) -> Iterator[int]:
    """The lines that branch on the type or word of a shape, or on the type of an item that holds one."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]) if names_shapes(kinds):
                yield node.lineno
            case ast.MatchClass(cls=kind) | ast.MatchValue(value=kind) if names_shapes(kind):
                yield kind.lineno
            case ast.Compare(left=first, comparators=others) if any(map(names_shapes, (first, *others))):
                yield node.lineno


def test_branches_are_found_in_every_form():
    forms = (
        "isinstance(shape, Aabb | Obb)",
        "isinstance(shape, shapes.Ray)",
        "kind is Segment",
        "type(shape) == Plane",
        "kind in (Ray, Line)",
        "match shape:\n case Point(position):\n  pass",
        "isinstance(item, AabbPrimitive)",
        "word == 'obb'",
        "'aabb' in pair",
        "match word:\n case 'point':\n  pass",
    )
    assert [form for form in forms if not list(branches(ast.parse(form)))] == []
    others = "TABLE = {Ray: 1, Line: 2}\nshape = Aabb(lo, hi)\nisinstance(item, Single)"
    assert list(branches(ast.parse(others))) == []


def test_few_files_branch_on_the_type_of_a_shape():
    exact = APP / "geometry" / "exact"
    found = {
        path.relative_to(APP).as_posix(): lines
        for path in sorted(APP.rglob("*.py"))
        if exact not in path.parents and (lines := sorted(set(branches(tree_of(path)))))
    }
    assert len(found) <= CEILING, "\n".join(f"{path}: lines {lines}" for path, lines in found.items())
