"""The scene file: its model, and how it is loaded, saved and edited."""

from hitscope.errors import Fault, SceneError
from hitscope.scene.edits import add_items, decide_by, remove_items, replace_items
from hitscope.scene.load import ENDING, load, loads
from hitscope.scene.model import AnyPrimitive, AnyProbe, Expectation, FileJudging, MethodChoice, Scene
from hitscope.scene.save import dump, save
from hitscope.scene.schema import schema
