"""The picture of a step: bars and arrows that stand out, labels that cover nothing, and the caption."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hitscope import geometry
from hitscope.draw.items import Cue, Role
from hitscope.draw.step_marks import step_marks
from hitscope.errors import HitscopeError
from hitscope.explain import explain
from hitscope.explain.value_pictures import ValuePicture, value_pictures
from hitscope.geometry.registry import choose
from hitscope.render.camera import Camera
from hitscope.render.lettering import Sheet
from hitscope.render.offscreen import evaluate_to_draw
from hitscope.render.palette import LIGHT, THEMES, rgb
from hitscope.render.renderer import Settings
from hitscope.render.step_picture import _free_box, _overlap, caption, step_index, step_picture
from hitscope.render.view import View
from hitscope.scene import load
from tests.render.drawn import WHOLE, boxes, drawn, shot

SLABS = Path(__file__).parents[2] / "scenes" / "lessons" / "01-slabs.scene.json"
MISTAKE = SLABS.with_name("07-printed-mistake.scene.json")
FRONT = Camera((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
BAR = (-2.0, 0.0, 0.0), (2.0, 0.0, 0.0)


def slabs():
    report = evaluate_to_draw(load(SLABS))
    probe, primitive = report.probes[0].shape, report.elements[0].shape
    return report, explain(choose("segment_aabb", "slab_ericson"), probe, primitive)


def index_of(step):
    return step_index(slabs()[1], step)


def caption_of(step, run=None):
    run = run or slabs()[1]
    return list(caption(run, step_index(run, step), "beam × box"))


def thickness(pixels, theme, role):
    """The pixels of a colour in the middle column."""
    column = pixels[:, pixels.shape[1] // 2].astype(float)
    return int((np.abs(column - 255 * np.array(rgb(theme.roles[role]))).max(axis=1) < 40).sum())


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_bar_that_stands_out_is_opaque_and_a_quiet_one_is_not(theme):
    def bar(is_new, meaning):
        picture = ValuePicture("t", "interval", BAR, "", is_new, meaning=meaning)
        return shot(step_marks([picture], True).on(drawn()), FRONT, theme=theme)

    loud, quiet = (bar(is_new, "t range") for is_new in (True, False))
    narrow = bar(True, "t pair")
    assert thickness(loud, theme, Role.INTERVAL) >= 6 > thickness(narrow, theme, Role.ENTRY) >= 3
    assert thickness(quiet, theme, Role.INTERVAL) == 0
    assert (quiet != shot(drawn(), FRONT, theme=theme)).any()


def test_a_patch_casts_no_shadow():
    square = ((-2.0, 1.0, -2.0), (2.0, 1.0, -2.0), (2.0, 1.0, 2.0), (-2.0, 1.0, 2.0))
    picture = ValuePicture("p", "patch", square, "", True, meaning="plane equation")
    # The patch is within the bounds of the boxes, which the ground and its grid depend on.
    ends = ((-4.0, 0.0, -3.0), (-3.6, 1.5, -2.6)), ((3.6, 0.0, 2.6), (4.0, 0.4, 3.0))
    scene = drawn(boxes=boxes(*((*end, Role.HIT, Cue.NONE) for end in ends)))
    camera = Camera((0.0, 1.5, 9.0), (0.0, 0.5, 0.0))
    with_patch, without = (
        shot(each, camera, theme=LIGHT) for each in (step_marks([picture], True).on(scene), scene)
    )
    nearest = View(camera, WHOLE).project([square[2]])[0, 1]
    changed = np.abs(with_patch - without).max(axis=2) > 4
    assert changed[: int(nearest)].any() and not changed[int(nearest) + 8 :].any()


def test_the_caption_has_the_line_its_number_and_what_it_changes():
    lines = caption_of(8)
    assert [line.text for line in lines] == [
        "slab_ericson · beam × box · step 8 of 18",
        "t_min = max(t_min, t1)",
        "t_min = 0.375, was 0",
    ]
    source = Path(geometry.__file__).with_name("linear_aabb.py")
    assert source.read_text().splitlines()[int(lines[1].number) - 1].strip() == "t_min = max(t_min, t1)"
    decision = [line.text for line in caption_of("decision")]
    assert "the decision" in decision[0]
    assert any(text.endswith(("→ true", "→ false")) for text in decision[2:])
    assert caption_of(-1)[-1].text == "answer: hit"


def test_the_header_of_a_loop_shows_the_element_of_the_pass():
    report = evaluate_to_draw(load(MISTAKE))
    probe, lost = report.probes[0].shape, report.elements[0].shape
    run = explain(choose("triangle_aabb", "sat13_printed"), probe, lost)
    first = next(k for k, step in enumerate(run.trace.steps) if step.source.strip().startswith("for axis"))
    passes = [k for k, step in enumerate(run.trace.steps) if step.line == run.trace.steps[first].line]
    shown = [line.text.strip() for line in caption_of(passes[1] + 1, run)]
    assert shown[1:3] == ["for axis in (", "cross(u0, f1),"]
    fault = [line.text.strip() for line in caption_of("wrong-line", run)]
    assert "the wrong line" in fault[0] and fault.count("cross(u2, f2),") == 1


def test_steps_count_from_1_and_back_from_the_end():
    assert [index_of(step) for step in (1, -1, 18, -18)] == [0, 17, 17, 0]
    assert index_of("decision") == slabs()[1].trace.deciding_step


@pytest.mark.parametrize("step", [19, -19, 1000])
def test_a_step_out_of_range_names_how_many_there_are(step):
    with pytest.raises(HitscopeError, match=f"^slab_ericson: expected a step from 1 to 18, .* found {step}$"):
        index_of(step)


def test_a_right_answer_has_no_wrong_line():
    with pytest.raises(HitscopeError, match="wrong answer for the step wrong-line, found a right answer"):
        index_of("wrong-line")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("transparent", [False, True])
def test_a_picture_has_its_caption_in_every_theme(theme, transparent):
    settings = Settings((480, 300), theme, 1, transparent=transparent)
    report, run = slabs()
    pixels = step_picture(report, run, 7, "beam", "box", settings).astype(int)
    assert pixels.shape == (300, 480, 4 if transparent else 3)
    panel = pixels[-60:, 10:200, :3].reshape(-1, 3)
    ink = 255 * np.array(rgb(theme.outline))
    assert (np.abs(panel - ink).max(axis=1) < 60).sum() > 20
    if transparent:
        assert pixels[5, 240, 3] == 0 and pixels[-25, 30, 3] > 150


def test_labels_cover_neither_one_another_nor_the_caption():
    sheet = Sheet(Image.new("RGB", (400, 300)), 12.0)
    taken = []
    for _ in range(8):
        box = _free_box(sheet, 200.0, 150.0, "t_enter", taken)
        assert box is not None and not any(_overlap(box, other) for other in taken)
        taken.append(box)
    assert _free_box(sheet, 200.0, 150.0, "t_enter", [(0.0, 0.0, 400.0, 300.0)]) is None
    assert _free_box(sheet, -500.0, 150.0, "t_enter", []) is None


def test_a_step_is_rendered_from_the_command_line(hitscope, tmp_path):
    output = tmp_path / "step.png"
    pair = ("--probe", "beam", "--primitive", "box", "--size", "320x200", "-o", output)
    done = hitscope("render", SLABS, "--step", "-2", "--method", "slab_ericson", *pair)
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(output) as image:
        assert image.size == (320, 200)
    output.unlink()
    for arguments, words in (
        (("--step", "99", "--method", "slab_ericson", *pair), "slab_ericson: expected a step from 1 to 18"),
        (("--step", "0", *pair), "argument --step: expected a step's number from 1"),
        (("--step", "2", "--probe", "bean", *pair[2:]), 'found "bean" (did you mean "beam"?)'),
        (("--step", "2", *pair[:2], *pair[4:]), "expected --probe P, --primitive Q"),
        (pair, "expected --step N with --probe, found none"),
    ):
        failed = hitscope("render", SLABS, *arguments)
        assert failed.returncode == 2 and words in failed.stderr.splitlines()[-1]
        assert "Traceback" not in failed.stderr and not output.exists()


def test_a_loop_that_ends_says_so_and_lights_nothing():
    assert [line.text for line in caption_of(17)][1:] == ["for axis in range(3):", "no more passes"]
    pictures = value_pictures(slabs()[1], 16)
    assert pictures and not any(picture.is_new or picture.is_read for picture in pictures)
