"""The map of a handle: opening it, following the scene in the background, its scale, and the way to a position."""

import numpy as np

from hitscope import numerals
from hitscope.draw.handle_targets import handle_target
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.geometry.registry import EXACT, pair_of
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.maps import Handle, MapPlane, PositionMap, find_handle, plane_facing
from hitscope.maps.aspect_map import aspect_map, catalogue_target
from hitscope.maps.colours import LABELLED, Aspect
from hitscope.maps.handles import mapped_handle
from hitscope.maps.position_map import MapMethod, MethodMap, WrongPosition, nearest_wrong, others_of
from hitscope.scene.items import Single
from hitscope.targets.method_text import method_text
from hitscope.terminal import command_line
from hitscope.viewer.state.edit_targets import edit_target, find_item, replace_targets
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.map_view import COARSE, MOST_COLUMNS, SIZES, SLOW, MapView, Question
from hitscope.viewer.state.state import State, command

NO_HANDLE = "Select a probe, or click a handle, to map what happens when it moves"
ZOOM = 1.5
"""The factor of one step of the wheel."""
WIDEST = 1e3
"""The widest map, in sizes of the picture."""


def is_shown(state: State) -> bool:
    return state.session.map_view.is_open


@command(
    "map",
    "Map the handle: the answer for each position",
    keys="Shift+M",
    synonyms="where wrong heat robustness plane pixels ulp microscope",
    is_on=is_shown,
)
def toggle(state: State) -> None:
    """Show the map of the handle that was clicked, else of the last one of the selected probe; or close it."""
    view = state.session.map_view
    if view.is_open:
        close(state)
    elif (target := _target(state)) is not None:
        _show(view, target)
    else:
        state.messages.notice = NO_HANDLE


def close(state: State) -> None:
    view = state.session.map_view
    view.is_open, view.found, view.answered = False, None, None
    state.jobs.stop("mapping")


def follow_scene(state: State) -> None:
    """Begin to make the map anew where something that it shows has changed, coarser first."""
    view, jobs = state.session.map_view, state.jobs
    if state.session.document is not view.document:
        _open_with_document(state)
    if not view.is_open:
        return
    if (clicked := state.selection.handle) is not None and clicked != view.target:
        view.target, view.center, view.scale = clicked, None, None
    if jobs.mapping is not None:
        return
    try:
        question = _question(state)
        view.problem = "" if question else NO_HANDLE
    except HitscopeError as error:
        question, view.problem = None, error.message
    if question is None:
        view.found = view.answered = None
        return
    noted = view.noted or question
    if noted.scene is not question.scene or noted.handle != question.handle or noted.own is not question.own:
        view.notice, noted = "", question
    view.noted = noted
    if view.sought:
        _begin(state, question._replace(sought=view.sought, aspect="agreement"))
        return
    if _is_answered(view, question):
        return
    plane, coarse = question.plane, question
    if plane.size > COARSE:
        coarser = plane_facing(plane.center, *plane.axes, plane.scale * plane.size / COARSE, COARSE)
        coarse = question._replace(plane=coarser)
    if not _is_answered(view, coarse):
        _begin(state, coarse)
    elif state.tool.drag is None and not state.session.has_preview:
        _begin(state, question)


def _open_with_document(state: State) -> None:
    """Show the map that the file of a document asks for, or none."""
    view, session = state.session.map_view, state.session
    close(state)
    view.document, view.methods = session.document, ()
    if (asked := session.scene.view.map) is not None:
        try:
            _show(view, find_handle(session.scene, asked.handle).target)
            view.scale, view.methods, view.aspect = asked.scale, asked.methods, asked.show
        except HitscopeError as error:
            state.messages.notice = error.message


def _show(view: MapView, target: Target) -> None:
    view.is_open, view.target, view.pair = True, target, None
    view.scale = view.center = view.found = view.answered = None
    view.problem = view.notice = view.sought = ""
    view.needs = {}


def _begin(state: State, question: Question) -> None:
    """Make the map that answers a question, or look for the wrong position that it seeks."""
    own, view = state.session.own, state.session.map_view

    def work(_: Job[PositionMap | WrongPosition | None]) -> PositionMap | WrongPosition | None:
        with own.one_at_a_time:
            return _find_wrong(question) if question.sought else _make(question)

    def take(found: PositionMap | WrongPosition | None) -> None:
        if isinstance(found, PositionMap):
            view.found, view.answered = found, question
        else:
            _take_wrong(state, question, found)

    def refuse(problem: str) -> None:
        view.found, view.answered, view.problem, view.sought = None, question, problem, ""

    state.jobs.mapping = Job("mapping", work, state.display.now, take=take, refuse=refuse)


def zoom(state: State, steps: float, x: float, y: float) -> None:
    """Zoom the map, keeping the position at a fraction of its square; x and y are from 0 to 1, y upwards."""
    view = state.session.map_view
    if view.answered is None:
        return
    plane = view.answered.plane
    # The scale of the plane is a power of two near an ulp, at which single steps would be lost.
    scale = view.scale or plane.scale * plane.size / view.size
    least = plane.scale / plane.ulps
    view.scale = min(max(scale * ZOOM**-steps, least), WIDEST * _full_scale(state, view.size))
    view.notice = ""
    if view.scale < scale:
        right, up = (np.array(axis) for axis in plane.axes)
        off = (x - 0.5) * right + (y - 0.5) * up
        view.center = vec3((np.array(plane.center) + off * view.size * (scale - view.scale)).tolist())


def zoom_to_ulps(state: State) -> None:
    """Zoom to one ulp a pixel around the handle, or back to the size of the picture."""
    view = state.session.map_view
    is_far = view.answered is None or view.answered.plane.ulps * view.answered.plane.size > 2 * view.size
    view.scale, view.center, view.notice = (np.finfo(float).tiny if is_far else None), None, ""


def next_size(state: State) -> None:
    """Make the map of twice as many positions a row, or of the fewest again; its square stays."""
    view = state.session.map_view
    before, view.size = view.size, SIZES[(SIZES.index(view.size) + 1) % len(SIZES)]
    if view.scale is not None:
        view.scale *= before / view.size


def more_columns(state: State, by: int) -> None:
    view = state.session.map_view
    view.methods = ()
    view.columns = min(max(view.columns + by, 1), MOST_COLUMNS)


def go_to(state: State, x: int, y: int) -> None:
    """Put the handle at a pixel of the map: that is an edit like any other."""
    view = state.session.map_view
    if view.answered is not None:
        _put(state, view.answered.plane.position(x, y))


def go_to_wrong(state: State, column: int) -> None:
    """Look for the nearest position at which a method is wrong, outwards through the scales."""
    view = state.session.map_view
    if view.answered is not None and column < len(view.answered.methods):
        view.sought, view.notice = view.answered.methods[column], ""


@command(
    "map_wrong",
    "Go to the nearest wrong position of the map",
    keys="Ctrl+M",
    synonyms="find error counterexample fail",
    is_possible=is_shown,
)
def go_to_first_wrong(state: State) -> None:
    """Look for the nearest wrong position of the first method that is wrong on the map, else of the first one."""
    found = state.session.map_view.found
    wrong = [k for k, method in enumerate(found.methods if found else ()) if method.wrong]
    go_to_wrong(state, wrong[0] if wrong else 0)


def show_aspect(state: State, aspect: Aspect) -> None:
    view = state.session.map_view
    view.aspect, view.answered = aspect, None


def _take_wrong(state: State, question: Question, found: WrongPosition | None) -> None:
    """Put the handle at a wrong position that was found, and the map around it."""
    view = state.session.map_view
    view.sought, view.noted, name = "", None, question.sought
    if found is None:
        reach = numerals.short(question.plane.scale * question.plane.size / 2, 3)
        view.notice = f"Nothing wrong with {name} within {reach}, as far as the pixels of each scale say"
        return
    _put(state, found.vector)
    view.scale, view.center = found.plane.scale, None
    view.notice = f"{name} is wrong here"


def _put(state: State, vector: Vec3) -> None:
    view, scene = state.session.map_view, state.session.document.scene
    if view.target is None or view.target.handle is None:
        return
    if view.center is None and view.answered is not None:
        view.center = view.answered.plane.center
    key, item = edit_target(scene, view.target)
    assert isinstance(item, Single)
    target = handle_target(item, view.target.handle)
    after = replace_targets(scene, {key: target.store(vector)})
    state.session.edit(after, f"move {target.name} of {view.target.id}")


def _target(state: State) -> Target | None:
    """The handle that was clicked, else that of a selected probe or primitive, or of the first probe."""
    if state.selection.handle is not None:
        return state.selection.handle
    scene = state.session.scene
    selected = sorted(reversed(state.selection.targets), key=lambda target: target.kind != "probe")
    for target in (*selected, *(Target("probe", name) for name in scene.probe_ids)):
        if "[" not in target.id:
            item = find_item(scene, target)[1]
            if isinstance(item, Single) and (handle := mapped_handle(item.shape)) is not None:
                return target._replace(handle=handle)
    return None


def _question(state: State) -> Question | None:
    """The question that the map answers now; None where there is no pair."""
    view, session = state.session.map_view, state.session
    target, scene = view.target, session.scene
    ids = scene.probe_ids if target is not None and target.kind == "probe" else scene.primitive_ids
    if target is None or target.handle is None or target.id not in ids:
        return None
    pair = state.selection.pair(session.picture, False)
    names = None if pair is None else (session.report.probes[pair[0]].id, session.report.elements[pair[1]].id)
    if names is not None and target.id in names:
        view.pair = names
    if view.pair is None or target.id not in view.pair:
        others = session.report.elements if target.kind == "probe" else session.report.probes
        if not len(others):
            return None
        view.pair = (target.id, others[0].id) if target.kind == "probe" else (others[0].id, target.id)
    item = find_item(scene, target)[1]
    assert isinstance(item, Single)
    handle = Handle(target, item, f"{target.id}.{handle_target(item, target.handle).name}")
    right, up, _ = (vec3(row) for row in state.display.view.camera.axes.tolist())
    size = view.size if handle.is_stored and view.aspect not in LABELLED else SLOW
    vector = handle.numbers.vector if view.center is None else view.center
    scale = _full_scale(state, size) if view.scale is None else view.scale
    plane = plane_facing(vector, right, up, scale, size)
    other = view.pair[1] if target.kind == "probe" else view.pair[0]
    return Question(scene, handle, other, plane, _methods(state, view), session.own.targets, view.aspect)


def _methods(state: State, view: MapView) -> tuple[str, ...]:
    """The names of the methods that are compared: the deciding one first, and never `exact` beside others."""
    report = state.session.report
    assert view.pair is not None
    i, j = report.probes.find_index(view.pair[0]), report.elements.find_index(view.pair[1])
    if i is None or j is None:
        return (EXACT,)
    probe, primitive = report.probes[i].shape, report.elements[j].shape
    pair, targets = pair_of(probe, primitive), state.session.own.targets
    choices = [] if targets is None else targets.choices(pair, report.scene)
    own, texts = [spec.name for spec in choices], [spec.text for spec in choices]
    view.needs = {}
    named = [name for name in view.methods if name in (*own, *texts) or _is_of_catalogue(state, name, pair)]
    if named:
        return tuple(dict.fromkeys((*own, *(name for name in named if name not in texts))))[:MOST_COLUMNS]
    method, arguments = report.chosen(probe, primitive)
    first = [*own, method_text({"name": method.name, **arguments})] if method.name not in own else own
    others = [name for name in report.methods_of(pair) if name != method.name]
    names = [name for name in dict.fromkeys((*first, *others)) if name != EXACT]
    return tuple(names[: max(view.columns, len(own))]) or (EXACT,)


def _is_of_catalogue(state: State, name: str, pair: str) -> bool:
    """Whether the scene names a method of the catalogue; of any other TARGET note how it can be mapped."""
    view = state.session.map_view
    try:
        return bool(method_text(name))
    except HitscopeError as error:
        path = str(state.session.document.path)
        file = f"./{path}" if path.startswith("-") else path
        view.needs[error.message] = command_line("hitscope", "open", file, "--method", f"{pair}={name}")
        return False


def _find_wrong(question: Question) -> WrongPosition | None:
    plane, name = question.plane, question.sought
    around = plane_facing(question.handle.numbers.vector, *plane.axes, plane.scale, plane.size)

    def judged(wanted: MapPlane) -> MethodMap:
        return _make(question._replace(plane=wanted, methods=(name,))).methods[0]

    return nearest_wrong(judged, around, plane.scale)


def _make(question: Question) -> PositionMap:
    others = others_of(question.scene, question.handle, question.other)
    pair = question.handle.pair_with(others[0])
    methods = []
    own = {} if question.own is None else {spec.name: spec for spec in question.own.choices(pair, question.scene)}
    for name in question.methods:
        if question.own is not None and name in own:
            target, rules = question.own[own[name]], question.own.rules(pair, question.scene)
            methods.append(MapMethod(name, {pair: target}, own[name].real, rules))
        else:
            # Compiled even for a coarse map, which a fine one follows.
            methods.append(MapMethod(name, {pair: catalogue_target(name, pair)}))
    return aspect_map(question.aspect, question.handle, question.plane, methods, others)


def _full_scale(state: State, size: int) -> float:
    """The scene units a pixel of a map that is as large as the picture, at the depth of the camera's target."""
    view = state.display.view
    return view.camera.pixel_size(view.camera.distance, size)


def _is_answered(view: MapView, question: Question) -> bool:
    """Whether the map that was found answers a question."""
    answered = view.answered
    return answered is not None and answered.scene is question.scene and answered[1:] == question[1:]
