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
EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))


@pytest.fixture(scope="module")
def published() -> Any:
    """A validator of the published schema, which is itself valid."""
    schema = configuration_schema()
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def test_the_published_schema_is_the_one_of_the_code() -> None:
    """Publish it with: snellen schema > docs/reference/configuration.schema.json"""
    assert json.loads(PUBLISHED.read_text()) == configuration_schema()


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
