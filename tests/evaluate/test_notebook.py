"""What a notebook shows of scenes, reports, verdicts, traces and judgements, and their rows for a DataFrame."""

from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import hitscope
from hitscope import Aabb, HitscopeError, Ray, Segment, Shapes, notebook


class Checked(HTMLParser):
    """Refuses scripts, requests and unbalanced tags, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.pictures = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in {"p", "pre", "table", "thead", "tbody", "tr", "th", "td", "img"}
        if tag == "img":
            self.pictures += 1
            assert str(dict(attributes)["src"]).startswith("data:image/jpeg;base64,")
        else:
            assert not attributes
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def read(value: Any) -> Checked:
    """Return what a notebook shows of a value, which is small and whole."""
    html = value._repr_html_()
    assert len(html) < 150_000
    parser = Checked()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


MADE = hitscope.scene(
    {"<b>box": Aabb((1, -1, -1), (2, 1, 1)), "far": Aabb((9, 9, 9), (10, 10, 10))},
    {"r&r": Ray((0, 0, 0), (1, 0, 0))},
    name="A <scene>",
    expect=[{"probe": "r&r", "primitive": "far", "hit": True}],
)


@pytest.mark.thorough
def test_a_scene_shows_its_picture_and_its_items() -> None:
    shown = read(MADE)
    assert shown.pictures == 1
    assert "A <scene>: 2 primitives, 1 probe" in shown.text and "<b>box primitive aabb 1" in shown.text


def test_a_scene_shows_its_items_where_nothing_can_be_drawn(monkeypatch: Any) -> None:
    def render(*arguments: object) -> None:
        raise HitscopeError("there is no OpenGL 3.3")

    monkeypatch.setattr(hitscope, "render", render)
    shown = read(MADE)
    assert shown.pictures == 0 and "<b>box primitive aabb 1" in shown.text


def test_a_report_shows_counts_differences_and_verdicts() -> None:
    report = hitscope.evaluate(MADE)
    shown = read(report)
    assert repr(report) == "<Report: 1 probe, 2 primitives, 1 of them hit>"
    assert "Report: 1 probe, 2 primitives, 1 of them hit" in shown.text
    assert str(report.mismatches[0]) in shown.text
    assert "r&r <b>box exact True crossing" in " ".join(shown.text.split())


def test_a_large_report_shows_its_first_hits_alone() -> None:
    lows = np.arange(30_000.0).reshape(-1, 1) * 2 * np.ones(3)
    boxes = Shapes.from_fields(Aabb, lows, lows + 1)
    report = hitscope.evaluate(hitscope.scene({"boxes": boxes}, [Segment((0, 0, 0), (100, 100, 100))]))
    shown = read(report)
    assert "51 of them hit; these are the first hits" in shown.text
    assert shown.text.count("segment-0") == notebook.SHOWN_ROWS


def test_the_rows_of_a_report_are_plain_values_of_the_same_names() -> None:
    rows = hitscope.evaluate(MADE).rows()
    assert [list(row) for row in rows] == [list(rows[0])] * 2
    assert [(row["primitive"], row["hit"], row["t_enter"], row["point"]) for row in rows] == [
        ("<b>box", True, 1.0, (1.0, 0.0, 0.0)),
        ("far", False, None, None),
    ]
    assert {type(value) for row in rows for value in row.values()} <= {str, bool, float, tuple, type(None)}
    assert [row["primitive"] for row in hitscope.evaluate(MADE).rows(only_hits=True)] == ["<b>box"]


def test_a_verdict_an_explanation_and_a_trace_show_themselves() -> None:
    pair = Ray((0, 0, 0), (1, 0, 0)), Aabb((1, -1, -1), (2, 1, 1))
    assert "t_enter 1 " in read(hitscope.intersect(*pair)).text
    explanation = hitscope.explain(*pair, "slab_ericson")
    assert read(explanation).text.splitlines()[:3] == repr(explanation).splitlines()[:3]
    shown = read(explanation.trace).text
    assert "if abs(probe.direction[axis]) <= epsilon:" in shown and "answer: " in shown


def test_a_judgement_shows_its_counts_and_findings() -> None:
    judgement = hitscope.judge(lambda point, box: True, "point_aabb", cases=20, generator=["uniform"])
    shown = read(judgement).text
    assert "wrong hit (uniform): expected a miss, found a hit" in shown
    assert repr(judgement).splitlines()[0][1:-1] in shown
    (row,) = judgement.rows()
    assert f"uniform 20 {row['hits']} {row['wrong_hits']} " in " ".join(shown.split())
