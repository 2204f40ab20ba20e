"""The how-to page on Point-GNN says what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from snellen.subjects.pointgnn import PointGnnOptions
from snellen.subjects.registry import checked_subject

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "subjects-pointgnn.md"
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_every_configuration_on_the_page_is_accepted_and_shows_the_defaults(block: str) -> None:
    given = yaml.safe_load(block)["subject"]
    shortest = {key: given[key] for key in ("kind", "weights", "config")}
    assert checked_subject(given, "subject") == checked_subject(shortest, "subject")


def test_every_option_is_on_the_page() -> None:
    shown = yaml.safe_load(max(BLOCKS, key=len))["subject"]
    assert set(shown) | {"name"} == set(PointGnnOptions.model_fields)
