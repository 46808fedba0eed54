"""The page of an explanation: one file that stands by itself, with what its script computes."""

import json
import math
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from shutil import which

import pytest

import hitscope
from hitscope import (
    Aabb,
    Capsule,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.errors import HitscopeError
from hitscope.explain import page
from hitscope.explain.page import page_text, write_page
from hitscope.explain.page import steps as page_steps
from hitscope.explain.pair_space import PairSpace
from hitscope.explain.value_pictures import ValuePicture

SHORT = Ray((-6.0, 1.0, 0.0), (2e-9, 5e-10, 0.0)), Aabb((-1.0, 0.5, -1.0), (1.0, 1.5, 1.0))
"""A pair that `slab_ericson` calls a hit by its tolerance."""
BREAKING = "</script><script>alert(1)</script><!--\u2028&amp;\x1b\"'"


class Parts(HTMLParser):
    """The tags of a page, and the texts of its title and scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.attributes = [], {"title": [], "script": []}, []
        self.inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside = tag
        if tag in self.texts:
            self.texts[tag].append("")
        self.attributes += attrs

    def handle_data(self, data):
        if self.inside in self.texts:
            self.texts[self.inside][-1] += data

    def handle_endtag(self, tag):
        self.inside = ""


def document_of(text):
    (data, _) = Parts(text).texts["script"]
    return json.loads(data)


def test_a_page_stands_by_itself():
    text = page_text(hitscope.explain(*SHORT, "slab_ericson"), "rising × ahead")
    parts = Parts(text)
    assert len(text.encode()) < 100_000
    assert not {"link", "img", "iframe", "object"} & set(parts.tags) and parts.tags.count("script") == 2
    assert not {"src", "href"} & {name for name, _ in parts.attributes}
    assert "default-src 'none'" in text and not re.search(r"https?:|@import|url\(", text)
    assert "prefers-color-scheme: dark" in text
    (title,) = parts.texts["title"]
    assert title == "slab_ericson: rising × ahead"


def test_a_page_has_what_the_explanation_says():
    explanation = hitscope.explain(*SHORT, "slab_ericson")
    document = document_of(page_text(explanation, "a"))
    assert (document["verdict"], document["truth"], document["isWrong"]) == ("hit", "miss", True)
    assert (document["wrongStep"], document["deciding"]) == (
        explanation.wrong_step,
        explanation.trace.deciding_step,
    )
    assert [step["line"] for step in document["steps"]] == [step.line for step in explanation.trace.steps]
    code = dict(enumerate(document["code"]["lines"], document["code"]["first"]))
    assert document["code"]["lines"][0].startswith("def slab_ericson(")
    for step in explanation.trace.steps:
        assert code[step.line].strip() == step.source.splitlines()[0].strip()
    assert ["?", "5e-10 <= 1e-09 → true"] in document["steps"][document["wrongStep"]]["notes"]
    assert document["wrongLine"].startswith("abs(probe.direction[axis]) <= epsilon: 5e-10 <= 1e-09 → true; ")


@pytest.mark.parametrize("field", ["title", "value", "picture"])
def test_no_text_ends_a_script(field, monkeypatch):
    def odd(ray, box):
        text = BREAKING
        return bool(text)

    if field == "picture":
        shown = ValuePicture("t", "point", ((0.0, 0.0, 0.0),), BREAKING, True)
        monkeypatch.setattr(page_steps, "value_pictures", lambda explanation, k: (shown,))
    text = page_text(hitscope.explain(*SHORT, odd if field == "value" else "exact"), BREAKING)
    parts = Parts(text)
    assert parts.tags.count("script") == 2 and "<!--" not in text and "\u2028" not in text
    document = document_of(text)
    assert document["title"] == BREAKING.replace("\x1b", r"\u001b").replace("\u2028", r"\u2028")
    if field == "value":
        assert document["steps"][-1]["changed"] == {} and repr(BREAKING) in document["steps"][0]["changed"]["text"]
    if field == "picture":
        assert document["steps"][0]["pictures"][0]["label"] == f"t = {BREAKING}"


def test_a_long_run_is_cut_so_that_the_page_stays_small():
    def endless(ray, box):
        text = "a long text" * 500
        while True:
            text = text[1:] + text[0]

    explanation = hitscope.explain(*SHORT, endless)
    text = page_text(explanation, "a" * 10_000)
    document = document_of(text)
    assert 300_000 < len(text.encode()) < 500_000
    assert document["total"] == len(explanation.trace.steps) > len(document["steps"]) > 100
    assert (document["deciding"], document["wrongStep"]) == (None, None)


BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SIX = [tuple(sign * n for n in axis) for axis in AXES for sign in (1, -1)]
PAIRS = [
    (Point((0.5, 0.5, 0.5)), BOX, (1, 0, 0, 0), 6),
    (Segment((0, 0, 0), (2, 2, 2)), Obb((0, 0, 0), (1, 2, 3), AXES), (1, 1, 0, 0), 6),
    (Ray((0, 0, 0), (0, 0, 3)), Triangle(*CORNERS[:3]), (1, 0, 1, 0), 1),
    (Line((0, 0, 0), (0, 0, 3)), Plane((0, 3, 4), 10), (1, 0, 1, 0), 1),
    (Triangle(*CORNERS[:3]), Parallelepiped((0, 0, 0), AXES), (0, 0, 0, 1), 6),
    (BOX, Polyhedron(vertices=CORNERS), (0, 0, 0, 6), 4),
    (Segment((0, 0, 0), (1, 0, 0)), Polyhedron(planes=(Plane((1, 0, 0), 0),)), (1, 1, 0, 0), 1),
    (Sphere((1, 2, 3), 2), Sphere((1, 2, 3), 0), (1, 0, 0, 0), 0),
    (Capsule((1, 2, 3), (3, 2, 1), 2), Capsule((1, 2, 3), (1, 2, 3), 0), (2, 0, 0, 0), 0),
    (Point((3, 0, 0)), Polyhedron(planes=tuple(Plane(axis, 1) for axis in SIX)), (1, 0, 0, 0), 6),
]


@pytest.mark.parametrize(("probe", "primitive", "counts", "faces"), PAIRS)
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_each_shape_is_drawn_in_a_frame_of_its_size(probe, primitive, counts, faces, scale):
    def scaled(shape):
        if isinstance(shape, Plane):
            return Plane(shape.normal, shape.offset * scale)
        if isinstance(shape, Polyhedron) and shape.planes:
            return Polyhedron(tuple(map(scaled, shape.planes)))
        if isinstance(shape, Obb):
            return shape._replace(half_extents=tuple(scale * n for n in shape.half_extents))
        return hitscope.geometry.shapes.replaced_numbers(shape, lambda number: number * scale)

    document = document_of(page_text(hitscope.explain(scaled(probe), scaled(primitive)), "a"))
    drawn = document["probe"]
    assert tuple(len(drawn[kind]) for kind in ("points", "lines", "arrows", "faces")) == counts
    assert len(document["primitive"]["faces"]) == faces
    points = [
        point
        for outline in (drawn, document["primitive"])
        for path in (outline["points"], *outline["lines"], *outline["arrows"], *outline["faces"])
        for point in path
    ]
    points += [ball[3:] for outline in (drawn, document["primitive"]) for ball in outline["balls"]]
    assert 0.5 < max(abs(number) for point in points for number in point) <= page.outlines.FARTHEST
    assert all(math.isfinite(number) for point in points for number in point)


def test_a_plane_is_drawn_where_it_is():
    document = document_of(page_text(hitscope.explain(Point((0, 0, 0)), Plane((0, 3, 4), 10)), "a"))
    frame = page.outlines.Frame.around(PairSpace(Point((0, 0, 0)), Plane((0, 3, 4), 10)))
    for _, y, z in document["primitive"]["faces"][0]:
        assert (3 * y + 4 * z) * frame.radius == pytest.approx(10, abs=1e-3)


def test_pictures_of_values_are_in_the_frame_of_the_shapes(monkeypatch):
    pictures = (
        ValuePicture("t", "point", (BOX.hi,), "0.5", True),
        ValuePicture("nowhere", "point", ((math.nan, 0.0, 0.0),), "nan", True),
    )
    monkeypatch.setattr(page_steps, "value_pictures", lambda explanation, k: pictures)
    document = document_of(page_text(hitscope.explain(Point((0.5, 0.5, 0.5)), BOX), "a"))
    (drawn,) = document["steps"][0]["pictures"]
    assert drawn == {"kind": "point", "points": [[1.0, 1.0, 1.0]], "label": "t = 0.5", "isNew": True}
    assert [1.0, 1.0, 1.0] in (corner for face in document["primitive"]["faces"] for corner in face)


def test_charts_are_in_the_page():
    text = page_text(hitscope.explain(*SHORT), "a", ["<svg><title>one</title></svg>"])
    assert "<figure><svg><title>one</title></svg></figure>" in text
    assert "svg" not in Parts(page_text(hitscope.explain(*SHORT), "a")).tags


def test_a_page_replaces_a_file_in_one_step_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")

    def fails(*_):
        raise HitscopeError("no pictures")

    with monkeypatch.context() as patched, pytest.raises(HitscopeError):
        patched.setattr(page_steps, "value_pictures", fails)
        write_page(hitscope.explain(*SHORT), path, "a")
    assert path.read_text(encoding="utf-8") == "old"
    write_page(hitscope.explain(*SHORT), path, "a")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


# Each line of the script's logic, run by node where that is installed: a browser does the rest.
LOGIC = """
const assert = require("assert");
const Steps = require(process.argv[1]);
const data = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const last = data.steps.length - 1;
for (let k = 0; k <= last; k++) {
  assert.deepStrictEqual(Object.fromEntries(Steps.valuesAfter(data, k)), data.expected[k]);
  assert.strictEqual(Steps.afterKey(data, k, ".", false), Math.min(k + 1, last));
  assert.strictEqual(Steps.afterKey(data, k, "ArrowLeft", false), Math.max(k - 1, 0));
  assert.strictEqual(Steps.afterKey(data, k, "Home", false), 0);
  assert.strictEqual(Steps.afterKey(data, k, "End", false), last);
  assert.strictEqual(Steps.afterKey(data, k, "d", false), data.deciding);
  assert.strictEqual(Steps.afterKey(data, k, "l", false), data.wrongStep);
  assert.strictEqual(Steps.afterKey(data, k, "x", false), null);
}
const passes = [0];
while (passes[passes.length - 1] < last) passes.push(Steps.afterKey(data, passes[passes.length - 1], ">", true));
assert.deepStrictEqual(passes.map((k) => data.steps[k].passes.map((pass) => pass[1])), data.passes);
const view = { yaw: 0, pitch: 0, distance: 4 };
assert.deepStrictEqual(Steps.project([0, 0, 0], view, 200, 100).slice(0, 2), [100, 50]);
assert.ok(Steps.project([1, 0, 0], view, 200, 100)[0] > 100 && Steps.project([0, 1, 0], view, 200, 100)[1] < 50);
assert.ok(Steps.project([0, 0, 1], view, 200, 100)[2] < 4);
for (const turned of [view, { yaw: 1, pitch: 0.5, distance: 4 }]) {
  const across = 4 * Math.cos(turned.pitch);
  const eye = [across * Math.sin(turned.yaw), 4 * Math.sin(turned.pitch), across * Math.cos(turned.yaw)];
  const edge = Steps.silhouette([1, -0.5, 0.25, 0.75], turned);
  assert.ok(edge.length > 8);
  for (const point of edge) {
    const [out, on] = [[1, -0.5, 0.25].map((c, i) => point[i] - c), point.map((p, i) => p - eye[i])];
    assert.ok(Math.abs(Math.hypot(...out) - 0.75) < 1e-12, "it is on the surface");
    const slope = out.reduce((sum, o, i) => sum + o * on[i], 0);
    assert.ok(Math.abs(slope) < 1e-12, "the line from the eye touches it");
  }
}
assert.deepStrictEqual(Steps.silhouette([0, 0, 0, 5], view), []);
for (const turned of [view, { yaw: 1, pitch: 0.5, distance: 4 }]) {
  const [start, end] = [[-1, -0.5, 0.25], [1, 0.5, -0.5]];
  const edge = Steps.silhouette([...start, 0.5, ...end], turned);
  const balls = [start, end].map((center) => Steps.silhouette([...center, 0.5], turned));
  const flat = (points) => points.map((point) => Steps.project(point, turned, 1, 1));
  const around = flat(edge);
  assert.ok(edge.length > 32 && edge.length < 128);
  assert.ok(edge.every((point) => balls.flat().some((other) => other.every((n, i) => n === point[i]))));
  const turns = ([px, py]) => around.map(([ax, ay], i) => {
    const [bx, by] = around[(i + 1) % around.length];
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
  });
  for (const point of flat(balls.flat())) assert.ok(turns(point).every((turn) => turn > -1e-12), "around both");
}
assert.deepStrictEqual(Steps.silhouette([0, 0, 3.9, 0.5, 0, 0, 4.2], view), []);
const line = "if a < 0:  # not 'it'";
assert.strictEqual(Steps.highlighted(line).map((part) => part[1]).join(""), line);
assert.deepStrictEqual(Steps.highlighted(line).map((part) => part[0]), ["keyword", "", "comment"]);
"""


@pytest.mark.skipif(which("node") is None, reason="the script is JavaScript, and node is not installed")
def test_the_script_steps_as_the_run_went():
    explanation = hitscope.explain(*SHORT, "slab_ericson")
    document = document_of(page_text(explanation, "a"))
    texts = [
        {name: page_steps.value_text(value) for name, value in step.values.items()}
        for step in explanation.trace.steps
    ]
    passes = [[iteration.number for iteration in step.iterations] for step in explanation.trace.steps]
    changes = [new for old, new in zip([None, *passes], passes, strict=False) if new != old]
    script = Path(page.__file__).with_name("page.js")
    done = subprocess.run(
        ["node", "-e", LOGIC, str(script)],
        input=json.dumps({**document, "expected": texts, "passes": changes}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
