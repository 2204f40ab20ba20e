"""What values an option takes, in words, from its JSON schema."""

from __future__ import annotations

import json
from typing import Any

Schema = dict[str, Any]

WORDS = {"array": "list", "boolean": "true or false", "null": "null", "number": "number",
         "integer": "integer", "object": "mapping", "string": "text"}  # fmt: skip
BOUNDS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most",
          "exclusiveMaximum": "below"}  # fmt: skip


def resolved(schema: Schema, definitions: Schema) -> Schema:
    """The schema, or what it refers to, with its own keys on top."""
    if "$ref" not in schema:
        return schema
    own = {key: value for key, value in schema.items() if key != "$ref"}
    return {**definitions[schema["$ref"].rpartition("/")[2]], **own}


def type_words(schema: Schema, definitions: Schema) -> str:
    """The values that are valid, in words.

    >>> type_words({"anyOf": [{"type": "integer", "minimum": 1}, {"const": "auto"}]}, {})
    'integer, at least 1; or `auto`'
    """
    found = resolved(schema, definitions)
    for key in ("anyOf", "oneOf"):
        if key in found:
            return "; or ".join(dict.fromkeys(type_words(one, definitions) for one in found[key]))
    if "enum" in found:
        return " or ".join(f"`{plain(value)}`" for value in found["enum"])
    if "const" in found:
        return f"`{plain(found['const'])}`"
    if found.get("format") == "path":
        return "path"
    if found.get("type") == "array":
        return _list_words(found, definitions)
    words = WORDS[found["type"]] if "type" in found else "any value"
    return ", ".join([words, *(f"{BOUNDS[key]} {found[key]}" for key in BOUNDS if key in found)])


def plain(value: Any) -> str:
    """A value as it is written in a configuration."""
    return value if isinstance(value, str) and value else json.dumps(value)


def _list_words(schema: Schema, definitions: Schema) -> str:
    if "prefixItems" in schema:
        parts = [type_words(one, definitions) for one in schema["prefixItems"]]
        same = len(set(parts)) == 1
        return f"list of {len(parts)}: {parts[0]}" if same else f"[{'; '.join(parts)}]"
    inner = type_words(schema["items"], definitions) if "items" in schema else "any value"
    return f"list of {inner}"
