"""Requirements as test cases of `junit.xml`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import RequirementVerdict


def add_tests(
    suite: ElementTree.Element, owner: str, tests: Iterable[RequirementVerdict], value: str
) -> None:
    """Add a test case for each: a violated one fails, an undecided one is skipped with its reason.

    value: the name of the number that decides verdicts. `snellen gate` has no verdict while a test
    is undecided; JUnit readers show that as a skipped case.
    """
    for one in tests:
        case = ElementTree.SubElement(suite, "testcase", classname=owner, name=plain(one.name))
        if one.status == LossStatus.SATISFIED:
            continue
        tag = "failure" if one.status == LossStatus.VIOLATED else "skipped"
        element = ElementTree.SubElement(case, tag, type=str(one.status))
        element.set("message", plain(one.says))
        element.text = plain("\n".join(_facts(one, value)))


def _facts(one: RequirementVerdict, value: str) -> list[str]:
    """The sentence, the number that decides the verdict, and any other plain value."""
    shown = {"says", "name", "value", "low", "high"}
    rest = {key: found for key, found in one.to_json().items() if key not in shown}
    facts = [f"{key}: {found}" for key, found in rest.items() if _simple(found)]
    return [one.says, f"{value}: {_measured(one)}", *facts]


def _measured(one: RequirementVerdict) -> str:
    if one.value is None:
        return "unknown"
    within = "" if one.ends is None else f" (interval {one.ends[0]:.4f} to {one.ends[1]:.4f})"
    return f"{one.value:.4f}{within}"


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
