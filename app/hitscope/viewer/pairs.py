"""Which pairs of probe and primitive are looked at: what the panel tells of and the picture labels."""

from collections.abc import Mapping

from hitscope.draw.target import Kind
from hitscope.evaluate import Verdict
from hitscope.viewer.app import App


def looked_at(app: App) -> Verdict | None:
    """Give the verdict of what is hovered or selected; where only one half is, with its nearest hit."""
    probe = _index(app, "probe", app.picture.probe_indices)
    element = _index(app, "primitive", app.picture.bodies.indices)
    if probe is None and element is None:
        return None
    if probe is None or element is None:
        for (p, e), verdict in app.picture.verdicts.items():
            if verdict.hit and (probe in (p, None)) and (element in (e, None)):
                return verdict
    if probe is None or element is None:
        return None
    return app.report.verdict(probe, element)


def labelled(app: App) -> list[Verdict]:
    """Give the hits of what is hovered or selected, those of each probe from near to far."""
    ids = {target.id for target in (app.hovered, app.selected) if target is not None}
    return [
        verdict
        for verdict in app.picture.verdicts.values()
        if verdict.hit and (verdict.probe in ids or verdict.primitive in ids)
    ]


def _index(app: App, kind: Kind, indices: Mapping[str, int]) -> int | None:
    for target in (app.hovered, app.selected):
        if target is not None and target.kind == kind and target.id in indices:
            return indices[target.id]
    return None
