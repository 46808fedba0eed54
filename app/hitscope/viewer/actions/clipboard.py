"""Clipboard commands: copy, cut and paste as scene JSON, copy as a Python test."""

from itertools import product

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate.python_tests import as_test
from hitscope.render.camera import Camera
from hitscope.scene import edits
from hitscope.scene.clipboard_text import copied, copied_view, parsed, pasted
from hitscope.scene.model import FileCamera, FileView
from hitscope.scene.named_items import split
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.state import State


def copy(state: State) -> None:
    """Copy the selection as a scene; with nothing selected, the view."""
    probes, primitives = _chosen(state.selection)
    if not probes and not primitives:
        camera = state.display.viewpoint.camera
        own_camera = FileCamera(eye=camera.eye, target=camera.target, fov_deg=camera.fov_deg)
        state.host.clipboard = copied_view(FileView(up=camera.up, camera=own_camera))
        state.messages.notice = "Copied the view"
        return
    state.host.clipboard = copied(state.session.scene, probes, primitives)
    state.messages.notice = f"Copied {_words(probes, primitives)}"


def cut(state: State) -> None:
    """Copy the selection, and remove it."""
    probes, primitives = _chosen(state.selection)
    if not probes and not primitives:
        state.messages.notice = "Select something to cut"
        return
    items = {*state.session.scene.probe_ids, *state.session.scene.primitive_ids}
    element = next((split(name)[0] for name in (*probes, *primitives) if name not in items), None)
    if element is not None:
        state.messages.notice = f'Cannot cut one element of "{element}": cut the whole item'
        return
    copy(state)
    scene = state.session.document.scene
    chosen: tuple[tuple[edits.Kind, list[str]], ...] = ("probe", probes), ("primitive", primitives)
    for kind, names in chosen:
        scene = edits.remove_items(scene, kind, {edits.index_of(scene, kind, name) for name in names})
    name = f"cut {_words(probes, primitives)}"
    change(state, scene, name, lambda: setattr(state.messages, "notice", name))


def paste(state: State) -> None:
    """Add the items on the clipboard and select them, or take the view on it."""
    if not state.host.clipboard.strip():
        state.messages.notice = "The clipboard is empty"
        return
    try:
        what = parsed(state.host.clipboard, state.session.document.path.absolute().parent)
    except HitscopeError as error:
        state.messages.problem = str(error)
        return
    state.messages.problem = ""
    if isinstance(what, FileView):
        state.display.viewpoint.set(Camera.of_view(what, state.session.corners, state.display.full))
        state.messages.notice = "Pasted the view"
        return
    result = pasted(state.session.document.scene, what)
    words = _words(result.probes, result.primitives)

    def select() -> None:
        targets = [Target("probe", name) for name in result.probes]
        state.selection.select(*targets, *(Target("primitive", name) for name in result.primitives))
        state.messages.notice = f"Pasted {words}"

    change(state, result.scene, f"paste {words}", select)


def copy_as_test(state: State) -> None:
    """Copy the selected pairs as Python tests."""
    pairs = _pairs(state)
    if not pairs:
        state.messages.notice = "No probe meets a primitive: select one of each to copy them as a test"
        return
    state.host.clipboard = as_test(state.session.report, pairs)
    state.messages.notice = f"Copied {len(pairs)} Python {'test' if len(pairs) == 1 else 'tests'}"


def _pairs(state: State) -> list[tuple[int, int]]:
    """The selected probes with the selected primitives, as indices; of one kind alone, or of none, the hits."""
    picture = state.session.picture
    names, items = _chosen(state.selection)
    probes = [p for name in names if (p := picture.report.probes.find_index(name)) is not None]
    elements = [e for name in items if (e := picture.report.elements.find_index(name)) is not None]
    if probes and elements:
        return [*product(probes, elements)]
    hits = [pair for pair, verdict in picture.verdicts.by_pair.items() if verdict.hit]
    found = [(p, e) for p, e in hits if (p in probes or not names) and (e in elements or not items)]
    alone = state.selection.pair(state.session.picture)
    return found or ([] if alone is None else [alone])


def _chosen(selection: Selection) -> tuple[list[str], list[str]]:
    """The ids of the selected probes, and of the selected primitives."""
    probes = [target.id for target in selection.targets if target.kind == "probe"]
    return probes, [target.id for target in selection.targets if target.kind == "primitive"]


def _words(probes: "tuple[str, ...] | list[str]", primitives: "tuple[str, ...] | list[str]") -> str:
    names = [*probes, *primitives]
    return names[0] if len(names) == 1 else f"{len(names)} items"
