"""The reference of configuration files, from the published JSON schema."""

from __future__ import annotations

from collections.abc import Iterator

from documentation.reference.markdown import page, table
from documentation.reference.option_table import HEADS, option_rows, option_section
from documentation.reference.value_type import Schema, resolved
from snellen.engine.campaign import CampaignFile
from snellen.engine.schema import configuration_schema
from snellen.objects.library.cut_options import CutOptions
from snellen.objects.library.open_objects import LibraryOptions

CHOSEN = {"subject": "configuration-subjects.md", "scenes": "configuration-scenes.md",
          "objects": "configuration-objects.md"}  # fmt: skip
"""Keys whose mapping depends on its `kind`, with the page of the kinds."""
METHODS = "configuration-methods.md"


def configuration_pages() -> dict[str, str]:
    """The pages by file name."""
    schema = configuration_schema(builtin=True)
    return {
        "configuration.md": _file_page(schema),
        CHOSEN["subject"]: _kinds_page("Subjects in a configuration", "subject", schema),
        CHOSEN["scenes"]: _kinds_page("Scenes in a configuration", "scenes", schema),
        CHOSEN["objects"]: _objects_page(),
        METHODS: _methods_page(schema),
    }


def _file_page(schema: Schema) -> str:
    methods = schema["properties"]["method"]["enum"]
    keys = {key: value for key, value in schema["properties"].items() if key not in methods}
    rows = option_rows({**schema, "properties": {**keys, "engine": _engine(schema)}}, _of(schema))
    rows = [_chosen(row[0].strip("`")) or row for row in rows]
    return page(
        "Configuration files",
        [
            "A configuration is one YAML file. `snellen init` writes one with every option "
            "explained, unknown keys are errors, and relative paths start at the file's folder. "
            "`snellen schema` prints the JSON Schema for your editor; "
            "[the published one](configuration.schema.json) has what Snellen itself brings.",
            "",
            *table(HEADS, [row for row in rows if row[0] != "`engine`"]),
            f"The options of a method stand under its name: [methods]({METHODS}).",
            "",
            *option_section("`engine`", _engine(schema), _of(schema), "engine"),
        ],
    )


def _chosen(key: str) -> tuple[str, str, str, str] | None:
    """The row of a key whose mapping depends on its kind; None for any other key."""
    if key not in CHOSEN:
        return None
    field = CampaignFile.model_fields[key]
    default = "must be given" if field.is_required() else "`null`"
    return f"`{key}`", f"mapping, [by kind]({CHOSEN[key]})", default, field.description or ""


def _kinds_page(title: str, key: str, schema: Schema) -> str:
    lines = [f"`{key}` is a mapping; its `kind` decides which other keys it has.", ""]
    for kind, options in _kinds(key, schema):
        lines += option_section(f"`{kind}`", options, _of(schema), key)
    return page(title, lines)


def _kinds(key: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Each kind with the schema of its options, in which the kind is fixed."""
    for one in schema["properties"][key]["oneOf"]:
        reference, named = one["allOf"]
        options = resolved(reference, _of(schema))
        fixed = {**options["properties"].get("kind", {}), **named["properties"]["kind"]}
        fixed = {"description": "the kind", **fixed, "type": "string"}
        needed = sorted({"kind", *options.get("required", [])})
        properties = {**options["properties"], "kind": fixed}
        yield fixed["const"], {**options, "properties": properties, "required": needed}


def _objects_page() -> str:
    library, cut = LibraryOptions.model_json_schema(), CutOptions.model_json_schema()
    library["required"] = ["kind", *library["required"]]
    return page(
        "Objects in a configuration",
        [
            "`objects` is a library that [was built before](../how-to/objects.md), or scenes to "
            f"cut objects from: any [kind of scenes]({CHOSEN['scenes']}) with the keys of that "
            "kind and, beside them, the keys for cutting.",
            "",
            *option_section("`library`", library, library.get("$defs", {}), "objects"),
            *option_section("Keys for cutting", cut, cut["$defs"]),
        ],
    )


def _methods_page(schema: Schema) -> str:
    lines = ["`method` names one; its options stand under its name.", ""]
    for name in schema["properties"]["method"]["enum"]:
        options = resolved(schema["properties"][name]["anyOf"][0], _of(schema))
        lines += option_section(f"`{name}`", options, _of(schema), name)
    return page("Methods in a configuration", lines)


def _engine(schema: Schema) -> Schema:
    return resolved(schema["properties"]["engine"]["anyOf"][0], _of(schema))


def _of(schema: Schema) -> Schema:
    found: Schema = schema["$defs"]
    return found
