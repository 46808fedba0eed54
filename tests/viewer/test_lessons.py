"""Lessons: each is solved by mouse and keyboard; the strip, its buttons, and what becomes of the scene."""

import numpy as np
import pytest

from hitscope.draw.items import Role
from hitscope.evaluate import evaluate
from hitscope.evaluate.lesson import unmet
from hitscope.resources import SCENES
from hitscope.scene import ENDING, dump, load, save
from hitscope.scene.model import Condition, FileCamera, FileView, LessonStep, Named
from hitscope.viewer.actions import lessons
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.state.dialogs import Gallery, SaveAs
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.gallery import LESSONS, START, START_HERE, TITLES, examples
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.window.host import DesktopHost
from tests.viewer.samples import box_and_two_probes
from tests.viewer.user import SIZE, WINDOWED, User, status_of

WORK = ["a.scene.json", "b.scene.json", "wedge.obj"]
"""The files of the working folder."""
PATHS = sorted((SCENES / LESSONS).glob("*.scene.json"))


def put(user, probe, **points):
    """Type the coordinates of a probe's points that differ from its own."""
    user.click_on(f"probe {probe}")
    for name, point in points.items():
        for i, (known, wanted) in enumerate(zip(getattr(user.item(probe), name), point, strict=True)):
            parts = (
                [("", known, wanted)]
                if not isinstance(wanted, tuple)
                else [(f"[{k}]", *pair) for k, pair in enumerate(zip(known, wanted, strict=True))]
            )
            for index, now, number in parts:
                if now != number:
                    user.enter(f"field probe {probe} $.{name}[{i}]{index}", str(number))


def scroll_panel(user, by=-10):
    """Scroll to the end of the panel at the right, or back."""
    user.move((1120, 400))
    user.scroll(by, (1120, 400))


def progress(user):
    """The progress in the lesson of the scene that is shown."""
    return user.state.messages.lessons.progress[user.state.session.document]


def solve_slabs(user):
    yield
    user.keys("W")
    x, y = user.arrow(1)
    user.drag((x, y), (x, y - 160.0))
    yield
    put(user, "beam", start=(-4, 1, 2), end=(4, 1, 2))
    yield
    put(user, "beam", start=(0, 1, 3), end=(3, 1, 0))
    yield
    put(user, "beam", start=(-5, 1, 0), end=(4, 1, 0))
    yield


def solve_fraction(user):
    yield
    user.drag(user.pixel((4, 1, 0)), user.pixel((12, 1, 0)))
    yield
    put(user, "reach", end=(1.125, 1, 0))
    yield
    put(user, "reach", end=(0.5, 1, 0))
    yield
    yield


def solve_parallel_ray(user):
    yield
    user.drag(user.pixel(user.item("level").origin), user.pixel((-4, 1, 0)))
    yield
    put(user, "level", origin=(-4, 2, 0))
    yield
    user.click_on("method kay_kajiya")
    yield
    user.enter("field probe level $.direction[1]", "-0")
    yield


def solve_six_faces(user):
    yield
    user.drag(user.pixel((0.5, 1.25, 5)), user.pixel((1.0, 4.0, 0.5)))
    put(user, "dart", start=(0.5, 5, 0), end=(0, -1, 0))
    yield
    put(user, "dart", start=(-5, 1, 0), end=(3, 1, 0))
    yield
    put(user, "dart", start=(-3, 1, 3), end=(1, 1, -1))
    yield
    put(user, "dart", start=(0, 1, 0))
    yield


def solve_turned_box(user):
    yield
    user.click_on("method slab_rotated")
    yield
    put(user, "beam", origin=(0, 1.25, 4), direction=(0, 0, -2))
    yield
    user.click_on("primitive crate")
    user.enter("field primitive crate $.euler_xyz_deg[1]", "-80")
    yield
    yield


def solve_thirteen_axes(user):
    yield
    user.keys("W")
    x, y = user.arrow(1)
    user.drag((x, y), (x, y - 220.0))
    yield
    user.keys("Ctrl+Z")
    x, y = user.arrow(0)
    user.drag((x, y), (x + 400.0, y + 60.0))
    yield
    user.click_on("lesson_fill_in")
    assert user.item("tri").vertices == ((0, 1, 2), (-2, 0.5, 1), (2.5, 4, 2))
    yield
    yield


def solve_printed_mistake(user):
    yield
    user.click(user.pixel((0.9, 1.0, -4.25)))
    yield
    user.click_on("method sat13_printed")
    yield
    user.keys("W")
    x, y = user.arrow(1)
    user.drag((x, y), (x, y - 160.0))
    yield
    yield


def solve_jumping_point(user):
    yield
    put(user, "ball", position=(0, 1, 0))
    yield
    put(user, "motion", end=(1.5, 3.5, 2))
    yield
    put(user, "motion", end=(1.5, 0.5, -0.5))
    yield
    put(user, "motion", end=(-1, 1, 0))
    yield


def solve_angle_sum(user):
    yield
    put(user, "drop", start=(0, 2, 4), end=(0, -2, 4))
    yield
    put(user, "drop", start=(0, 2, 3.05), end=(0, -2, 3.05))
    yield
    scroll_panel(user)
    user.enter("argument segment_triangle tolerance", "0.001")
    yield
    scroll_panel(user, 10)
    put(user, "drop", start=(2, 2, -0.5), end=(2, -2, -0.5))
    yield
    scroll_panel(user)
    user.click_on("clamp")
    yield


def solve_touching(user):
    yield
    user.drag(user.pixel((1.5, 1.25, 0.25)), user.pixel((1.05, 1.25, 0.25)), modifiers=("Ctrl",))
    put(user, "probe", end=(1, 1.25, 0.25))
    yield
    user.click(user.pixel((1, 1.25, 0.25)))
    user.keys("Alt+Right")
    yield
    user.click(user.pixel((1, 1.25, 0.25)))
    user.keys("Alt+Left", "Alt+Left")
    yield
    yield


def solve_wrong_line(user):
    yield
    user.click(user.pixel((0, 1, 1)))
    yield
    user.click_on("method slab_efficient")
    yield
    user.keys("D", "Shift+J")
    stepping = user.state.display.stepping
    assert stepping.run.at == stepping.wrong_line.at
    assert "inverse[1]" in stepping.run.steps[stepping.explanation.wrong_step].source
    user.keys("D")
    yield
    put(user, "away", origin=(3, 3, 0))
    yield
    yield


def solve_far_sphere(user):
    yield
    user.click_on("method quadratic")
    put(user, "beam", origin=(-100000000, 1.05, 0))
    yield
    user.click_on("method haines")
    yield
    user.click_on("method quadratic")
    put(user, "beam", origin=(-4000, 1.05, 0))
    yield


def solve_contact(user):
    yield
    put(user, "puck", center=(2, 0, 0), motion=(1, 0, 0))
    yield
    user.click_on("method moving_spheres")
    yield
    put(user, "puck", center=(1.5, 0, 0))
    yield


def solve_culling(user):
    yield
    user.click_on("probe crate")
    user.enter("field probe crate $.min[0]", "10.5")
    yield
    user.click_on("method positive_vertex")
    yield
    user.click_on("method sat26")
    yield


SOLUTIONS = {
    "01-slabs": solve_slabs,
    "02-fraction": solve_fraction,
    "03-parallel-ray": solve_parallel_ray,
    "04-six-faces": solve_six_faces,
    "05-turned-box": solve_turned_box,
    "06-thirteen-axes": solve_thirteen_axes,
    "07-printed-mistake": solve_printed_mistake,
    "08-jumping-point": solve_jumping_point,
    "09-angle-sum": solve_angle_sum,
    "10-touching": solve_touching,
    "11-wrong-line": solve_wrong_line,
    "12-far-sphere": solve_far_sphere,
    "13-contact": solve_contact,
    "14-culling": solve_culling,
}


SOME_REPLAYED = [
    pytest.param(name, marks=[pytest.mark.replayed] if k % 7 == 0 else []) for k, name in enumerate(SOLUTIONS)
]


@pytest.mark.parametrize("name", SOME_REPLAYED)
def test_a_lesson_is_solved_with_mouse_and_keyboard(open_viewer, name):
    """Each step is unsolved until its input is given; the recording of some of them solves the lesson, too."""
    path = SCENES / LESSONS / f"{name}{ENDING}"
    user = open_viewer(path)
    lesson = user.state.session.scene.lesson
    done = progress(user)
    for index, _ in enumerate(SOLUTIONS[name](user)):
        assert done.index == index
        assert lesson[index].until == "continue" or index in done.solved, (index, done.unmet)
        user.click_on("lesson_continue")
        assert index + 1 == len(lesson) or index + 1 not in done.solved, "before anything was done for it"
    assert done.solved == set(range(len(lesson))) and done.ended and done.shown
    assert user.state.messages.lessons.solved == {f"{LESSONS}/{name}"}
    user.keys("Enter")
    assert done.ended, "a second click at once does not go on"
    user.pass_time(1000 * lessons.DOUBLE_CLICK_SECONDS)
    user.click_on("lesson_continue")
    assert not done.shown
    following = PATHS[PATHS.index(path) + 1 :][:1] or [path]
    assert user.state.session.document.path == following[0]


def test_the_door_that_only_the_ball_hits_is_red_while_it_is_shown_as_missed_by_the_motion(open_viewer):
    user = open_viewer(SCENES / LESSONS / f"08-jumping-point{ENDING}")
    steps = solve_jumping_point(user)
    next(steps)
    user.click_on("lesson_continue")
    next(steps)  # the ball is on the wall, and on the door
    assert user.interface.draw_list.single.triangles.roles.tolist() == [Role.HIT]
    user.keys("Enter", "Ctrl+Enter")
    assert not user.state.session.report.verdict(1, 1).hit
    assert user.interface.draw_list.single.triangles.roles.tolist() == [Role.MISS]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_lesson_asks_for_something_that_is_not_so_as_it_opens(path):
    report = evaluate(load(path))
    asked = [step for step in report.scene.lesson if step.until != "continue"]
    assert len(asked) >= 3 <= len(report.scene.lesson) <= 6
    assert unmet(asked[0], report, ())


def test_every_lesson_has_a_solution():
    assert [path.name.removesuffix(ENDING) for path in PATHS] == list(SOLUTIONS)


# The strip

HIGH = Condition(probe="above", primitive="box", hit=True)
STEPS = (
    LessonStep(say="Look at it.", until="continue", select=Named(probe="ray", primitive="box")),
    LessonStep(say="Lower the segment into the box.", until=HIGH, select=Named(probe="above")),
    LessonStep(
        say="Click the box.",
        until=Condition(primitive="box", selected=True),
        view=FileView(camera=FileCamera(eye=(0.0, 5.0, 9.0), target=(0.0, 0.0, 0.0))),
    ),
)


@pytest.fixture
def pupil(open_viewer):
    """The user of a scene with a lesson of three steps."""
    return open_viewer(box_and_two_probes(lesson=STEPS))


def lower(user):
    """Drag the segment `above` into the box."""
    put(user, "above", start=(-3, 0.5, 0), end=(3, 0.5, 0))


@pytest.mark.replayed
def test_a_step_takes_its_selection_and_view_when_it_begins(pupil):
    user = pupil
    assert user.selected == ["ray"] and user.state.selection.pairing.partner.id == "box"
    user.keys("Enter")
    assert user.selected == ["above"]
    user.keys("Ctrl+Enter")
    user.wait()
    assert user.camera.eye == (0.0, 5.0, 9.0)
    assert user.camera.target == (0.0, 0.0, 0.0)


@pytest.mark.replayed
def test_a_condition_is_ticked_off_while_it_is_reached_and_the_step_is_solved_at_rest(pupil):
    user = pupil
    user.click_on("lesson_continue")
    user.keys("W")
    x, y = user.arrow(1)
    user.drag((x, y), (x, y + 120.0), release=False)
    assert progress(user).unmet == () and not progress(user).solved - {0}
    user.keys("Escape")
    user.release()
    assert progress(user).unmet == ("hit",) and not progress(user).solved - {0}
    lower(user)
    assert progress(user).solved == {0, 1}
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert progress(user).unmet == ("hit",)
    assert progress(user).solved == {0, 1}, "what was solved stays solved"
    user.keys("Enter")
    assert progress(user).index == 2


def test_a_step_is_not_passed_before_it_is_solved_but_can_be_skipped(pupil):
    user = pupil
    user.keys("Enter", "Enter")
    assert progress(user).index == 1
    assert "Ctrl+Enter skips it" in status_of(user.state)
    user.click_on("lesson_skip")
    assert (progress(user).index, progress(user).solved) == (2, {0})
    user.click(user.pixel((0.5, 0.8, 1.0)))
    assert progress(user).solved == {0, 2}
    user.click_on("lesson_continue")
    assert progress(user).ended
    assert not user.state.messages.lessons.solved and not user.state.host.requests
    user.click_on("lesson_back")
    assert progress(user).index == 1, "the step that was skipped"


@pytest.mark.replayed
def test_a_double_click_on_continue_skips_no_task(pupil):
    user = pupil
    on = user.middle_of("lesson_continue")
    user.click(on)
    user.click(on)
    assert progress(user).index == 1 and user.sees("lesson_skip")


@pytest.mark.replayed
def test_back_shows_the_step_before_and_leaves_the_scene(pupil):
    user = pupil
    user.keys("Enter", "Ctrl+Enter", "Ctrl+Enter")
    user.pass_time(1000 * lessons.DOUBLE_CLICK_SECONDS)
    user.keys("Enter", "Ctrl+L")
    assert progress(user).index == 0, "the lesson begins again"
    user.keys("Enter")
    lower(user)
    scene = user.state.session.scene
    user.click_on("lesson_continue")
    user.click_on("lesson_back")
    assert progress(user).index == 1 and user.state.session.scene is scene
    user.keys("Ctrl+Backspace", "Ctrl+Backspace", "Ctrl+Backspace")
    assert progress(user).index == 0


@pytest.mark.replayed
def test_back_on_track_puts_the_scene_back_to_the_beginning_of_the_step(pupil):
    user = pupil
    user.keys("Enter")
    lower(user)
    user.click_on("lesson_continue")
    before = user.state.session.scene
    user.click_on("primitive box")
    user.keys("Delete")
    user.click_on("probe ray")
    user.keys("Delete")
    assert len(user.state.session.scene.lesson) < len(STEPS)
    assert progress(user).index == 2 and user.sees("lesson_back_on_track")
    user.click_on("lesson_back_on_track")
    assert user.state.session.scene == before
    user.wait()
    assert user.camera.eye == (0.0, 5.0, 9.0)
    assert user.state.session.document.undo_name == "undo the step of the lesson"
    user.keys("Ctrl+Z")
    assert not user.state.session.scene.primitives
    user.keys("Ctrl+Home")
    assert user.state.session.scene == before
    user.keys("Ctrl+Backspace", "Ctrl+Home")
    assert user.item("above").start == (-3.0, 2.0, 0.0)


def test_a_lesson_follows_a_new_name(pupil):
    user = pupil
    user.keys("Enter")
    user.click_on("probe above")
    user.enter("id probe", "beam")
    assert user.state.session.scene.lesson[1].until.probe == "beam"
    put(user, "beam", start=(-3, 0.5, 0), end=(3, 0.5, 0))
    assert progress(user).solved == {0, 1}


def test_of_a_disabled_or_deleted_probe_nothing_holds(pupil):
    user = pupil
    user.keys("Enter")
    lower(user)
    user.keys("Shift+E")
    assert progress(user).unmet == ("hit",)
    user.keys("Delete")
    assert progress(user).unmet == ("hit",) and progress(user).solved == {0, 1}


def test_it_is_closed_and_shown_by_mouse_key_and_menu(pupil):
    user = pupil
    user.keys("Enter")
    user.click_on("close lesson")
    assert not user.sees("lesson_continue")
    assert "Ctrl+L shows" in status_of(user.state)
    user.keys("Enter", "Ctrl+Enter", "Ctrl+Home", "Ctrl+Backspace")
    assert progress(user).index == 1 and not user.state.session.document.changed
    user.keys("Ctrl+L")
    assert user.sees("lesson_continue") and progress(user).index == 1
    user.keys("Ctrl+B", "Ctrl+L", "Ctrl+L")
    assert user.sees("lesson_continue"), "with the panels, which were hidden"


def test_a_scene_without_a_lesson_says_so(open_viewer):
    user = open_viewer(box_and_two_probes())
    for keys in ("Ctrl+L", "Enter", "Ctrl+Enter", "Ctrl+Backspace", "Ctrl+Home"):
        user.keys(keys)
        assert status_of(user.state) == lessons.NONE
    assert not user.state.session.document.changed and not user.sees("lesson_continue")


def test_the_place_in_a_lesson_is_kept_while_another_scene_is_shown(open_viewer):
    user = open_viewer(box_and_two_probes(lesson=STEPS), box_and_two_probes())
    user.keys("Enter", "]")
    assert not user.sees("lesson_continue")
    user.keys("[")
    assert user.sees("lesson_continue") and progress(user).index == 1


def test_a_closed_scene_is_opened_with_its_lesson_from_the_beginning(open_paths, work):
    save(box_and_two_probes(lesson=STEPS), work / "a.scene.json")
    user = open_paths("a.scene.json", "b.scene.json")
    user.keys("Enter")
    first = user.state.session.document
    assert progress(user).index == 1
    user.keys("Ctrl+W")
    assert first not in user.state.messages.lessons.progress


def test_a_lesson_that_is_written_while_it_is_shown_is_loaded_again(open_paths, work):
    path = work / "a.scene.json"
    save(box_and_two_probes(lesson=STEPS), path)
    user = open_paths("a.scene.json")
    user.keys("Enter", "Ctrl+Enter")
    path.write_text(dump(box_and_two_probes(lesson=(STEPS[0], LessonStep(say="New.", until="continue")))))
    user.wait_for(lambda: len(user.state.session.scene.lesson) == 2)
    assert lessons.step_of(user.state, progress(user)).say == "New."
    path.write_text(dump(box_and_two_probes()))
    user.wait_for(lambda: not user.state.session.scene.lesson)
    assert not user.sees("lesson_continue") and not lessons.has_lesson(user.state)


def test_a_lesson_is_saved_with_the_scene_after_its_items_were_moved(open_paths, work):
    path = work / "a.scene.json"
    save(box_and_two_probes(lesson=STEPS), path)
    user = open_paths("a.scene.json")
    user.keys("Enter")
    lower(user)
    user.keys("Ctrl+S")
    user.wait_for(lambda: not user.state.session.document.changed)
    assert load(path).lesson == STEPS
    assert progress(user).index == 1 and progress(user).solved == {0, 1}


def test_what_is_done_in_a_lesson_of_the_gallery_is_neither_asked_about_nor_kept(open_paths, work):
    user = open_paths()
    user.keys("Ctrl+G")
    user.click_on(str(PATHS[7]))
    user.wait_for(lambda: lessons.has_lesson(user.state))
    put(user, "ball", position=(0, 1, 0))
    session = user.state.session
    assert session.scene.probes[0].position == (0.0, 1.0, 0.0)
    assert not session.unsaved and not session.unsaved_scenes(10**6)
    user.keys("Ctrl+S")
    assert isinstance(user.state.dialogs.dialog, SaveAs), "a copy is written only to where the user says"
    user.keys("Escape")
    user.close()
    assert user.state.host.closed and sorted(path.name for path in work.iterdir()) == WORK


def test_the_first_steps_and_a_lesson_are_never_shown_at_once(open_viewer):
    user = open_viewer(box_and_two_probes(lesson=STEPS), settings=Settings())
    assert user.sees("lesson_continue") and not user.sees("first step gallery")
    user.keys("F1")
    user.type("first steps")
    user.keys("Enter")
    assert user.sees("first step gallery") and not user.sees("lesson_continue")
    user.keys("Ctrl+L")
    assert user.sees("lesson_continue") and not user.sees("first step gallery")


@pytest.mark.parametrize("size", [(1280, 800), (640, 480)])
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_it_lies_below_the_picture_which_keeps_its_size(open_viewer, path, size):
    user = open_viewer(path, size=size)
    picture = user.state.display.layout.picture
    left, top, width, height = user.state.display.layout.strip
    assert top == picture.top + picture.height and picture.height > 0.5 * size[1]
    for _ in user.state.session.scene.lesson:
        assert user.state.display.layout.picture == picture
        cross, on, back = (user.find(label) for label in ("close lesson", "lesson_continue", "lesson_back"))
        track = user.find("lesson_back_on_track")
        assert left < back.left < back.right < track.left < track.right < on.left < on.right < cross.left
        assert top < on.top < on.bottom < top + height and cross.right < left + width
        user.keys("Ctrl+Enter")


@pytest.mark.parametrize("size, scale", [((1280, 800), 2.0), ((1024, 768), 2.0), ((800, 600), 1.5)])
def test_it_is_shown_at_the_scale_of_a_projector(open_viewer, size, scale):
    user = open_viewer(PATHS[0], size=size, settings=Settings(ui_scale=scale, first_start_seen=True))
    left, top, width, height = user.state.display.layout.strip
    for _ in user.state.session.scene.lesson:
        cross, on, track = (
            user.find(label) for label in ("close lesson", "lesson_continue", "lesson_back_on_track")
        )
        assert left < track.left < track.right < on.left < on.right < left + width
        assert top < cross.top < on.bottom < top + height
        user.keys("Ctrl+Enter")


def test_it_is_left_out_where_its_buttons_would_overlap(open_viewer):
    user = open_viewer(PATHS[0], size=(800, 600), settings=Settings(ui_scale=2.0, first_start_seen=True))
    assert not user.sees("lesson_continue")


# The gallery and the settings


def test_the_gallery_has_the_lessons_after_the_scenes_to_start_with():
    shown = examples()
    themes = list(dict.fromkeys(example.theme for example in shown))
    assert themes[:2] == [START, TITLES[LESSONS]]
    assert [example.path for example in shown if example.theme == TITLES[LESSONS]] == PATHS
    assert PATHS[0] in [SCENES / f"{name}{ENDING}" for name in START_HERE]
    assert [example.path for example in shown].count(PATHS[0]) == 2


def test_the_gallery_opens_a_lesson_and_shows_which_are_solved(widgets):
    settings = Settings(first_start_seen=True, solved_lessons=(f"{LESSONS}/02-fraction",))
    user = User(open_state(DocumentList.of([]), SIZE, settings=settings, limits=WINDOWED), widgets=widgets)
    user.keys("Ctrl+G")
    assert isinstance(user.state.dialogs.dialog, Gallery)
    assert user.state.messages.lessons.solved == {f"{LESSONS}/02-fraction"}
    user.click_on(str(PATHS[0]))
    assert user.state.session.document.path == PATHS[0]
    assert user.sees("lesson_continue")
    user.end()


def test_a_solved_lesson_is_remembered_beside_those_of_other_windows(tmp_path, open_viewer):
    user = open_viewer(box_and_two_probes(lesson=STEPS[:1]))
    file, other = (SettingsFile(tmp_path / "settings.json") for _ in range(2))
    host = DesktopHost(file, lambda *_: np.zeros((1, 1, 3), np.uint8))
    other.remember_lesson("lessons/01-slabs")
    user.keys("Enter")
    assert progress(user).ended
    list(host.poll(user.state, 0))
    host.close()
    own = str(user.state.session.document.path.absolute())
    solved = {*SettingsFile(file.path).settings.solved_lessons}
    assert solved == {"lessons/01-slabs", own}
