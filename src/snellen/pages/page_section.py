"""The sections of a report, their order, and the resources of the page."""

from __future__ import annotations

from enum import IntEnum
from importlib.resources import files
from typing import NamedTuple

from snellen.pages.markup import Markup
from snellen.store.estimate import Estimate


class Place(IntEnum):
    """The places of sections, from top to bottom; sections at one place keep their order.

    A method can add its own sections before or after those of every report.
    """

    HEADLINE = 0
    BEFORE_FINDINGS = 10
    FINDINGS = 20
    AFTER_FINDINGS = 30
    EVENTS = 40
    AFTER_EVENTS = 50
    CONTROLS = 60
    AFTER_CONTROLS = 70
    TROUBLE = 80
    AGAIN = 90


class PageSection(NamedTuple):
    """A section of the page and its place; empty without markup."""

    place: Place
    markup: Markup | None


class Resource(NamedTuple):
    """A style sheet or a script in a package."""

    package: str
    name: str

    def text(self) -> str:
        """Its text."""
        return files(self.package).joinpath(self.name).read_text(encoding="utf-8")


class Tile(NamedTuple):
    """A number in large figures with its caption; place: among the tiles of every report."""

    value: str
    words: str
    place: int = 1


class RateRow(NamedTuple):
    """A rate drawn as a bar at the top of the page."""

    name: str
    rate: Estimate
    failing: int
    cases: int
    look: str = "tested"
