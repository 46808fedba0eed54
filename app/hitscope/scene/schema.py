"""The JSON Schema of the scene file, made from the model, for editors and for programs that write scenes."""

from collections.abc import Iterable
from typing import Any

import msgspec

from hitscope.geometry.registry import of_pair, pairs
from hitscope.scene.model import (
    PRIMITIVES,
    PROBES,
    Condition,
    Expectation,
    FileCamera,
    FileJudging,
    FileMap,
    FileView,
    Scene,
)


def schema() -> dict[str, Any]:
    """Return the schema, draft 2020-12: msgspec's, and the groups of fields that exclude each other."""
    text = msgspec.json.encode(msgspec.json.schema(Scene)).decode()
    for struct in (
        FileView,
        FileCamera,
        FileJudging,
        FileMap,
    ):  # published without the prefix that tells them from the viewer's own
        text = text.replace(struct.__name__, struct.__name__.removeprefix("File"))
    generated = msgspec.json.decode(text)
    definitions = generated["$defs"]
    # What follows is for readers of Python.
    definitions["Scene"]["description"] = definitions["Scene"]["description"].partition("\n\n")[0]
    for kind in (*PRIMITIVES.values(), *PROBES.values()):
        rules = []
        if kind.either:
            rules.append({"oneOf": _choices(kind.either)})
        if kind.at_most_one:
            rules.append({"oneOf": _choices([(), *((name,) for name in kind.at_most_one)])})
        definitions[kind.__name__] |= {"allOf": rules} if len(rules) > 1 else dict(*rules)
    of_pair, of_probe = _choices([("primitive",), ("hits",)])
    of_pair["anyOf"] = [{"required": [name]} for name in Expectation.answers]
    of_probe["properties"] |= dict.fromkeys(Expectation.answers, False)
    definitions["Expectation"]["oneOf"] = [of_pair, of_probe]
    one_of_pair = [{"required": [name]} for name in ("probe", "primitive")]
    definitions["Named"]["anyOf"] = one_of_pair
    condition = definitions["Condition"]
    condition["allOf"] = [{"anyOf": [{"required": [name]} for name in Condition.parts]}, {"anyOf": one_of_pair}]
    whole_pair = ["probe", "primitive"]
    condition["dependentRequired"] = {name: whole_pair for name in Condition.parts if name != "selected"}
    methods = definitions["Scene"]["properties"]["methods"]
    methods["properties"] = {pair: _method_choice(pair) for pair in pairs()}
    methods["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hitscope scene, version 1",
        **generated,
    }


def _method_choice(pair: str) -> dict[str, Any]:
    """Return the schema of a pair's method choices with their arguments."""
    table = of_pair(pair)
    with_arguments = [
        {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"const": name},
                **{
                    argument: {"type": "boolean" if isinstance(default, bool) else "number"}
                    for argument, default in method.arguments.items()
                },
            },
            "additionalProperties": False,
        }
        for name, method in table.items()
    ]
    return {"anyOf": [{"enum": list(table)}, *with_arguments]}


def _choices(groups: Iterable[tuple[str, ...]]) -> list[dict[str, Any]]:
    """Return the schemas of groups of fields of which exactly one is given, one schema a group."""
    groups = list(groups)
    every = {name: False for group in groups for name in group}
    return [
        {"required": list(group), "properties": {name: False for name in every if name not in group}}
        for group in groups
    ]
