"""The published schema accepts what runs and refuses what does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.schema import configuration_schema
from tests.engine.conftest import values

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "reference" / "configuration.schema.json"
PLUGIN = ROOT / "examples" / "plugin"
EXAMPLES = sorted(
    path for path in (ROOT / "examples").rglob("*.yaml") if PLUGIN not in path.parents
)


@pytest.fixture(scope="module")
def published() -> Any:
    """What tells whether values are valid by the schema, which is itself a valid one."""
    schema = configuration_schema(builtin=True)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def test_the_published_schema_is_the_one_of_the_code() -> None:
    """Publish it with: snellen schema --builtin > docs/reference/configuration.schema.json"""
    assert json.loads(PUBLISHED.read_text()) == configuration_schema(builtin=True)


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
