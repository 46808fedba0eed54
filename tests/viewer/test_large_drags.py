"""Many items that are dragged at once: drawn without rounding meanwhile, and in the end as if each were alone."""

import pytest

from hitscope.draw.target import Target
from hitscope.errors import Fault
from hitscope.scene import transforms
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, SegmentProbe, TrianglePrimitive
from hitscope.scene.transforms import rotate_all
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.state.settings import LIMITS, Limits
from hitscope.viewer.tools.drags.selection_box import seen_within
from hitscope.viewer.tools.gizmo import Translation, gizmo_of
from hitscope.viewer.tools.picking.pick import all_at
from hitscope.viewer.tools.picking.surfaces import pickable_of, surface_at
from hitscope.viewer.tools.pointer import release

pytestmark = pytest.mark.without_panels

CROSSING = SegmentProbe(id="crossing", start=(-3.0, 0.05, 0.05), end=(3.0, 0.05, 0.05))


def row(count):
    """Boxes, turned boxes and triangles in a row along x."""
    found = []
    for i in range(count):
        x = round(0.1 * i - 2.0, 1)
        if i % 3 == 0:
            found.append(AabbPrimitive(min=(x, 0.0, 0.0), max=(round(x + 0.5, 1), 0.1, 0.1)))
        elif i % 3 == 1:
            found.append(
                ObbPrimitive(center=(x, 0.1, 0.0), half_extents=(0.3, 0.2, 0.1), euler_xyz_deg=(0.0, 10.0, 5.0))
            )
        else:
            found.append(TrianglePrimitive(vertices=((x, 0.0, 0.0), (x, 0.3, 0.0), (x, 0.0, 0.3))))
    return found


@pytest.fixture
def many(open_items):
    """A user with so many items selected that their numbers are rounded only at the end of a drag."""
    user = open_items(*row(LIMITS.rough_from), probes=(CROSSING,))
    user.keys("Ctrl+A")
    user.state.selection.select(*(target for target in user.state.selection.targets if target.kind == "primitive"))
    assert len(user.state.selection.targets) == LIMITS.rough_from
    return user


@pytest.fixture
def exact_turns(monkeypatch):
    """The items that were turned one by one, with their numbers rounded."""
    turned, given = transforms._turned, []
    monkeypatch.setattr(transforms, "_turned", lambda item, *more: given.append(item) or turned(item, *more))
    return given


def test_many_turned_items_keep_the_forms_of_the_file_when_released(many, exact_turns):
    user, before = many, many.state.session.scene.primitives
    user.keys("E")
    pivot = gizmo_of(user.state).pivot
    x, y = user.ring()
    user.drag((x, y), (x, y - 30), release=False)
    user.keys("Z", "3", "0")
    assert exact_turns == [] and user.state.session.scene.primitives != before
    assert user.state.session.report.hit_elements.any(), "what is seen on the way has verdicts"
    user.release()
    wanted = rotate_all(before, pivot, (0.0, 0.0, 1.0), 30.0)
    assert len(exact_turns) == 2 * len([item for item in wanted if isinstance(item, ObbPrimitive)])
    assert [item.shape for item in user.state.session.scene.primitives] == [item.shape for item in wanted]
    assert [item.euler_xyz_deg for item in user.state.session.scene.primitives[:2]] == [
        item.euler_xyz_deg for item in wanted[:2]
    ]
    assert user.state.session.document.undo_name == f"turn {LIMITS.rough_from} items"
    user.keys("Ctrl+Z")
    assert user.state.session.scene.primitives == before and not user.state.session.document.changed


def test_one_item_fewer_is_turned_in_the_forms_of_the_file_all_along(many, exact_turns):
    user = many
    user.state.selection.select(*user.state.selection.targets[1:])
    user.keys("E")
    x, y = user.ring()
    user.drag((x, y), (x, y - 30), release=False)
    assert exact_turns


def test_many_are_moved_exactly_and_escape_brings_them_back(many):
    user, before = many, many.state.session.scene.primitives
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("0", ".", "3")
    shown = user.state.session.scene.primitives
    assert shown[3].min == (-1.4, 0.0, 0.0) and shown[3].max == (round(shown[3].min[0] + 0.5, 1), 0.1, 0.1)
    user.keys("Escape")
    assert user.state.session.scene.primitives == before and not user.state.session.document.changed
    user.release()
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("0", ".", "3")
    user.release()
    assert user.state.session.scene.primitives == shown and user.state.session.document.changed


def test_where_the_end_of_a_drag_is_refused_nothing_changes_and_the_reason_is_shown(many, monkeypatch):
    user, before = many, many.state.session.scene.primitives
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    assert user.state.session.scene.primitives != before

    def refuse(*_):
        raise Fault(("max", 0), "a finite number", "infinity")

    monkeypatch.setattr(Translation, "apply", refuse)
    release(user.state)
    assert user.state.messages.notice == "expected a finite number, found infinity"
    assert user.state.session.scene.primitives == before and not user.state.session.document.changed


def test_picking_is_the_same_with_and_without_a_batch_of_its_own(open_items):
    bulk = AabbsPrimitive(
        id="bulk", min=[[-1.0, -1.0, -1.0], [0.0, 0.0, 2.0]], max=[[1.0, 1.0, 1.0], [1.5, 1.5, 3.0]]
    )
    single = AabbPrimitive(id="single", min=(0.5, 0.5, 4.0), max=(2.0, 2.0, 5.0))
    seen = []
    for threshold in (1, 10):
        user = open_items(bulk, single, limits=Limits(bulk_batch_from=threshold))
        assert len(draw_list(user.state).bulk.boxes.roles) == (2 if threshold == 1 else 0)
        x, y = user.pixel((0.0, 0.0, 0.0))
        behind = user.pixel((-0.98, -0.98, 1.0))
        seen.append(
            (
                surface_at(
                    pickable_of(user.state),
                    x,
                    y,
                ).target,
                surface_at(
                    pickable_of(user.state),
                    x,
                    y,
                ).depth,
                surface_at(
                    pickable_of(user.state),
                    *behind,
                ).target,
                all_at(
                    pickable_of(user.state),
                    x,
                    y,
                ),
                seen_within(
                    pickable_of(user.state),
                    (0.0, 0.0),
                    (1280.0, 800.0),
                ),
            )
        )
    picked, _, beside, stacked, _ = seen[0]
    assert picked == Target("primitive", "single") and beside == Target("primitive", "bulk[0]")
    assert {target.id for target in stacked} == {"single", "bulk", "bulk[0]", "bulk[1]"} and seen[0] == seen[1]


def test_edits_of_a_single_item_do_not_lay_out_the_batch_of_a_bulk_item_again(open_items):
    bulk = AabbsPrimitive(
        id="bulk", min=[[-1.0, -1.0, -1.0], [0.0, 0.0, 2.0]], max=[[1.0, 1.0, 1.0], [1.5, 1.5, 3.0]]
    )
    single = AabbPrimitive(id="single", min=(2.0, 0.5, 4.0), max=(2.5, 2.0, 5.0))
    user = open_items(single, bulk, limits=Limits(bulk_batch_from=1, background_from=1))
    boxes, chunks = draw_list(user.state).bulk.boxes, user.state.session.picture.arrays.batches[1].chunks
    user.state.selection.select(Target("primitive", "single"))
    for keys in ("Right", "Ctrl+D", "Ctrl+Z", "Ctrl+Y", "Delete", "Ctrl+Z"):
        before = user.state.session.scene
        user.keys(keys)
        assert (
            user.state.session.scene is not before
            and user.state.session.scene.primitives[1] is before.primitives[1]
        )
        after = draw_list(user.state)
        assert after.bulk.boxes.origins is boxes.origins and after.bulk.boxes.edges is boxes.edges
        assert user.state.session.picture.arrays.batches[1].chunks is chunks
        assert len(after.single.boxes.roles) == len(user.state.session.scene.primitives) - 1
