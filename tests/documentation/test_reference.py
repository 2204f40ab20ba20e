"""The committed reference is what the code gives, and its examples are valid."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("griffe", reason="the extra docs is not installed")

import snellen
from documentation.reference.commands import commands
from documentation.reference.pages import reference_pages
from documentation.reference.value_type import type_words
from snellen import api
from snellen.configuration import parse
from snellen.engine.campaign import CampaignFile
from snellen.engine.options import EngineOptions
from snellen.methods.kind import METHODS
from snellen.objects.library.open_objects import checked_objects
from snellen.scenes.registry import READERS
from snellen.subjects.registry import checked_subject

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
GENERATED = (
    "api-signatures.md", "command-line.md", "configuration-methods.md", "configuration-objects.md",
    "configuration-scenes.md", "configuration-subjects.md", "configuration.md",
    "python-signatures.md",
)  # fmt: skip

pages = cache(reference_pages)  # seconds, so in the tests: every worker imports this file


def committed(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GENERATED)
def test_the_committed_page_is_what_the_code_gives(name: str) -> None:
    """Write it with: python -m documentation.reference"""
    assert committed(name) == pages()[name], "run: python -m documentation.reference"


def test_no_other_page_is_generated() -> None:
    assert set(pages()) == set(GENERATED)


def test_every_key_of_a_configuration_is_there_with_its_meaning() -> None:
    for key, field in CampaignFile.model_fields.items():
        if key != "engine":
            assert re.search(rf"^\| `{key}` \|.*\| {re.escape(field.description or '')} \|$",
                             pages()["configuration.md"], re.M), key  # fmt: skip


@pytest.mark.parametrize(
    ("name", "registry"),
    [
        ("configuration-methods.md", METHODS),
        ("configuration-scenes.md", READERS),
    ],
)
def test_every_kind_has_a_section_with_all_its_options(name: str, registry: Any) -> None:
    sections = re.split(r"^## ", pages()[name], flags=re.M)[1:]
    found = {text.partition("\n")[0].strip("`"): text for text in sections}
    kinds = registry.load_all(own=True)
    assert list(found) == list(kinds)
    for kind, loaded in kinds.items():
        keys = re.findall(r"^\| `(\w+)` \|", found[kind], re.M)
        assert set(loaded.options.model_fields) <= set(keys)


def examples(page: str) -> list[dict[str, Any]]:
    blocks = re.findall(r"^```yaml\n(.*?)^```", committed(page), re.M | re.S)
    return [yaml.safe_load(block) for block in blocks]


@pytest.mark.parametrize("example", examples("configuration-subjects.md"))
def test_the_example_of_a_subject_is_valid(example: dict[str, Any]) -> None:
    checked_subject(example["subject"], "subject")


@pytest.mark.parametrize("example", examples("configuration-scenes.md"))
def test_the_example_of_scenes_is_valid(example: dict[str, Any]) -> None:
    values = example["scenes"]
    parse(READERS.load(values["kind"]).options, values, "scenes")


def test_the_other_examples_are_valid() -> None:
    [objects] = examples("configuration-objects.md")
    checked_objects(objects["objects"], "objects")
    [engine] = examples("configuration.md")
    parse(EngineOptions, engine["engine"], "engine")
    for example in examples("configuration-methods.md"):
        [(name, values)] = example.items()
        parse(METHODS.load(name).options, values, name)


def test_a_default_of_zero_is_shown_and_a_bound_too() -> None:
    found = {one.name: one for one in commands()}
    seeds = {one.names[0]: one for one in found["snellen corrupt"].parameters}
    assert seeds["--seed"].default == "0"
    minutes = {one.names[0]: one for one in found["snellen exam"].parameters}["--minutes"]
    assert (minutes.type, minutes.default) == ("number, at least 0.01", "10.0")
    assert found["snellen objects"].is_group
    assert not found["snellen objects build"].is_group


def test_no_command_of_a_plugin_is_in_the_reference() -> None:
    assert "mirror" not in pages()["command-line.md"]


@pytest.mark.parametrize(
    ("page", "names"),
    [("python-signatures.md", set(snellen.__all__) - {"__version__"}),
     ("api-signatures.md", set(api.__all__))],
)  # fmt: skip
def test_every_public_name_has_a_section(page: str, names: set[str]) -> None:
    assert set(re.findall(r"^## (\w+)$", pages()[page], re.M)) == names


def test_types_are_put_into_words() -> None:
    definitions = {"Way": {"enum": ["a", "b"], "type": "string"}}
    pair = {"prefixItems": [{"type": "integer", "exclusiveMinimum": 0}] * 2, "type": "array"}
    assert type_words({"$ref": "#/$defs/Way"}, definitions) == "`a` or `b`"
    assert type_words(pair, {}) == "list of 2: integer, above 0"
    assert type_words({"items": {"type": "string"}, "type": "array"}, {}) == "list of text"
    assert type_words({"type": "string", "format": "path"}, {}) == "path"
