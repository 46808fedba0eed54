"""Clipboard commands: copy and cut as scene JSON, paste that or numbers, copy as code or a Python test."""

from collections.abc import Sequence
from itertools import product

from hitscope.draw.selection_geometry import elements_of, indices_of
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Verdict
from hitscope.evaluate.acceptance import right_verdict
from hitscope.evaluate.source_code import as_code, as_test
from hitscope.geometry.shapes import Shape
from hitscope.render.camera import Camera
from hitscope.scene import edits
from hitscope.scene.clipboard_text import copied, copied_view, is_scene_text, parsed
from hitscope.scene.model import FileCamera, FileView
from hitscope.viewer.actions import paste_numbers
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.actions.selecting import has_selection
from hitscope.viewer.state.edit_targets import KINDS, title
from hitscope.viewer.state.state import State, command

MOST_SHAPES, MOST_VERDICTS = 10_000, 100
"""The most shapes, and the most verdicts of pairs, that are copied as source code."""


def copy_text(state: State, text: str) -> None:
    state.host.clipboard = text


@command("copy", "Copy the selection, or the view", keys="Ctrl+C", synonyms="json clipboard")
def copy(state: State) -> None:
    """Copy the selection as a scene; with nothing selected, the view."""
    probes, primitives = _chosen(state)
    if probes or primitives:
        state.host.clipboard = copied(state.session.scene, probes, primitives)
        state.messages.notice = f"Copied {title([*probes, *primitives])}"
        return
    camera = state.display.viewpoint.camera
    own_camera = FileCamera(eye=camera.eye, target=camera.target, fov_deg=camera.fov_deg)
    state.host.clipboard = copied_view(FileView(up=camera.up, camera=own_camera))
    state.messages.notice = "Copied the view"


@command("cut", "Cut the selection", keys="Ctrl+X", is_possible=has_selection)
def cut(state: State) -> None:
    """Copy the selection, and remove it."""
    targets, scene = state.selection.targets, state.session.document.scene
    if not targets:
        raise HitscopeError("Select something to cut")
    element = next((target.item[1] for target in targets if target.item[1] != target.id), None)
    if element is not None:
        raise HitscopeError(f'Cannot cut one element of "{element}": cut the whole item')
    copy(state)
    for kind in KINDS:
        indices = {edits.index_of(scene, kind, target.id) for target in targets if target.kind == kind}
        scene = edits.remove_items(scene, kind, indices)
    name = f"cut {state.selection.title}"
    change(state, scene, name, lambda: setattr(state.messages, "notice", name))


@command("paste", "Paste", keys="Ctrl+V", synonyms="json numbers clipboard insert")
def paste(state: State) -> None:
    """Add the items on the clipboard and select them, take the view on it, or show the numbers on it."""
    text = state.host.clipboard
    if not text.strip():
        raise HitscopeError("The clipboard is empty")
    try:
        if not is_scene_text(text):
            paste_numbers.preview(state, text)
            return
        what = parsed(text, state.session.document.path.absolute().parent)
    except HitscopeError as error:
        state.messages.problem = str(error)
        return
    state.messages.problem = ""
    if isinstance(what, FileView):
        state.display.viewpoint.set(Camera.of_view(what, state.session.corners, state.display.full))
        state.messages.notice = "Pasted the view"
    else:
        paste_numbers.add(state, what)


@command("copy_as_test", "Copy as a Python test", keys="Ctrl+Shift+C", synonyms="pytest regression code")
def copy_as_test(state: State) -> None:
    """Copy the selected pairs as Python tests."""
    pairs = _selected_pairs(state, with_hits=True)
    if not pairs:
        raise HitscopeError("No probe meets a primitive: select one of each to copy them as a test")
    state.host.clipboard = as_test(state.session.report, pairs)
    _, note = _right_verdicts(state, pairs)
    state.messages.notice = f"Copied {len(pairs)} Python {'test' if len(pairs) == 1 else 'tests'}{note}"


def copy_as(state: State, label: str) -> None:
    """Copy the selection, or the current pair, as source code."""
    report, pairs = state.session.report, _selected_pairs(state)[:MOST_VERDICTS]
    targets = dict.fromkeys(target._replace(handle=None) for target in state.selection.targets)
    for i, j in pairs:
        targets[Target("probe", report.probes[i].id)] = None
        targets[Target("primitive", report.elements[j].id)] = None
    count = sum(len(indices_of(report, target)) for target in targets)
    if not count:
        raise HitscopeError(f"Select something to copy it as {label}")
    if count > MOST_SHAPES:
        raise HitscopeError(f"Cannot copy {count:,} shapes as {label}: at most {MOST_SHAPES:,}")
    shapes: dict[tuple[str, str], Sequence[Shape]] = {
        (target.kind, target.id): [elements_of(report, target)[i].shape for i in indices_of(report, target)]
        for target in sorted(targets, key=lambda target: target.kind != "probe")
    }
    verdicts, note = _right_verdicts(state, pairs)
    state.host.clipboard = as_code(label, shapes, verdicts)
    ids = [target.id for target in targets]
    named = " and ".join(ids) if len(ids) < 3 else f"{len(ids)} items"
    state.messages.notice = f"Copied {named} as {label}{note}"


def _right_verdicts(state: State, pairs: Sequence[tuple[int, int]]) -> tuple[list[Verdict], str]:
    """The right verdicts of pairs, and a note where those of the deciding method are wrong."""
    report = state.session.report
    both = [(report.verdict(i, j), right_verdict(report, i, j)) for i, j in pairs]
    wrong = dict.fromkeys(found.method for found, right in both if right is not found)
    note = f", with the exact answer: {' and '.join(wrong)} is wrong" if wrong else ""
    return [right for _, right in both], note


def _selected_pairs(state: State, with_hits: bool = False) -> list[tuple[int, int]]:
    """The selected probes with the selected primitives, as indices; of one kind alone, the current pair.

    With `with_hits` these are the hits, if there are any, of one kind alone or of all.
    """
    picture, (names, items) = state.session.picture, _chosen(state)
    report = picture.report
    probes = [i for name in names if (i := report.probes.find_index(name)) is not None]
    elements = [i for name in items if (i := report.elements.find_index(name)) is not None]
    if (probes and elements) or (names and items and not with_hits):
        return [*product(probes, elements)]
    hits = [pair for pair, verdict in picture.verdicts.by_pair.items() if verdict.hit and with_hits]
    found = [(p, e) for p, e in hits if (p in probes or not names) and (e in elements or not items)]
    alone = state.selection.pair(picture)
    return found or ([] if alone is None else [alone])


def _chosen(state: State) -> tuple[list[str], list[str]]:
    targets = state.selection.targets
    probes = [target.id for target in targets if target.kind == "probe"]
    return probes, [target.id for target in targets if target.kind == "primitive"]
