"""Scene files, good and broken, that the tests of the loader and of the schema share."""

from typing import NamedTuple

from hitscope.geometry.registry import of_pair
from hitscope.scene import model

SAT = ", ".join(of_pair("triangle_aabb"))
PRIMITIVE_TYPES, PROBE_TYPES = ", ".join(model.PRIMITIVES), ", ".join(model.PROBES)

BOX = '{"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}'
OBB = '{"type": "obb", "center": [0, 0, 0], "half_extents": [1, 2, 3]}'
SEGMENT = '{"type": "segment", "start": [0, 0, 0], "end": [1, 1, 1]}'
EXAMPLE = """{
  "$schema": "scene.schema.json",
  "version": 1,
  "name": "Triangle against six boxes",
  "description": "What there is to see, and where the numbers come from.",
  "primitives": [
    {"id": "corner", "type": "aabb", "center": [2, 4, -1], "half_extents": [0.5, 0.5, 0.5]}
  ],
  "probes": [
    {"id": "tri", "type": "triangle", "vertices": [[-1, 5, 0], [2, 2, -3], [5, 5, 0]]}
  ],
  "methods": {"triangle_aabb": "sat13"},
  "expect": [
    {"probe": "tri", "primitive": "corner", "hit": true}
  ],
  "view": {"up": "y", "camera": {"eye": [8, 6, 12], "target": [0, 2, 0], "fov_deg": 45}}
}
"""


def scene(primitives: str = BOX, probes: str = SEGMENT, more: str = "") -> str:
    """A scene file: primitives start at 2:16, probes at 3:12, the keys of `more` at 4:1."""
    end = f",\n{more}" if more else ""
    return f'{{"version": 1,\n"primitives": [{primitives}],\n"probes": [{probes}]{end}}}'


def obb(rotation: str) -> str:
    """A scene with one obb, the key of whose rotation starts at 2:80."""
    return scene(f'{{"type": "obb", "center": [0, 0, 0], "half_extents": [1, 2, 3], {rotation}}}')


def expect(fields: str) -> str:
    """A scene with one expectation, which starts at 4:12."""
    return scene(more=f'"expect": [{{{fields}}}]')


def lesson(fields: str) -> str:
    """A scene with a lesson of one step, whose fields after `say` start at 4:27."""
    return scene(more=f'"lesson": [{{"say": "Look.", {fields}}}]')


def judged(fields: str) -> str:
    """A scene that says how code was judged, in fields that start at 4:12."""
    return scene(more=f'"judged": {{{fields}}}')


def until(fields: str) -> str:
    """A scene with a lesson of one step, whose condition starts at 4:36."""
    return lesson(f'"until": {{{fields}}}')


PAIR = '"probe": "segment-0", "primitive": "aabb-0"'


class Broken(NamedTuple):
    """A broken file and what the loader says of it, after the file's name."""

    name: str
    text: str
    says: str


AABBS = '{"type": "aabbs", "min": [[0, 0, 0], [1, 2, 3]], "max": [[1, 1, 1], [2, 2, 4]]}'
"""Two boxes: the first row of `max` starts at 2:73 in a `scene`, the second at 2:84."""


def obbs(rotation: str) -> str:
    """A scene with one obb of a bulk item, the key of whose rotation starts at 2:86."""
    return scene(f'{{"type": "obbs", "center": [[0, 0, 0]], "half_extents": [[1, 2, 3]], {rotation}}}')


GOOD = {
    "the example of the contract": EXAMPLE,
    "the smallest": '{"version": 1, "primitives": [], "probes": []}',
    "a byte order mark": "\ufeff" + scene(),
    "Windows line ends": EXAMPLE.replace("\n", "\r\n"),
    "an aabb of a point": scene('{"type": "aabb", "center": [1, 2, 3], "half_extents": [0, 0.0, -0.0]}'),
    "an id that is its own default": scene('{"id": "aabb-0", ' + BOX[1:]),
    "a default id of an item that has another": scene('{"id": "b", ' + BOX[1:] + ', {"id": "aabb-0", ' + BOX[1:]),
    "the same id for a primitive and a probe": scene('{"id": "x", ' + BOX[1:], '{"id": "x", ' + SEGMENT[1:]),
    "no rotation": scene(OBB),
    "left-handed axes": obb('"axes": [[1, 0, 0], [0, 0, 1], [0, 1, 0]]'),
    "almost unit axes": obb('"axes": [[1, 0, 0], [0, 1.0000004, 0], [0, 0, 1]]'),
    "a tiny quaternion": obb('"quaternion_xyzw": [0, 0, 0, 5e-324]'),
    "Euler angles": obb('"euler_xyz_deg": [90, 1e300, -0.5]'),
    "a ray, a line, a triangle": scene(
        probes='{"type": "ray", "origin": [0, 0, 0], "direction": [0, 0, 0]}, '
        '{"type": "line", "origin": [0, 0, 0], "direction": [1, 0, 0], "enabled": false}, '
        '{"type": "triangle", "vertices": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]}'
    ),
    "every other type of primitive": scene(
        '{"type": "parallelepiped", "origin": [0, 0, 0], "edges": [[1, 0, 0], [1, 1, 0], [0, 0, 0]]}, '
        '{"type": "plane", "normal": [0, 0, 2], "offset": 1}, '
        '{"type": "polyhedron", "vertices": [[0, 0, 0]]}, '
        '{"type": "polyhedron", "planes": [{"normal": [1, 0, 0], "offset": 0}, '
        '{"normal": [-1, 0, 0], "offset": 0}]}, '
        '{"type": "sphere", "center": [0, 0, 0], "radius": 0}, '
        '{"type": "capsule", "start": [0, 0, 0], "end": [0, 0, -0.0], "radius": 0}'
    ),
    "every other type of probe": scene(
        probes='{"type": "point", "position": [0, 0, 0]}, '
        '{"type": "aabb", "center": [0, 0, 0], "half_extents": [1, 1, 1]}, '
        '{"type": "obb", "center": [0, 0, 0], "half_extents": [1, 1, 1], "enabled": false}, '
        '{"type": "parallelepiped", "origin": [0, 0, 0], "edges": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}, '
        '{"type": "sphere", "center": [0, 0, 0], "radius": 1e300, "enabled": false}, '
        '{"type": "capsule", "start": [0, 0, 0], "end": [0, 5e-324, 1e300], "radius": 1, "enabled": false}'
    ),
    "boxes by their corners": scene(AABBS),
    "boxes by their centres": scene('{"type": "aabbs", "center": [[1, 2, 3]], "half_extents": [[0, 0.5, -0.0]]}'),
    "no boxes": scene('{"type": "aabbs", "min": [], "max": [ ]}'),
    "boxes with their axes": obbs('"axes": [[[1, 0, 0], [0, 0, 1], [0, 1, 0]]]'),
    "boxes with quaternions": obbs('"quaternion_xyzw": [[0, 0, 0, 5e-324]]'),
    "boxes with Euler angles": obbs('"euler_xyz_deg": [[90, 1e300, -0.5]]'),
    "boxes without rotation": obbs('"id": "x"'),
    "triangles": scene('{"type": "triangles", "vertices": [[[0, 0, 0], [0, 0, 0], [0, 0, 1e-5]]]}'),
    "spheres": scene('{"type": "spheres", "center": [[0, 0, 0], [1, 2, 3]], "radius": [1, -0.0]}'),
    "one sphere of many": scene('{"type": "spheres", "center": [[0, 0, 0]], "radius": [ 5e-324 ]}'),
    "capsules": scene('{"type": "capsules", "start": [[0, 0, 0]], "end": [[1, 2, 3]], "radius": [0.5]}'),
    "no spheres": scene('{"type": "spheres", "center": [], "radius": [ ]}'),
    "bundles of every type": scene(
        probes='{"type": "segments", "start": [[0, 0, 0]], "end": [[1, 1, 1]]}, '
        '{"type": "rays", "origin": [[0, 0, 0]], "direction": [[0, 0, 0]], "enabled": false}, '
        '{"type": "points", "position": [[0, 0, 0], [1, 1, 1]]}'
    ),
    "expectations of elements and of all of them": scene(
        AABBS,
        more='"expect": [{"probe": "segment-0", "primitive": "aabbs-0", "hit": true}, '
        '{"probe": "segment-0", "primitive": "aabbs-0[1]", "t_enter": null}, '
        '{"probe": "segment-0", "hits": ["aabbs-0[0]", "aabbs-0"]}]',
    ),
    "all of a pair's answers": expect(
        '"probe": "segment-0", "primitive": "aabb-0", "hit": true, "t_enter": 0, "t_exit": 1.0, '
        '"point": [0, 0, 0], '
        '"normal": null, "distance": 0, "state": "crossing", "side": null, "tolerance": 0, '
        '"method": {"name": "slab_ericson", "epsilon": 0.5}, "why": "because"'
    ),
    "no hits": expect('"probe": "segment-0", "hits": [], "method": "slab_ericson"'),
    "a lesson": scene(
        more='"lesson": [{"say": "Read this.", "until": "continue", "select": {"probe": "segment-0"}}, '
        '{"say": "Do that.", "until": {"probe": "segment-0", "primitive": "aabb-0", "hit": true, '
        '"state": "touching", "decided_by": "edge cross edge", "t_enter_between": [0, 1], "selected": true, '
        '"method": {"name": "slab_ericson", "epsilon": 0.5}}, '
        '"view": {"camera": {"eye": [0, 0, 1], "target": [0, 0, 0]}, "hierarchy": 0}}]'
    ),
    "a lesson about all elements of many": scene(
        AABBS,
        more='"lesson": [{"say": "Hit.", "until": {"probe": "segment-0", "primitive": "aabbs-0", "hit": true}}]',
    ),
    "a lesson that asks for a selection": until('"primitive": "aabb-0", "selected": false'),
    "how code was judged": judged('"float": "f32", "boundary": "either", "slack": 2.5, "t_tolerance": [16, 1e-9]'),
    "preconditions": judged('"require": ["unit-direction", "non-degenerate", "max-coordinate=1e4"]'),
    "code that was judged as usual": judged(
        '"float": "f64", "boundary": "closed", "slack": 0, "t_tolerance": [8, 0]'
    ),
    "an empty view": scene(more='"view": {}'),
    "a key with an escape": scene(more='"n\\u0061me": "\\ud83d\\ude00"'),
    "braces and quotes in strings": scene(more='"name": "{\\"name\\": {", "description": "}\\\\"'),
}

BROKEN = [
    Broken(
        "unknown key of how code was judged",
        judged('"flot": "f32"'),
        "4:12: $.judged.flot: expected a key of this object (float, boundary, slack, t_tolerance, require), "
        'found "flot" (did you mean "float"?)',
    ),
    Broken(
        "unknown precision",
        judged('"float": "f16"'),
        '4:21: $.judged.float: expected a precision (f32, f64), found "f16" (did you mean "f64"?)',
    ),
    Broken(
        "unknown boundary",
        judged('"boundary": "close"'),
        "4:24: $.judged.boundary: expected a boundary (closed, open, either), "
        'found "close" (did you mean "closed"?)',
    ),
    Broken("negative slack", judged('"slack": -1'), "4:21: $.judged.slack: expected a number >= 0, found -1"),
    Broken(
        "slack beyond float64",
        judged('"slack": 1e999'),
        "4:21: $.judged.slack: expected a finite number, found 1e999",
    ),
    Broken(
        "one tolerance of t",
        judged('"t_tolerance": [8]'),
        "4:27: $.judged.t_tolerance: expected an array of length 2, found [8]",
    ),
    Broken(
        "negative tolerance of t",
        judged('"t_tolerance": [8, -1]'),
        "4:31: $.judged.t_tolerance[1]: expected a number >= 0, found -1",
    ),
    Broken(
        "unknown precondition",
        judged('"require": ["unit-direction", "max-coordinate=much"]'),
        "4:42: $.judged.require[1]: expected a string that is unit-direction, non-degenerate or max-coordinate=N, "
        'found "max-coordinate=much"',
    ),
    Broken(
        "word for how code was judged",
        scene(more='"judged": "f32"'),
        '4:11: $.judged: expected an object, found "f32"',
    ),
    Broken(
        "step without a condition",
        scene(more='"lesson": [{"say": "Look."}]'),
        '4:12: $.lesson[0]: expected the key "until", found {"say": "Look."}',
    ),
    Broken(
        "step that says nothing",
        scene(more='"lesson": [{"say": "", "until": "continue"}]'),
        '4:20: $.lesson[0].say: expected a string of length >= 1, found ""',
    ),
    Broken(
        "unknown key of a step",
        lesson('"untill": "continue"'),
        "4:29: $.lesson[0].untill: expected a key of this object (say, until, view, select), "
        'found "untill" (did you mean "until"?)',
    ),
    Broken(
        "unknown word as a condition",
        lesson('"until": "contnue"'),
        "4:38: $.lesson[0].until: expected a condition or a word (continue), "
        'found "contnue" (did you mean "continue"?)',
    ),
    Broken(
        "number as a condition",
        lesson('"until": 3'),
        "4:38: $.lesson[0].until: expected a string or an object, found 3",
    ),
    Broken(
        "condition that asks nothing",
        until(PAIR),
        "4:38: $.lesson[0].until: expected something to reach (selected, hit, state, t_enter_between, decided_by, "
        "method), found nothing",
    ),
    Broken(
        "condition of half a pair",
        until('"probe": "segment-0", "hit": true'),
        '4:61: $.lesson[0].until.hit: expected "primitive" beside it, found none',
    ),
    Broken(
        "condition of nothing at all",
        until('"selected": true'),
        '4:38: $.lesson[0].until: expected "probe", "primitive" or both, found neither',
    ),
    Broken(
        "unknown key of a condition",
        until(PAIR + ', "hits": true'),
        "4:84: $.lesson[0].until.hits: expected a key of this object (probe, primitive, hit, state, decided_by, "
        't_enter_between, selected, method), found "hits" (did you mean "hit"?)',
    ),
    Broken(
        "unknown state in a condition",
        until(PAIR + ', "state": "near"'),
        "4:93: $.lesson[0].until.state: expected a state (apart, coplanar, inside, touching, crossing), "
        'found "near"',
    ),
    Broken(
        "unknown feature in a condition",
        until(PAIR + ', "decided_by": "egde"'),
        "4:98: $.lesson[0].until.decided_by: expected a string that begins with a feature or axis, such as "
        '"face", "edge cross edge" or "nearest points", found "egde"',
    ),
    Broken(
        "range of t the wrong way round",
        until(PAIR + ', "t_enter_between": [1, 0]'),
        "4:103: $.lesson[0].until.t_enter_between: expected the least t before the greatest, found [1.0, 0.0]",
    ),
    Broken(
        "unknown probe in a condition",
        until('"probe": "seg", "selected": true'),
        '4:48: $.lesson[0].until.probe: expected the id of a probe (segment-0), found "seg"',
    ),
    Broken(
        "unknown primitive in a selection",
        lesson('"until": "continue", "select": {"primitive": "box"}'),
        '4:74: $.lesson[0].select.primitive: expected the id of a primitive (aabb-0), found "box"',
    ),
    Broken(
        "selection of nothing",
        lesson('"until": "continue", "select": {}'),
        '4:60: $.lesson[0].select: expected "probe", "primitive" or both, found neither',
    ),
    Broken(
        "unknown key of a step's camera",
        lesson('"until": "continue", "view": {"camera": {"eye": [0, 0, 1], "target": [0, 0, 0], "fov": 9}}'),
        "4:109: $.lesson[0].view.camera.fov: expected a key of this object (eye, target, fov_deg), "
        'found "fov" (did you mean "fov_deg"?)',
    ),
    Broken(
        "method of another pair in a condition",
        until(PAIR + ', "method": "sat13"'),
        "4:94: $.lesson[0].until.method: expected a method of segment_aabb ("
        + ", ".join(of_pair("segment_aabb"))
        + '), found "sat13"',
    ),
    Broken(
        "state of all elements at once",
        scene(
            AABBS,
            more='"lesson": [{"say": "A", "until": '
            '{"probe": "segment-0", "primitive": "aabbs-0", "state": "apart"}}]',
        ),
        '4:70: $.lesson[0].until.primitive: expected one element, e.g. "aabbs-0[0]", '
        'for more than "hit", "method" and "selected", found "aabbs-0", all its elements',
    ),
    Broken(
        "empty",
        "",
        "1:1: $: expected a scene, found an empty file",
    ),
    Broken(
        "truncated",
        scene()[:60],
        "2:46: $.primitives[0].min[2]: expected a value, found the end of the file",
    ),
    Broken(
        "truncated in a string",
        scene()[:27],
        '2:13: $.primitives: expected ":" after the key, found the end of the file',
    ),
    Broken(
        "a list",
        "[]",
        "1:1: $: expected an object, found []",
    ),
    Broken(
        "trailing comma in an object",
        scene(more='"name": "x",'),
        "4:13: $: expected a key in double quotes, found }",
    ),
    Broken(
        "trailing comma in a list",
        scene(BOX + ", "),
        "2:70: $.primitives[1]: expected a value, found ]",
    ),
    Broken(
        "trailing garbage",
        scene() + "\n}",
        "4:1: $: expected the end of the file, found }",
    ),
    Broken(
        "comment",
        scene(more="// methods"),
        "4:1: $: expected a key in double quotes, found /",
    ),
    Broken(
        "single quotes",
        scene(more="'name': 'x'"),
        "4:1: $: expected a key in double quotes, found '",
    ),
    Broken(
        "missing colon",
        scene(more='"name" "x"'),
        '4:8: $.name: expected ":" after the key, found "x"',
    ),
    Broken(
        "newline in a string",
        scene(more='"name": "a\nb"'),
        '4:9: $.name: expected a string closed by " on its line, with the escapes of JSON, found "a',
    ),
    Broken(
        "half a surrogate pair",
        scene(more='"name": "\\ud800"'),
        '4:9: $.name: expected a string closed by " on its line, with the escapes of JSON, found "\\ud800"}',
    ),
    Broken(
        "NaN",
        scene(BOX.replace("[1, 1", "[1, NaN")),
        "2:62: $.primitives[0].max[1]: expected a finite number, found NaN",
    ),
    Broken(
        "minus infinity",
        scene(BOX.replace("[0", "[-Infinity")),
        "2:41: $.primitives[0].min[0]: expected a finite number, found -Infinity",
    ),
    Broken(
        "too large a number",
        scene(BOX.replace("[0, 0", "[0, -1e999")),
        "2:44: $.primitives[0].min[1]: expected a finite number, found -1e999",
    ),
    Broken(
        "leading zero",
        scene(BOX.replace("[0, 0", "[0, 01")),
        "2:44: $.primitives[0].min[1]: expected a value, found 01",
    ),
    Broken(
        "nested without end",
        scene(more='"methods": {"a": {"b": ' + "[" * 2000),
        "4:85: $.methods.a: expected at most 64 levels of nesting, found more",
    ),
    Broken(
        "another version",
        '{"new": {}, "version": 2, "primitives": [], "probes": []}',
        "1:24: $.version: expected 1, found 2",
    ),
    Broken(
        "version as a text",
        scene().replace("1", '"1"', 1),
        '1:13: $.version: expected 1, found "1"',
    ),
    Broken(
        "version as a boolean",
        scene().replace("1", "true", 1),
        "1:13: $.version: expected 1, found true",
    ),
    Broken(
        "no version",
        '{"primitives": [], "probes": []}',
        '1:1: $: expected the key "version", found {"primitives": [], "probes": []}',
    ),
    Broken(
        "no probes",
        '{"version": 1, "primitives": []}',
        '1:1: $: expected the key "probes", found {"version": 1, "primitives": []}',
    ),
    Broken(
        "unknown key of the scene",
        scene(more='"expects": []'),
        "4:1: $.expects: expected a key of this object ($schema, version, name, description, "
        "primitives, probes, methods, tolerance, expect, judged, view, lesson), "
        'found "expects" (did you mean "expect"?)',
    ),
    Broken(
        "unknown key of a primitive",
        scene('{"type": "aabb", "center": [0, 0, 0], "half_extent": [1, 1, 1]}'),
        "2:54: $.primitives[0].half_extent: expected a key of this object (type, id, radius, min, max, "
        "center, half_extents), "
        'found "half_extent" (did you mean "half_extents"?)',
    ),
    Broken(
        "unknown key of a probe",
        scene(probes=SEGMENT[:-1] + ', "colour": 1}'),
        '3:70: $.probes[0].colour: expected a key of this object (type, id, start, end, enabled), found "colour"',
    ),
    Broken(
        "unknown key of an expectation",
        expect('"probe": "segment-0", "primitve": "aabb-0", "hit": true'),
        "4:35: $.expect[0].primitve: expected a key of this object (probe, primitive, hits, hit, "
        "t_enter, t_exit, point, normal, distance, state, side, tolerance, method, why), "
        'found "primitve" (did you mean "primitive"?)',
    ),
    Broken(
        "unknown key of the view",
        scene(more='"view": {"Up": "y"}'),
        '4:10: $.view.Up: expected a key of this object (up, camera, hierarchy, map), found "Up"',
    ),
    Broken(
        "handle of a map without a name",
        scene(more='"view": {"map": {"handle": "segment-0"}}'),
        '4:28: $.view.map.handle: expected a string with the id and the name of a handle, such as "cut.end", '
        'found "segment-0"',
    ),
    Broken(
        "handle of an unknown item",
        scene(more='"view": {"map": {"handle": "segment-1.end"}}'),
        "4:28: $.view.map.handle: expected a handle, ID.NAME, of a probe or primitive (aabb-0, segment-0), "
        'found "segment-1" (did you mean "segment-0"?)',
    ),
    Broken(
        "unknown aspect of a map",
        scene(more='"view": {"map": {"handle": "segment-0.end", "show": "depth"}}'),
        "4:53: $.view.map.show: expected what a map shows (agreement, verdict, differences, t, feature, line), "
        'found "depth"',
    ),
    Broken(
        "unknown key of the camera",
        scene(more='"view": {"camera": {"fov": 45}}'),
        "4:21: $.view.camera.fov: expected a key of this object (eye, target, fov_deg), "
        'found "fov" (did you mean "fov_deg"?)',
    ),
    Broken(
        "unknown key that is no identifier",
        scene(more='"a \\"b": 1'),
        '4:1: $["a \\"b"]: expected a key of this object ($schema, version, name, description, '
        "primitives, probes, methods, tolerance, expect, judged, view, lesson), "
        'found "a \\"b"',
    ),
    Broken(
        "repeated key of the scene",
        scene(more='"version": 1'),
        '4:1: $.version: expected each key once, found "version" again',
    ),
    Broken(
        "repeated key of a primitive",
        scene(BOX[:-1] + ',\n "min": [0, 0, 0]}'),
        '3:2: $.primitives[0].min: expected each key once, found "min" again',
    ),
    Broken(
        "repeated key, once with an escape",
        scene(more='"name": "a", "n\\u0061me": "b"'),
        '4:14: $.name: expected each key once, found "name" again',
    ),
    Broken(
        "repeated key of methods",
        scene(more='"methods": {"a": "x", "a": "y"}'),
        '4:23: $.methods.a: expected each key once, found "a" again',
    ),
    Broken(
        "error behind a repeated key",
        scene(more='"name": "a", "name": 1'),
        '4:14: $.name: expected each key once, found "name" again',
    ),
    Broken(
        "unknown type",
        scene('{"type": "teapot", "center": [0, 0, 0]}'),
        f'2:25: $.primitives[0].type: expected a type of primitive ({PRIMITIVE_TYPES}), found "teapot"',
    ),
    Broken(
        "misspelt type",
        scene(probes='{"type": "segmet"}'),
        f"3:21: $.probes[0].type: expected a type of probe ({PROBE_TYPES}), "
        'found "segmet" (did you mean "segment"?)',
    ),
    Broken(
        "type of a probe among the primitives",
        scene(SEGMENT),
        f'2:25: $.primitives[0].type: expected a type of primitive ({PRIMITIVE_TYPES}), found "segment"',
    ),
    Broken(
        "no type",
        scene('{"id": "x"}'),
        '2:16: $.primitives[0]: expected the key "type", found {"id": "x"}',
    ),
    Broken(
        "type as a number",
        scene('{"type": 1}'),
        "2:25: $.primitives[0].type: expected a string, found 1",
    ),
    Broken(
        "missing key of a probe",
        scene(probes='{"type": "ray", "origin": [0, 0, 0]}'),
        '3:12: $.probes[0]: expected the key "direction", found {"type": "ray", "origin": [0, 0, 0]}',
    ),
    Broken(
        "too short a vector",
        scene(BOX.replace("[1, 1, 1]", "[1,\n 1]")),
        "2:58: $.primitives[0].max: expected an array of length 3, found [1, 1]",
    ),
    Broken(
        "too long a vector",
        scene(BOX.replace("[1, 1, 1]", "[1, 1, 1, 1]")),
        "2:58: $.primitives[0].max: expected an array of length 3, found [1, 1, 1, 1]",
    ),
    Broken(
        "text for a number",
        scene(BOX.replace("1]", '"1"]')),
        '2:65: $.primitives[0].max[2]: expected a number, found "1"',
    ),
    Broken(
        "boolean for a number",
        scene(BOX.replace("1]", "true]")),
        "2:65: $.primitives[0].max[2]: expected a number, found true",
    ),
    Broken(
        "null for a vector",
        scene(BOX.replace("[1, 1, 1]", "null")),
        "2:58: $.primitives[0].max: expected an array, found null",
    ),
    Broken(
        "object for a list",
        scene().replace(f"[{BOX}]", "{}"),
        "2:15: $.primitives: expected an array, found {}",
    ),
    Broken(
        "a column behind wide characters",
        scene('{"id": "äß😀", "type": "aabb", "min": 1}'),
        "2:53: $.primitives[0].min: expected an array, found 1",
    ),
    Broken(
        "neither corners nor centre",
        scene('{"type": "aabb"}'),
        '2:16: $.primitives[0]: expected either "min", "max" or "center", "half_extents", found none of them',
    ),
    Broken(
        "half of the corners",
        scene('{"type": "aabb", "min": [0, 0, 0]}'),
        '2:16: $.primitives[0]: expected either "min", "max" or "center", "half_extents", found "min"',
    ),
    Broken(
        "corners and centre",
        scene(BOX[:-1] + ', "center": [0, 0, 0]}'),
        '2:16: $.primitives[0]: expected either "min", "max" or "center", "half_extents", '
        'found "min", "max", "center"',
    ),
    Broken(
        "min above max",
        scene(BOX.replace("[0, 0, 0]", "[0, 1.5, 0]")),
        "2:64: $.primitives[0].max[1]: expected a number >= min[1] = 1.5, found 1.0",
    ),
    Broken(
        "negative half extent",
        scene(OBB.replace("2", "-2")),
        "2:73: $.primitives[0].half_extents[1]: expected a number >= 0, found -2",
    ),
    Broken(
        "box beyond float64",
        scene('{"type": "aabb", "center": [0, 1e308, 0], "half_extents": [1, 1e308, 1]}'),
        "2:78: $.primitives[0].half_extents[1]: expected center[1] -+ half_extents[1] to be finite, "
        "found 1e+308 -+ 1e+308",
    ),
    Broken(
        "two rotations",
        obb('"quaternion_xyzw": [0, 0, 0, 1], "euler_xyz_deg": [0, 0, 0]'),
        '2:113: $.primitives[0].euler_xyz_deg: expected at most one of "axes", "quaternion_xyzw", '
        '"euler_xyz_deg", '
        'found "quaternion_xyzw", "euler_xyz_deg"',
    ),
    Broken(
        "zero quaternion",
        obb('"quaternion_xyzw": [0, 0, -0.0, 0]'),
        "2:99: $.primitives[0].quaternion_xyzw: expected a quaternion other than zero, found [0, 0, 0, 0]",
    ),
    Broken(
        "short quaternion",
        obb('"quaternion_xyzw": [0, 0, 1]'),
        "2:99: $.primitives[0].quaternion_xyzw: expected an array of length 4, found [0, 0, 1]",
    ),
    Broken(
        "skewed axes",
        obb('"axes": [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]'),
        "2:88: $.primitives[0].axes: expected three unit rows at right angles (max|A A^T - I| <= "
        "1e-06), "
        "found max|A A^T - I| = 0.1",
    ),
    Broken(
        "axes beyond float64",
        obb('"axes": [[1e200, 0, 0], [0, 1, 0], [0, 0, 1]]'),
        "2:88: $.primitives[0].axes: expected three unit rows at right angles (max|A A^T - I| <= "
        "1e-06), "
        "found max|A A^T - I| = inf",
    ),
    Broken(
        "same id twice",
        scene('{"id": "a", ' + BOX[1:] + ', {"id": "a", ' + BOX[1:]),
        "2:88: $.primitives[1].id: expected an id that no other of the primitives has, "
        'found "a", the id of $.primitives[0]',
    ),
    Broken(
        "id that is a later default",
        scene('{"id": "aabb-1", ' + BOX[1:] + ", " + BOX),
        "2:23: $.primitives[0].id: expected an id that no other of the primitives has, "
        'found "aabb-1", the default id of $.primitives[1]',
    ),
    Broken(
        "id that is an earlier default",
        scene(BOX + ', {"id": "aabb-0", ' + BOX[1:]),
        "2:77: $.primitives[1].id: expected an id that no other of the primitives has, "
        'found "aabb-0", the default id of $.primitives[0]',
    ),
    Broken(
        "id with a bracket",
        scene('{"id": "a[0]", ' + BOX[1:]),
        '2:23: $.primitives[0].id: expected a string that is not empty and has no "[", found "a[0]"',
    ),
    Broken(
        "empty id",
        scene(probes='{"id": "", ' + SEGMENT[1:]),
        '3:19: $.probes[0].id: expected a string that is not empty and has no "[", found ""',
    ),
    Broken(
        "expectation of an unknown probe",
        expect('"probe": "segment-1", "hits": []'),
        "4:22: $.expect[0].probe: expected the id of a probe (segment-0), "
        'found "segment-1" (did you mean "segment-0"?)',
    ),
    Broken(
        "expectation of an unknown primitive",
        expect('"probe": "segment-0", "primitive": "abb-0", "hit": true'),
        "4:48: $.expect[0].primitive: expected the id of a primitive (aabb-0), "
        'found "abb-0" (did you mean "aabb-0"?)',
    ),
    Broken(
        "unknown primitive among the hits",
        expect('"probe": "segment-0", "hits": ["aabb-0", "box"]'),
        '4:54: $.expect[0].hits[1]: expected the id of a primitive (aabb-0), found "box"',
    ),
    Broken(
        "expectation of a probe alone",
        expect('"probe": "segment-0", "hit": true'),
        '4:12: $.expect[0]: expected either "primitive" or "hits", found none of them',
    ),
    Broken(
        "nothing to check",
        expect('"probe": "segment-0", "primitive": "aabb-0", "tolerance": 1'),
        "4:12: $.expect[0]: expected something to check (hit, t_enter, t_exit, point, normal, "
        "distance, state, side), "
        "found nothing",
    ),
    Broken(
        "primitive and hits",
        expect('"probe": "segment-0", "primitive": "aabb-0", "hits": []'),
        '4:12: $.expect[0]: expected either "primitive" or "hits", found both',
    ),
    Broken(
        "hits and a pair's answer",
        expect('"probe": "segment-0", "hits": [], "t_enter": 0'),
        '4:47: $.expect[0].t_enter: expected "primitive" beside "t_enter", found "hits"',
    ),
    Broken(
        "hit as a number",
        expect('"probe": "segment-0", "primitive": "aabb-0", "hit": 1'),
        "4:65: $.expect[0].hit: expected true or false, found 1",
    ),
    Broken(
        "unknown state",
        expect('"probe": "segment-0", "primitive": "aabb-0", "state": "in"'),
        '4:67: $.expect[0].state: expected a state (apart, coplanar, inside, touching, crossing), found "in"',
    ),
    Broken(
        "unknown side",
        expect('"probe": "segment-0", "primitive": "aabb-0", "side": "frnt"'),
        '4:66: $.expect[0].side: expected a side (front, back, on, both), found "frnt" (did you mean "front"?)',
    ),
    Broken(
        "answer of a wrong type",
        expect('"probe": "segment-0", "primitive": "aabb-0", "t_enter": "0"'),
        '4:69: $.expect[0].t_enter: expected a number or null, found "0"',
    ),
    Broken(
        "negative tolerance",
        expect('"probe": "segment-0", "primitive": "aabb-0", "hit": true, "tolerance": -1'),
        "4:84: $.expect[0].tolerance: expected a number >= 0, found -1",
    ),
    Broken(
        "method as a number",
        scene(more='"methods": {"a": "x", "segment_aabb": 1}'),
        "4:39: $.methods.segment_aabb: expected a string or an object, found 1",
    ),
    Broken(
        "method without a name",
        scene(more='"methods": {"segment_aabb": {"tolerance": 1}}'),
        '4:29: $.methods.segment_aabb: expected the key "name" with a method\'s name, found {"tolerance": 1}',
    ),
    Broken(
        "argument that is a list",
        scene(more='"methods": {"segment_aabb": {"name": "slab_ericson", "epsilon": [1]}}'),
        "4:65: $.methods.segment_aabb.epsilon: expected a number, found [1]",
    ),
    Broken(
        "argument too large",
        scene(more='"methods": {"a": "x", "b": {"name": "x", "k": 1e999}}'),
        "4:47: $.methods.b.k: expected a finite number, found 1e999",
    ),
    Broken(
        "argument of an expectation's method",
        expect('"probe": "segment-0", "hits": [], "method": {"name": "slab_ericson", "epsilon": null}'),
        "4:93: $.expect[0].method.epsilon: expected a number, found null",
    ),
    Broken(
        "unknown pair",
        scene(more='"methods": {"segment_abb": "exact"}'),
        "4:13: $.methods.segment_abb: expected a pair PROBE_PRIMITIVE of point, segment, ray, line, triangle, "
        "aabb, obb, parallelepiped, polyhedron, sphere, capsule, frustum, rounded, cast, plane, "
        'found "segment_abb" (did you mean "segment_aabb"?)',
    ),
    Broken(
        "unknown method",
        scene(more='"methods": {"triangle_aabb": "sat"}'),
        f"4:30: $.methods.triangle_aabb: expected a method of triangle_aabb ({SAT}), "
        'found "sat" (did you mean "sat13"?)',
    ),
    Broken(
        "unknown method with arguments",
        scene(more='"methods": {"triangle_aabb": {"name": "slab_ericson"}}'),
        f'4:39: $.methods.triangle_aabb.name: expected a method of triangle_aabb ({SAT}), found "slab_ericson"',
    ),
    Broken(
        "unknown argument",
        scene(more='"methods": {"ray_aabb": {"name": "slab_ericson", "eps": 1}}'),
        "4:50: $.methods.ray_aabb.eps: expected an argument of slab_ericson (epsilon), "
        'found "eps" (did you mean "epsilon"?)',
    ),
    Broken(
        "method of another pair in an expectation",
        expect('"probe": "segment-0", "primitive": "aabb-0", "hit": true, "method": "moller_trumbore"'),
        f"4:81: $.expect[0].method: expected a method of segment_aabb ({', '.join(of_pair('segment_aabb'))}), "
        'found "moller_trumbore"',
    ),
    Broken(
        "plane without a normal",
        scene('{"type": "plane", "normal": [0, -0.0, 0], "offset": 1}'),
        "2:44: $.primitives[0].normal: expected a vector other than zero, found [0, 0, 0]",
    ),
    Broken(
        "polyhedron of nothing",
        scene('{"type": "polyhedron", "planes": []}'),
        "2:49: $.primitives[0].planes: expected an array of length >= 1, found []",
    ),
    Broken(
        "polyhedron of planes and vertices",
        scene('{"type": "polyhedron", "vertices": [[0, 0, 0]], "planes": [{"normal": [0, 0, 1], "offset": 0}]}'),
        '2:16: $.primitives[0]: expected either "planes" or "vertices", found "planes", "vertices"',
    ),
    Broken(
        "polyhedron whose planes leave nothing",
        scene(
            '{"type": "polyhedron", "planes": ['
            '{"normal": [1, 0, 0], "offset": 0.1}, {"normal": [-3, 0, 0], "offset": -0.30000000000000004}]}'
        ),
        "2:49: $.primitives[0].planes: expected half-spaces with a common point, found none",
    ),
    Broken(
        "half-space without a normal",
        scene('{"type": "polyhedron", "planes": [{"normal": [0, 0, 0], "offset": 1}]}'),
        "2:61: $.primitives[0].planes[0].normal: expected a vector other than zero, found [0, 0, 0]",
    ),
    Broken(
        "unknown key of a half-space",
        scene('{"type": "polyhedron", "planes": [{"normal": [0, 0, 1], "offset": 1, "d": 1}]}'),
        '2:85: $.primitives[0].planes[0].d: expected a key of this object (normal, offset), found "d"',
    ),
    Broken(
        "parallelepiped of two edges",
        scene('{"type": "parallelepiped", "origin": [0, 0, 0], "edges": [[1, 0, 0], [0, 1, 0]]}'),
        "2:73: $.primitives[0].edges: expected an array of length 3, found [[1, 0, 0], [0, 1, 0]]",
    ),
    Broken(
        "unknown axis",
        scene(more='"view": {"up": "x"}'),
        '4:16: $.view.up: expected an axis (y, z), found "x"',
    ),
    Broken(
        "camera in its target",
        scene(more='"view": {"camera": {"eye": [1, 2, 3], "target": [1, 2, 3]}}'),
        "4:49: $.view.camera.target: expected a point other than eye, found [1.0, 2.0, 3.0]",
    ),
    Broken(
        "flat field of view",
        scene(more='"view": {"camera": {"eye": [1, 2, 3], "target": [0, 0, 0], "fov_deg": 180}}'),
        "4:71: $.view.camera.fov_deg: expected a number < 180, found 180",
    ),
    Broken(
        "text among the numbers of a row",
        scene(AABBS.replace("2, 4]", '"2", 4]')),
        '2:88: $.primitives[0].max[1][1]: expected a number, found "2"',
    ),
    Broken(
        "too large a number in a row",
        scene(AABBS.replace("2, 4]", "1e999, 4]")),
        "2:88: $.primitives[0].max[1][1]: expected a finite number, found 1e999",
    ),
    Broken(
        "NaN in a row",
        scene(AABBS.replace("2, 4]", "NaN, 4]")),
        "2:88: $.primitives[0].max[1][1]: expected a finite number, found NaN",
    ),
    Broken(
        "short row",
        scene(AABBS.replace("2, 4]", "2]")),
        "2:84: $.primitives[0].max[1]: expected an array of length 3, found [2, 2]",
    ),
    Broken(
        "flat list for rows",
        scene('{"type": "aabbs", "min": [0, 0, 0], "max": [1, 1, 1]}'),
        "2:42: $.primitives[0].min[0]: expected an array, found 0",
    ),
    Broken(
        "object for rows",
        scene('{"type": "aabbs", "min": {}, "max": []}'),
        "2:41: $.primitives[0].min: expected an array, found {}",
    ),
    Broken(
        "rows too deep",
        scene('{"type": "aabbs", "min": [[[0, 0, 0]]], "max": [[1, 1, 1]]}'),
        "2:43: $.primitives[0].min[0][0]: expected a number, found [0, 0, 0]",
    ),
    Broken(
        "frame of two vertices",
        scene('{"type": "triangles", "vertices": [[[0, 0, 0], [1, 1, 1]]]}'),
        "2:51: $.primitives[0].vertices[0]: expected an array of length 3, found [[0, 0, 0], [1, 1, 1]]",
    ),
    Broken(
        "fewer rows of one field",
        scene(AABBS.replace(", [2, 2, 4]", "")),
        "2:72: $.primitives[0].max: expected as many rows as min has (2), found 1",
    ),
    Broken(
        "min above max in a row",
        scene(AABBS.replace("2, 4]", "1.5, 4]")),
        "2:88: $.primitives[0].max[1][1]: expected a number >= min[1][1] = 2.0, found 1.5",
    ),
    Broken(
        "negative half extent in a row",
        obbs('"id": "x"').replace("[[1, 2, 3]]", "[[1, 2, -3]]"),
        "2:80: $.primitives[0].half_extents[0][2]: expected a number >= 0, found -3.0",
    ),
    Broken(
        "one of the boxes beyond float64",
        scene('{"type": "aabbs", "center": [[0, 1e308, 0]], "half_extents": [[1, 1e308, 1]]}'),
        "2:82: $.primitives[0].half_extents[0][1]: expected center[0][1] -+ half_extents[0][1] to be finite, "
        "found 1e+308 -+ 1e+308",
    ),
    Broken(
        "negative radius",
        scene('{"type": "sphere", "center": [0, 0, 0], "radius": -1}'),
        "2:66: $.primitives[0].radius: expected a number >= 0, found -1",
    ),
    Broken(
        "negative radius in a row",
        scene('{"type": "spheres", "center": [[0, 0, 0], [1, 2, 3]], "radius": [1, -2]}'),
        "2:84: $.primitives[0].radius[1]: expected a number >= 0, found -2.0",
    ),
    Broken(
        "radius that is a row",
        scene('{"type": "spheres", "center": [[0, 0, 0]], "radius": [[1]]}'),
        "2:70: $.primitives[0].radius[0]: expected a number, found [1]",
    ),
    Broken(
        "capsule with a negative radius",
        scene('{"type": "capsule", "start": [0, 0, 0], "end": [1, 0, 0], "radius": -1}'),
        "2:84: $.primitives[0].radius: expected a number >= 0, found -1",
    ),
    Broken(
        "capsule without an end",
        scene(probes='{"type": "capsule", "start": [0, 0, 0], "radius": 1}'),
        '3:12: $.probes[0]: expected the key "end", found {"type": "capsule", "start": [0, 0, 0], "radius": 1}',
    ),
    Broken(
        "capsules with an end too few",
        scene('{"type": "capsules", "start": [[0, 0, 0], [1, 0, 0]], "end": [[1, 0, 0]], "radius": [1, 1]}'),
        "2:77: $.primitives[0].end: expected as many rows as start has (2), found 1",
    ),
    Broken(
        "sphere without a radius",
        scene('{"type": "sphere", "center": [0, 0, 0]}'),
        '2:16: $.primitives[0]: expected the key "radius", found {"type": "sphere", "center": [0, 0, 0]}',
    ),
    *(
        Broken(
            f"the shape {word}, which is not there",
            scene(f'{{"type": "{word}", "center": [0, 0, 0], "radius": 1}}'),
            "2:25: $.primitives[0].type: expected a type of primitive (aabb, obb, parallelepiped, triangle, "
            "plane, polyhedron, sphere, capsule, frustum, mesh, aabbs, obbs, triangles, spheres, capsules), "
            f'found "{word}" (there are no cylinders, cones or ellipsoids)',
        )
        for word in ("cylinder", "cone", "ellipsoids")
    ),
    Broken(
        "two rotations of boxes",
        obbs('"quaternion_xyzw": [[0, 0, 0, 1]], "euler_xyz_deg": [[0, 0, 0]]'),
        '2:120: $.primitives[0].euler_xyz_deg: expected at most one of "axes", "quaternion_xyzw", '
        '"euler_xyz_deg", "file", found "quaternion_xyzw", "euler_xyz_deg"',
    ),
    Broken(
        "zero quaternion in a row",
        obbs('"quaternion_xyzw": [[0, 0, -0.0, 0]]'),
        "2:105: $.primitives[0].quaternion_xyzw[0]: expected a quaternion other than zero, found [0, 0, 0, 0]",
    ),
    Broken(
        "skewed axes in a row",
        obbs('"axes": [[[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]]'),
        "2:94: $.primitives[0].axes[0]: expected three unit rows at right angles (max|A A^T - I| <= 1e-06), "
        "found max|A A^T - I| = 0.1",
    ),
    Broken(
        "neither rows nor file",
        scene('{"type": "triangles"}'),
        '2:16: $.primitives[0]: expected either "vertices" or "file", found none of them',
    ),
    Broken(
        "rows and a file",
        scene('{"type": "triangles", "vertices": [], "file": "x.npz"}'),
        '2:16: $.primitives[0]: expected either "vertices" or "file", found "vertices", "file"',
    ),
    Broken(
        "mesh without a file",
        scene('{"type": "mesh", "scale": 2}'),
        '2:16: $.primitives[0]: expected the key "file", found {"type": "mesh", "scale": 2}',
    ),
    Broken(
        "file as a number",
        scene('{"type": "mesh", "file": 1}'),
        "2:41: $.primitives[0].file: expected a string, found 1",
    ),
    Broken(
        "file without a name",
        scene('{"type": "mesh", "file": ""}'),
        '2:41: $.primitives[0].file: expected a file in or below the folder of the scene, found ""',
    ),
    Broken(
        "file by an absolute path",
        scene('{"type": "mesh", "file": "/etc/passwd"}'),
        '2:41: $.primitives[0].file: expected a file in or below the folder of the scene, found "/etc/passwd"',
    ),
    Broken(
        "file outside the folder",
        scene('{"type": "mesh", "file": "a/../../x.obj"}'),
        "2:41: $.primitives[0].file: expected a file in or below the folder of the scene, "
        'found "a/../../x.obj", which leads out of it',
    ),
    Broken(
        "file that there is not",
        scene('{"type": "rays", "file": "none.npz"}'.replace("rays", "aabbs")),
        "2:42: $.primitives[0].file: expected a file that can be read at none.npz, found no such file",
    ),
    Broken(
        "element beyond the last",
        scene(AABBS, more='"expect": [{"probe": "segment-0", "primitive": "aabbs-0[2]", "hit": true}]'),
        '4:48: $.expect[0].primitive: expected an element from aabbs-0[0] to aabbs-0[1], found "aabbs-0[2]"',
    ),
    Broken(
        "element of what is one shape",
        expect('"probe": "segment-0[0]", "primitive": "aabb-0", "hit": true'),
        '4:22: $.expect[0].probe: expected the id of a probe (of "segment-0" there are no elements), '
        'found "segment-0[0]"',
    ),
    Broken(
        "number of all elements at once",
        scene(AABBS, more='"expect": [{"probe": "segment-0", "primitive": "aabbs-0", "t_enter": 0}]'),
        '4:48: $.expect[0].primitive: expected one element, e.g. "aabbs-0[0]", to expect more than "hit", '
        'found "aabbs-0", all its elements',
    ),
]
