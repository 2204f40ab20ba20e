"""The options of one mapping of a configuration, as a table with an example."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from documentation.reference.markdown import table
from documentation.reference.value_type import Schema, plain, resolved, type_words

EXAMPLES: dict[str, Any] = {
    "annotations": "val/instances.json",
    "camera": {"kind": "darknet", "cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights"},
    "cfg": "yolov4-tiny.cfg",
    "command": ["python3", "my_program.py"],
    "config": "pointgnn/config",
    "file": "requirements.yaml",
    "images": "val/images",
    "masks": "val/masks",
    "model": "model.onnx",
    "path": "photographs",
    "root": "data",
    "target": "my_detector.py:detect",
    "weights": "yolov4-tiny.weights",
}
"""Values for options that must be given, by key."""
CHOICES: dict[str | None, dict[str, Any]] = {
    "library": {"path": "objects"},
    "pointgnn": {"weights": "pointgnn/model", "config": "pointgnn/config"},
    "tflite": {"model": "model.tflite"},
    "torch": {"target": "my_detector.py:network"},
    "yolo": {"data": "data.yaml"},
}
"""Values by kind, also for options of which one must be given."""
SCALAR = (bool, int, float, str)
HEADS = ("key", "type", "default", "meaning")


def option_rows(schema: Schema, definitions: Schema) -> list[tuple[str, str, str, str]]:
    """A row for each option: the kind first, then those that must be given, then the others."""
    needed = schema.get("required", [])
    named = sorted(
        schema["properties"].items(), key=lambda one: (one[0] != "kind", one[0] not in needed)
    )
    return [
        (
            f"`{key}`",
            type_words(value, definitions),
            _default(key, value, needed),
            resolved(value, definitions).get("description", "").partition("\n\n")[0],
        )
        for key, value in named
    ]


def _default(key: str, value: Schema, needed: list[str]) -> str:
    if key in needed:
        return "must be given"
    found = value.get("default")
    return "see below" if isinstance(found, dict) or "default" not in value else f"`{plain(found)}`"


def nested(schema: Schema, definitions: Schema) -> Iterator[tuple[str, Schema]]:
    """The options that are mappings with keys of their own, each with its key."""
    for key, value in schema["properties"].items():
        for one in (value, *value.get("anyOf", [])):
            inner = resolved(one, definitions)
            if inner.get("properties"):
                yield key, inner


def example(schema: Schema) -> dict[str, Any]:
    """Every option that must be given, with a value; where there is none, the first two others."""
    options = schema["properties"]
    kind = options.get("kind", {}).get("const")
    found = {
        key: value.get("const", EXAMPLES.get(key, key))
        for key, value in options.items()
        if key in schema.get("required", [])
    }
    defaults = {key: value.get("default") for key, value in options.items() if key not in found}
    plain_ones = {key: value for key, value in defaults.items() if isinstance(value, SCALAR)}
    return found | CHOICES.get(kind, {}) or dict(list(plain_ones.items())[:2])


def option_section(name: str, schema: Schema, definitions: Schema, key: str = "") -> list[str]:
    """The lines on one mapping: what it is, an example, its options, and those of mappings in it.

    key: where the mapping stands in a configuration; no example is given without one.
    """
    lines = [f"## {name}", "", schema.get("description", "").partition("\n\n")[0], ""]
    if key:
        text = yaml.safe_dump({key: example(schema)}, sort_keys=False, default_flow_style=None)
        lines += ["```yaml", text.strip(), "```", ""]
    lines += table(HEADS, option_rows(schema, definitions))
    for inner, found in nested(schema, definitions):
        lines += [f"Keys of `{inner}`:", "", *table(HEADS, option_rows(found, definitions))]
    return lines
