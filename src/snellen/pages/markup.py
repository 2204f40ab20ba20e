"""HTML and SVG with automatic escaping: only what `tag` returns is markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from snellen.errors.plain_text import escaped


class Markup(str):
    """Text that is already markup."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"

VOID = frozenset({"br", "hr", "img", "input", "meta"})
RENAMED = {"class_": "class", "for_": "for", "http_equiv": "http-equiv"}


def tag(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element. Attributes that are None or False are left out; `data_x` becomes `data-x`.

    >>> tag("p", "2 < 3", class_="fact", hidden=True, title='"')
    '<p class="fact" hidden title="&quot;">2 &lt; 3</p>'
    """
    attribute_text = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{attribute_text}>")
    return Markup(f"<{name}{attribute_text}>{joined(*children)}</{name}>")


def code_block(text: str) -> Markup:
    """Commands or a file on lines of their own; long lines scroll, with the keyboard too."""
    return tag("pre", text, tabindex="0")


def joined(*children: Child) -> Markup:
    """The concatenated children; text is escaped, None is empty."""
    return Markup("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int | float):
        return escape(escaped(str(child)))
    return "".join(map(_child, child))


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = RENAMED.get(key, key.replace("_", "-"))
    return f" {name}" if value is True else f' {name}="{escape(escaped(str(value)))}"'
