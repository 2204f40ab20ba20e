from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from snellen.configuration.stored_configuration import as_yaml

PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=200)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), PRINTABLE, st.text())
KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,30}", fullmatch=True)
VALUES = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=15,
    ),
    max_size=4,
)


def plain(values: dict[str, Any]) -> str:
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)


@given(VALUES)
def test_the_fast_writer_writes_what_pyyaml_writes(values: dict[str, Any]) -> None:
    assert as_yaml(values) == plain(values)


@pytest.mark.parametrize("text", ["Straße 😀", "half \udc80", "a\\b", "a\x85b", "x" * 90 + " y"])
def test_text_that_libyaml_writes_otherwise_is_written_as_before(text: str) -> None:
    assert as_yaml({"path": text}) == plain({"path": text})
