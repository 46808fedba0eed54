"""The user's own methods, which the command line gave to the window, and what they answered last."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Self, TypeAlias, cast

import numpy as np

from hitscope.evaluate import Elements
from hitscope.evaluate.report import NO_OWN_METHODS, OwnMethods
from hitscope.geometry.arrays import Shapes, has_width
from hitscope.geometry.registry import EXACT, Chosen, choose
from hitscope.geometry.shapes import Shape
from hitscope.scene import Scene
from hitscope.scene.edits import ids_of, items_of
from hitscope.scene.items import Single
from hitscope.targets.cases import Cases
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.judging.target_method import TargetAnswer, TargetMethod
from hitscope.targets.judging.truth import Truth
from hitscope.targets.process import print_to_stderr, process_ahead
from hitscope.viewer.state.documents import EMPTY, Document
from hitscope.viewer.state.edit_targets import KINDS

Key: TypeAlias = str
"""The text of a shape, which tells the signs of zeros apart."""
Opener: TypeAlias = Callable[[Callable[[str], None]], DecidingTargets]
"""Makes the targets from their files as they are now; takes what is called with what they print."""


class Listed:
    """The elements of one type, with their keys."""

    def __init__(self, elements: Elements, kind: type) -> None:
        self.elements = elements
        of_kind = [
            (part.first + i, shape)
            for part in elements.parts
            if (type(part.shape) if part.shapes is None else part.shapes.kind) is kind
            for i, shape in enumerate(part.shapes or [cast(Shape, part.shape)])
        ]
        self.indices = [index for index, _ in of_kind]
        self._shapes = [shape for _, shape in of_kind]
        self.keys = [*map(key_of, self._shapes)]
        self._arrays = Shapes.of(self._shapes) if has_width(kind) and of_kind else None
        self._by_identity = {id(shape): key for shape, key in zip(self._shapes, self.keys, strict=True)}
        self._named: tuple[Sequence[Shape], list[Key]] = (), []

    def shapes(self, places: list[int]) -> Sequence[Shape]:
        """The shapes at some positions of these lists, as an array where their type has one."""
        return [self._shapes[k] for k in places] if self._arrays is None else self._arrays[np.array(places)]

    def keys_of(self, shapes: Sequence[Shape]) -> list[Key]:
        """The keys of some shapes; of the same sequence again, as in a drag, they are not looked up again."""
        if self._named[0] is not shapes:
            self._named = shapes, [self._by_identity.get(id(shape)) or key_of(shape) for shape in shapes]
        return self._named[1]


class Answers(NamedTuple):
    """The answers of a method to the pairs of its types."""

    primitives: Listed
    """A drag of a probe leaves them as they are, and their keys are not written again."""
    by_probe: Mapping[Key, Mapping[Key, TargetAnswer]]
    """By the key of the probe, and by that of the primitive."""


class Answered(NamedTuple):
    """The answers of the methods to a scene."""

    scene: Scene
    document: Document
    targets: DecidingTargets
    methods: Mapping[str, Chosen]
    """The methods by the pair of types."""
    answers: Mapping[str, Answers]
    """By the pair of types; of methods of the catalogue there are none."""


class Called(NamedTuple):
    """The result of a call."""

    targets: DecidingTargets
    """The targets of the files as they are now or, where those cannot be loaded, the ones before."""
    answered: Answered | None
    load_problem: str
    call_problem: str


class _Made(NamedTuple):
    """Methods, and what they were made of."""

    known: Answered
    scene: Scene
    looks: Mapping[str, str]
    methods: OwnMethods


class OwnCode:
    """The user's own methods. Written by `actions/own_code.py`; a window without any has an empty one."""

    def __init__(self, opener: Opener | None = None) -> None:
        """Begin with the targets of `opener`, if that is given, which are loaded at the begin of a `with`."""
        self.opener = opener
        self.targets = None if opener is None else opener(print_to_stderr)
        """The targets of the last version of the files that could be loaded."""
        self.answered: Answered | None = None
        """Their last answers, perhaps to an earlier scene."""
        self.asked: Scene | None = None
        """The scene of which they were asked last, whether they answered or failed."""
        self.is_changed = False
        """Whether a file has changed since it was loaded."""
        self.load_problem = self.call_problem = ""
        """Why the files cannot be loaded, and why the scene that was asked last has no answers."""
        self.looks: dict[str, str] = {}
        """The methods of the catalogue that the user lets decide instead for a while, by the pair of types."""
        self.one_at_a_time = Lock()
        """Held by the thread that calls the targets."""
        self.start_ahead: Callable[[], None] = lambda: None
        """Starts the process of the next version, unless it waits already."""
        self._ahead = ExitStack()
        self._made: _Made | None = None

    @property
    def files(self) -> list[Path]:
        """The files whose changes matter."""
        return [] if self.targets is None else sorted(map(Path, self.targets.files))

    def __enter__(self) -> Self:
        """Load the targets; raises HitscopeError for one that cannot be called."""
        if self.targets is not None:
            try:
                self.targets.methods(EMPTY)
            except BaseException:
                self.targets.close()
                raise
            self.start_ahead = self._ahead.enter_context(process_ahead())
            self.start_ahead()
        return self

    def __exit__(self, *_: object) -> None:
        self._ahead.close()
        if self.targets is not None:
            self.targets.close()

    def has_answered(self, document: Document) -> bool:
        """Whether there are answers, perhaps old ones, of a document."""
        return self.answered is not None and self.answered.document is document

    def decides(self, pair: str) -> bool:
        """Whether there is a method of the user's own for a pair of types."""
        return self.answered is not None and pair in self.answered.methods

    @property
    def problem(self) -> str:
        """Why the verdicts are old, in lines; empty where they are not, or are about to come."""
        return self.load_problem or self.call_problem

    def is_old(self, scene: Scene) -> bool:
        """Whether the verdicts that are shown are not those of the files and of the scene as they are now."""
        return self.is_behind(scene) or self.is_changed or bool(self.load_problem)

    def is_behind(self, scene: Scene) -> bool:
        """Whether the last answers are not those of the loaded targets to a scene."""
        if self.targets is None:
            return False
        known = self.answered
        return known is None or known.scene is not scene or known.targets is not self.targets

    def methods(self, document: Document, scene: Scene) -> OwnMethods:
        """The methods, which know the last answers; the same object while these and the scene are the same."""
        known = self.answered
        if known is None or not self.has_answered(document):
            return NO_OWN_METHODS
        made = self._made
        if made is None or made.known is not known or made.scene is not scene or made.looks != self.looks:
            self._made = made = _Made(known, scene, dict(self.looks), self._make(known, scene))
        return made.methods

    def _make(self, known: Answered, scene: Scene) -> OwnMethods:
        before = _shapes_before(known.scene, scene)
        own = {
            pair: _remembering(chosen, pair, known.answers[pair], before) if pair in known.answers else chosen
            for pair, chosen in known.methods.items()
        }
        looks = {}
        for pair in self.looks.keys() & own.keys():
            choice = scene.methods.get(pair, EXACT)
            named = choice if isinstance(choice, str) else choice["name"]
            looks[pair] = choose(pair, choice if named == self.looks[pair] else self.looks[pair])
        return OwnMethods(own | looks, {pair: own[pair] for pair in looks})


key_of: Final[Callable[[Shape], Key]] = repr


def _shapes_before(before: Scene, scene: Scene) -> dict[Key, Key]:
    """The keys of the shapes of changed items, with those of what they were before."""
    found = {}
    for kind in reversed(KINDS):
        items, old_items = items_of(scene, kind), items_of(before, kind)
        if items is old_items:
            continue
        known = dict(zip(ids_of(before, kind), old_items, strict=True))
        for name, item in zip(ids_of(scene, kind), items, strict=True):
            other = known.get(name)
            if other is not item and isinstance(item, Single) and type(other) is type(item):
                found[key_of(item.shape)] = key_of(other.shape)
    return found


def _remembering(chosen: Chosen, pair: str, answers: Answers, before: Mapping[Key, Key]) -> Chosen:
    """A method that gives known answers; to a changed shape the one to what it was, to a new one that of exact."""

    def answer(probes: Sequence[Shape], primitives: Sequence[Shape]) -> list[TargetAnswer]:
        """Answer the pairs of one probe."""
        of_probe, by_probe = key_of(probes[0]), answers.by_probe
        now, then = by_probe.get(of_probe, {}), by_probe.get(before.get(of_probe, of_probe), {})
        keys = answers.primitives.keys_of(primitives)
        found = [now.get(key) or then.get(before.get(key, key)) for key in keys]
        if None not in found:
            return cast(list[TargetAnswer], found)
        new = [shape for shape, known in zip(primitives, found, strict=True) if known is None]
        hits = iter(Truth(Cases.of_shapes(pair, probes[: len(new)], new)).hit.tolist())
        return [TargetAnswer(next(hits)) if known is None else known for known in found]

    return Chosen(TargetMethod.of(chosen.method.name, pair, answer), {})
