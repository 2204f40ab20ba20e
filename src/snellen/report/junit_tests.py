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

    value: what the number is that verdicts hang on. `snellen gate` has no verdict while a test is
    undecided; a skipped case is how JUnit's readers show that there is something to look at.
    """
    for one in tests:
        case = ElementTree.SubElement(suite, "testcase", classname=owner, name=plain(one.name))
        if one.status == LossStatus.SATISFIED:
            continue
        tag = "failure" if one.status == LossStatus.VIOLATED else "skipped"
        told = ElementTree.SubElement(case, tag, type=str(one.status))
        told.set("message", plain(one.says))
        told.text = plain("\n".join(_facts(one, value)))


def _facts(one: RequirementVerdict, value: str) -> list[str]:
    """The sentence, the number that the verdict hangs on, and any other plain value."""
    told = {"says", "name", "value", "low", "high"}
    rest = {key: found for key, found in one.to_json().items() if key not in told}
    facts = [f"{key}: {found}" for key, found in rest.items() if _simple(found)]
    return [one.says, f"{value}: {_measured(one)}", *facts]


def _measured(one: RequirementVerdict) -> str:
    if one.value is None:
        return "not known"
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
