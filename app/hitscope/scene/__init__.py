"""The scene file: what it says (model), how it is read (load), written (save) and edited (edits)."""

from hitscope.errors import Fault, SceneError
from hitscope.scene.edits import add_probe, decide_by, remove_probe, replace_probe
from hitscope.scene.load import load, loads
from hitscope.scene.model import AnyPrimitive, AnyProbe, Expectation, MethodChoice, Scene
from hitscope.scene.save import dump, save
from hitscope.scene.schema import schema

__all__ = [
    "AnyPrimitive",
    "AnyProbe",
    "Expectation",
    "Fault",
    "MethodChoice",
    "Scene",
    "SceneError",
    "add_probe",
    "decide_by",
    "dump",
    "load",
    "loads",
    "remove_probe",
    "replace_probe",
    "save",
    "schema",
]
