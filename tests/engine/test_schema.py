"""The published schema accepts what runs and refuses what does not."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.schema import configuration_schema
from snellen.scenes.registry import READERS
from tests.engine.conftest import values

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "reference" / "configuration.schema.json"
PLUGIN = ROOT / "examples" / "plugin"
EXAMPLES = sorted(
    path for path in (ROOT / "examples").rglob("*.yaml") if PLUGIN not in path.parents
)


@pytest.fixture(scope="module")
def published() -> Any:
    """A validator of the published schema, which is itself valid."""
    schema = configuration_schema(builtin=True)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def test_the_published_schema_is_the_one_of_the_code() -> None:
    """Publish it with: snellen schema --builtin > docs/reference/configuration.schema.json"""
    assert json.loads(PUBLISHED.read_text()) == configuration_schema(builtin=True)


def test_a_plugin_stands_in_the_schema_and_a_broken_one_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "brought.py").write_text(
        "from snellen.scenes.registry import READERS\nREADER = READERS.load('folder')\nNONE = 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    points = {"brought": "brought:READER", "absent": "absent:READER", "bare": "brought:NONE"}
    found = {name: EntryPoint(name, text, READERS.group) for name, text in points.items()}
    monkeypatch.setattr(
        "snellen.plugins.installed", lambda group: found if group == READERS.group else {}
    )
    kinds = configuration_schema()["properties"]["scenes"]["oneOf"]
    named = [kind["allOf"][1]["properties"]["kind"]["const"] for kind in kinds]
    assert named == [*READERS.builtin, "brought"]
    assert "absent" in caplog.text
    assert "bare" in caplog.text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_valid_and_loads(path: Path, published: Any) -> None:
    published.validate(yaml.safe_load(path.read_text()))
    load_campaign(path)


@pytest.mark.parametrize(
    "change",
    [
        {"sceens": {}},
        {"subject": {"kind": "nothing"}},
        {"subject": {"scor": 1}},
        {"scenes": {"kind": "synthetic", "count": "many"}},
        {"identity": {"repeats": 0}},
        {"engine": {"batch": -0.5}},
        {"method": "identty"},
    ],
)
def test_mistakes_are_refused(change: dict[str, Any], published: Any) -> None:
    published.validate(values())
    with pytest.raises(jsonschema.ValidationError):
        published.validate(values(**change))
