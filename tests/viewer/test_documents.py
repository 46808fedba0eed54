"""Documents: the history and its names, what counts as saved, and where they are saved."""

import pytest
from msgspec.structs import replace

from hitscope.scene import Scene, load, save
from hitscope.scene.items import PointProbe
from hitscope.viewer.state.documents import Document

SCENE = Scene(version=1, primitives=(), probes=(PointProbe(position=(0.0, 0.0, 0.0)),))
A, B, C = (replace(SCENE, name=name) for name in "abc")


@pytest.fixture
def document(tmp_path):
    """A document that was loaded."""
    path = tmp_path / "it.scene.json"
    save(SCENE, path)
    document = Document(path)
    document.begin(load(document.path))
    return document


def test_undo_and_redo_tell_what_they_take_back_and_do_again(document):
    assert (document.undo_name, document.redo_name) == (None, None)
    document.edit(A, "call it a")
    document.edit(B, "call it b")
    assert (document.undo_name, document.redo_name) == ("call it b", None)
    assert document.step(-1)
    assert (document.scene, document.undo_name, document.redo_name) == (A, "call it a", "call it b")
    document.step(-1)
    assert (document.undo_name, document.redo_name) == (None, "call it a")
    assert not document.step(-1)
    document.edit(C, "call it c")
    assert (document.undo_name, document.redo_name) == ("call it c", None)


def test_an_edit_that_changes_nothing_is_none(document):
    document.edit(replace(document.scene), "nothing")
    assert document.undo_name is None
    assert not document.changed


def test_what_was_undone_to_is_saved_or_not_as_it_was(document):
    document.edit(A, "call it a")
    document.mark_saved(document.scene, document.path)
    assert not document.changed
    document.step(-1)
    assert document.changed
    document.step(1)
    assert not document.changed


def test_saved_as_another_file_the_document_is_that_from_then_on(document, tmp_path):
    document.edit(A, "call it a")
    document.mark_saved(A, tmp_path / "other.scene.json")
    assert document.path == tmp_path / "other.scene.json"
    assert not document.changed


def test_a_reload_is_saved_and_can_be_undone(document):
    document.edit(A, "call it a")
    document.reload(B)
    assert (document.scene, document.changed, document.undo_name) == (B, False, "reload")
    document.step(-1)
    assert (document.scene, document.changed) == (A, True)


def test_what_is_restored_is_saved_nowhere(document):
    document.begin(A, is_saved=False)
    assert (document.scene, document.changed, document.undo_name) == (A, True, None)


def test_what_was_removed_from_the_disk_is_not_saved_any_more(document):
    document.mark_removed()
    assert document.changed
    document.mark_saved(document.scene, document.path)
    assert not document.changed


def test_a_document_whose_file_comes_back_as_it_was_is_saved_again(document):
    document.mark_removed()
    assert (document.changed, document.edited) == (True, False)
    document.mark_removed(False)
    assert not document.changed


def test_a_document_that_is_kept_against_its_file_is_saved_nowhere(document):
    document.mark_unsaved()
    assert (document.changed, document.edited, document.saved) == (True, True, None)
    document.mark_saved(document.scene, document.path)
    assert not document.changed
