"""The how-to page on torch detectors says what is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.subjects.registry import checked_subject
from snellen.subjects.torch_models.options import TorchOptions
from snellen.subjects.torch_models.user_detector import PARTS

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "subjects-torch.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = [
    yaml.safe_load(block)["subject"] for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
]


@pytest.mark.parametrize("given", BLOCKS)
def test_every_configuration_on_the_page_is_accepted(given: dict[str, Any]) -> None:
    checked_subject(given, "subject")


def test_the_page_shows_the_defaults() -> None:
    given = max((one for one in BLOCKS if "cfg" in one), key=len)
    shortest = {key: given[key] for key in ("kind", "cfg", "weights")}
    assert checked_subject(given, "subject") == checked_subject(shortest, "subject")


def test_every_option_and_part_is_on_the_page() -> None:
    shown = {key for given in BLOCKS for key in given}
    assert set(TorchOptions.model_fields) - shown == {"name"}
    assert all(part in TEXT for part in PARTS)
