"""YAML text to plain values, with limits that keep a hostile file from filling time or memory.

Aliases share their value in memory, but what is made from the values (checks, messages, a saved
copy) visits it once for each alias. So an alias counts as much as what it stands for.
"""

from __future__ import annotations

from typing import Any

import yaml
from yaml.composer import Composer, ComposerError
from yaml.constructor import ConstructorError
from yaml.events import AliasEvent

DEPTH = 100
"""Lists and mappings inside one another."""
VALUES = 150_000
"""Keys and values of a text, each alias with all that it stands for."""
WHOLE = 1 << 64
"""Whole numbers are smaller in size."""
MOST = 16 << 20
"""Characters of a text."""
SLOW = 100_000
"""Characters up to which a fault is looked up again for PyYAML's own words, which say more."""


def parse_yaml(text: str) -> Any:
    """The values in a YAML text; raises `yaml.YAMLError` for whatever is wrong with it."""
    if len(text) > MOST:
        raise yaml.YAMLError(f"the text has more than {MOST >> 20} million characters")
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        if len(text) > SLOW:
            raise
        try:
            return yaml.load(text, _PlainLoader)
        except ValueError:  # a character beyond Unicode
            raise error from None


_CONSTRUCTION = (
    ValueError, KeyError, IndexError, AttributeError, TypeError, OverflowError,
)  # fmt: skip
"""What PyYAML raises for a value that does not fit its tag."""


class _Bounded(Composer):
    """Composes within the limits, and names the place of a value that cannot be made."""

    def _begin(self) -> None:
        Composer.__init__(self)
        self._depth = self._count = 0
        self._weights: dict[str, int] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[attr-defined]
        before = self._count
        if isinstance(event, AliasEvent):
            self._count += self._weight(event)
        self._count += 1
        self._depth += 1
        if self._depth > DEPTH:
            raise _fault(event, f"more than {DEPTH} lists and mappings in one another")
        if self._count > VALUES:
            raise _fault(event, f"more than {VALUES:,} keys and values, repeated by aliases or not")
        node = super().compose_node(parent, index)
        self._depth -= 1
        if event.anchor is not None and not isinstance(event, AliasEvent):
            self._weights[event.anchor] = self._count - before
        return node

    def _weight(self, event: Any) -> int:
        if event.anchor in self.anchors and event.anchor not in self._weights:
            raise _fault(event, f"the alias '{event.anchor}' stands inside its own value")
        return self._weights.get(event.anchor, 0)

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)  # type: ignore[misc]
        except _CONSTRUCTION as error:
            kind = node.tag.rpartition(":")[2]
            raise ConstructorError(
                None, None, f"no valid {kind} ({str(error)[:100]})", node.start_mark
            ) from None

    def construct_yaml_int(self, node: Any) -> int:
        value: int = yaml.SafeLoader.construct_yaml_int(self, node)  # type: ignore[arg-type]
        if abs(value) >= WHOLE:
            raise ValueError("it has more than 64 bits")
        return value


def _fault(event: Any, problem: str) -> ComposerError:
    return ComposerError(None, None, problem, event.start_mark)


class _PlainLoader(_Bounded, yaml.SafeLoader):
    def __init__(self, text: str) -> None:
        yaml.SafeLoader.__init__(self, text)
        self._begin()


class _FastLoader(_Bounded, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    def __init__(self, text: str) -> None:
        getattr(yaml, "CSafeLoader", yaml.SafeLoader).__init__(self, text)
        self._begin()


_Loader = _FastLoader if yaml.__with_libyaml__ else _PlainLoader
for _one in (_PlainLoader, _FastLoader):
    _made: Any = _one
    _made.add_constructor("tag:yaml.org,2002:int", _Bounded.construct_yaml_int)
