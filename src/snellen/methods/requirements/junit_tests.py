"""Requirements as test cases of `junit.xml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from snellen.statistics.non_inferiority import LossStatus


def add_requirements(
    suite: ElementTree.Element, owner: str, requirements: Iterable[Mapping[str, Any]]
) -> None:
    """Add a test case for each: a violated one fails, an undecided one is skipped with its reason.

    `snellen gate` has no verdict while one is undecided; a skipped case is how JUnit's readers show
    that there is something to look at.
    """
    for one in requirements:
        case = ElementTree.SubElement(suite, "testcase", classname=owner, name=plain(one["name"]))
        status = LossStatus(one["status"])
        if status == LossStatus.SATISFIED:
            continue
        tag = "failure" if status == LossStatus.VIOLATED else "skipped"
        told = ElementTree.SubElement(case, tag, type=str(status))
        told.set("message", plain(one["says"]))
        told.text = plain("\n".join(_facts(one)))


def _facts(one: Mapping[str, Any]) -> list[str]:
    """The sentence, the loss that the verdict hangs on, and anything else that is a plain value."""
    told = {"says", "name", "value", "low", "high"}
    facts = [f"{key}: {value}" for key, value in one.items() if key not in told and _simple(value)]
    return [one["says"], f"loss: {_loss(one)}", *facts]


def _loss(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return "not known"
    return f"{one['value']:.4f} (interval {one['low']:.4f} to {one['high']:.4f})"


def _simple(value: Any) -> bool:
    return isinstance(value, str | int | float)


def plain(text: str) -> str:
    r"""The text without characters that XML can't hold.

    >>> plain("a\x00b\tc")
    'a?b\tc'
    """
    return "".join(one if one in "\t\n\r" or _allowed(ord(one)) else "?" for one in text)


def _allowed(code: int) -> bool:
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
