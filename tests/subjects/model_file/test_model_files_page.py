"""The how-to page on model files says what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from snellen.subjects.decoders.registry import DECODERS
from snellen.subjects.registry import checked_subject

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "subjects-model-files.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL))
def test_every_configuration_on_the_page_is_accepted(block: str) -> None:
    checked_subject(yaml.safe_load(block)["subject"], "subject")


def test_every_decoder_is_on_the_page_with_its_suppression() -> None:
    for decoder in DECODERS:
        [row] = [line for line in TEXT.splitlines() if f"| `{decoder.name}`" in line]
        expected = "none" if decoder.nms == 1 else str(decoder.nms)
        assert row.rstrip(" |").endswith(f"| {expected}"), decoder.name
        assert f"| {decoder.preprocessing.fit}" in row
        assert f"| {decoder.preprocessing.channels.upper()}" in row
