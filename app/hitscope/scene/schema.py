"""The JSON Schema of the scene file, made from the model, for editors and for programs that write scenes."""

from collections.abc import Mapping, Sequence
from inspect import cleandoc
from typing import Any

import msgspec

from hitscope.geometry.registry import EXACT, Method, method_of, of_pair, pairs
from hitscope.scene import model


def schema() -> dict[str, Any]:
    """Return the schema, draft 2020-12: msgspec's, and the groups of fields that exclude each other."""
    text = msgspec.json.encode(msgspec.json.schema(model.Scene)).decode()
    # Published without the prefix that tells them from the viewer's own.
    for struct in (model.FileView, model.FileCamera, model.FileJudging, model.FileMap):
        text = text.replace(struct.__name__, struct.__name__.removeprefix("File"))
    generated = msgspec.json.decode(text)
    definitions = generated["$defs"]
    for definition in definitions.values():
        if "description" in definition:  # some Pythons keep the indent of a docstring
            definition["description"] = cleandoc(definition["description"])
    # What follows is for readers of Python.
    definitions["Scene"]["description"] = definitions["Scene"]["description"].partition("\n\n")[0]
    for kind in (*model.PRIMITIVES.values(), *model.PROBES.values()):
        rules = []
        if kind.either:
            rules.append({"oneOf": _choices(kind.either)})
        if kind.at_most_one:
            rules.append({"oneOf": _choices([(), *((name,) for name in kind.at_most_one)])})
        definitions[kind.__name__] |= {"allOf": rules} if len(rules) > 1 else dict(*rules)
    pair_rule, probe_rule = _choices([("primitive",), ("hits",)])
    pair_rule["anyOf"] = [{"required": [name]} for name in model.Expectation.answers]
    probe_rule["properties"] |= dict.fromkeys(model.Expectation.answers, False)
    definitions["Expectation"]["oneOf"] = [pair_rule, probe_rule]
    one_of_pair = [{"required": [name]} for name in ("probe", "primitive")]
    definitions["Named"]["anyOf"] = one_of_pair
    parts, condition = model.Condition.parts, definitions["Condition"]
    condition["allOf"] = [{"anyOf": [{"required": [name]} for name in parts]}, {"anyOf": one_of_pair}]
    condition["dependentRequired"] = {name: ["probe", "primitive"] for name in parts if name != "selected"}
    methods = definitions["Scene"]["properties"]["methods"]
    definitions["Exact"] = _method_choice({EXACT: method_of(pairs()[0], EXACT)})  # of most pairs the only method
    methods["properties"] = {
        pair: {"$ref": "#/$defs/Exact"} if len(table := of_pair(pair)) == 1 else _method_choice(table)
        for pair in pairs()
    }
    methods["additionalProperties"] = False
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "hitscope scene, version 1", **generated}


def _method_choice(table: Mapping[str, Method]) -> dict[str, Any]:
    """Return the schema of a choice of one of these methods with its arguments."""
    choices: list[dict[str, Any]] = [{"enum": list(table)}]
    for name, method in table.items():
        fields: dict[str, Any] = {"name": {"const": name}}
        for argument, default in method.arguments.items():
            fields[argument] = {"type": "boolean" if isinstance(default, bool) else "number"}
        choice = {"type": "object", "required": ["name"], "properties": fields, "additionalProperties": False}
        choices.append(choice)
    return {"anyOf": choices}


def _choices(groups: Sequence[tuple[str, ...]]) -> list[dict[str, Any]]:
    """Return the schemas of groups of fields of which exactly one is given, one schema a group."""
    every = dict.fromkeys(name for group in groups for name in group)
    others = [{name: False for name in every if name not in group} for group in groups]
    return [{"required": [*group], "properties": other} for group, other in zip(groups, others, strict=True)]
