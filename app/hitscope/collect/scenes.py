"""Wrong calls as scene files: the pair, and the right answer."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from hitscope.collect.triage import Wrong
from hitscope.errors import HitscopeError
from hitscope.judge.finding_scenes import truth_of
from hitscope.judge.findings import difference
from hitscope.scene import ENDING, Scene, save
from hitscope.targets.judging.rules import Rules


def scene_of(wrong: Wrong, rules: Rules) -> Scene:
    """Return the worst call of a kind as a scene that expects the right answer."""
    finding, call = wrong.finding, wrong.call
    size = f", the worst of {wrong.count}" if wrong.count > 1 else ""
    place = (
        f"From `hitscope collect`, {'shrunk from ' * wrong.is_shrunk}call {call.order} of {call.path.name}{size}"
    )
    name = f"{finding.target.pair}: {finding.kind}"
    return truth_of(finding, rules, name, f"{difference(finding)}. {place}.")


def save_scenes(found: Iterable[Wrong], folder: Path, rules: Rules) -> dict[Wrong, Path]:
    """Write the worst call of each kind into a folder; return the paths. Raises HitscopeError.

    The numbers, the kind and the rules make the name of a file: one that exists is the same call, and stays as it
    is, and those of other calls stay, too. They are tests of what was mended since.
    """
    paths = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for wrong in found:
            path = folder / f"{_stem(wrong, rules)}{ENDING}"
            if not path.exists():
                save(scene_of(wrong, rules), path)
            paths[wrong] = path
    except OSError as error:
        raise HitscopeError(f"{folder}: expected a folder to write scenes into, found: {error.strerror}") from None
    return paths


def _stem(wrong: Wrong, rules: Rules) -> str:
    finding = wrong.finding
    target = finding.target
    words = [target.pair, *(["f32"] if target.real == "float32" else []), finding.kind.replace(" ", "_")]
    checksum = sha256(finding.example.numbers.tobytes() + repr(tuple(rules)).encode()).hexdigest()[:8]
    return "-".join([*words, checksum])
