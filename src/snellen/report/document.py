"""The page `report.html`."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from snellen.configuration.secret_values import without_secrets
from snellen.configuration.stored_configuration import as_yaml
from snellen.disk.yaml_text import parse_yaml
from snellen.methods.kind import view_of
from snellen.methods.view import View
from snellen.pages.embedded_pictures import Album
from snellen.pages.event_table import event_section
from snellen.pages.gallery import WORDS_SCRIPT, Card
from snellen.pages.html_page import html_page
from snellen.pages.markup import Child, Markup, code_block, tag
from snellen.pages.page_section import PageSection, Place, Resource
from snellen.pages.tables import section, table
from snellen.report import sections
from snellen.report.findings_section import findings_section
from snellen.report.words import title
from snellen.store.summary import Summary

PAGE_STYLE = Resource("snellen.pages", "page.css")
PAGE_SCRIPT = Resource("snellen.pages", "page.js")
CLOUD_SCRIPT = Resource("snellen.pages.solids", "point_cloud.js")
LIBRARIES = ("numpy", "opencv-python-headless", "onnxruntime")


@dataclass(frozen=True)
class Facts:
    """The contents of the page besides pictures.

    started: seconds since 1970, or None. skipped: the skipped items and reasons. configuration: the
    resolved one. found: the total number of findings. origin: how they were found.
    """

    summary: Summary
    folder: Path
    started: float | None
    skipped: Sequence[Sequence[str]]
    configuration: str
    found: int
    origin: str = ""

    @property
    def view(self) -> View:
        """What the method shows."""
        return view_of(self.summary.method)


def document(
    facts: Facts, cards: Sequence[Card], own: Sequence[PageSection] = (), album: Album | None = None
) -> str:
    """The whole page, without links out of the run folder.

    own: the method's sections. album: their pictures.
    """
    album = Album() if album is None else album
    clouds = (CLOUD_SCRIPT,) if any(card.cloud for card in cards) else ()
    script = "\n".join(
        one.text() for one in (WORDS_SCRIPT, PAGE_SCRIPT, *facts.view.scripts, *clouds)
    )
    style = "\n".join(one.text() for one in (PAGE_STYLE, *facts.view.styles))
    parts = sorted([*_common(facts, cards, album), *own], key=lambda one: one.place)
    summary = facts.summary
    return html_page(
        f"{summary.subject.name}, {summary.method}",
        _head(facts),
        tag("main", [one.markup for one in parts]),
        style=f"{style}\n{album.css()}",
        script=script,
    )


def _common(facts: Facts, cards: Sequence[Card], album: Album) -> list[PageSection]:
    """The sections of every report, without empty ones."""
    summary, view = facts.summary, facts.view
    return [
        PageSection(Place.HEADLINE, sections.headline(summary)),
        PageSection(Place.BEFORE_FINDINGS, view.tests_section(summary)),
        PageSection(
            Place.FINDINGS,
            findings_section(summary, cards, album, found=facts.found, origin=facts.origin),
        ),
        PageSection(Place.EVENTS, event_section(summary) if view.events_table else None),
        PageSection(Place.CONTROLS, sections.controls(summary)),
        PageSection(Place.TROUBLE, sections.trouble(summary, facts.skipped)),
        PageSection(Place.AGAIN, _again(facts, cards)),
    ]


def _head(facts: Facts) -> Markup:
    summary = facts.summary
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(facts.started)) if facts.started else None
    parts = [f"{summary.method}", when, f"seed {summary.seed}", facts.folder.resolve().name]
    return tag(
        "header",
        tag("p", tag("b", "Snellen"), " · ", " · ".join(filter(None, parts)), class_="facts"),
        _title(summary, facts.view),
    )


def _title(summary: Summary, view: View) -> Markup:
    name, own = summary.subject.name, view.page_title(summary)
    if own is not None:
        return tag("h1", f"{name} ", own)
    link, stressed, rest, _ = title(summary)
    return tag("h1", f"{name}{link}", tag("em", stressed), rest)


def _again(facts: Facts, cards: Sequence[Card]) -> Markup:
    summary, subject = facts.summary, facts.summary.subject
    example = cards[0].finding.id if cards else "ID"
    lines = [
        f"snellen replay {facts.folder.name} {example}",
        f"snellen explain {facts.folder.name} {example}",
        f"snellen report {facts.folder.name}",
        f"sqlite3 {facts.folder.name}/journal.sqlite 'SELECT * FROM findings'",
    ]
    rows: list[Sequence[Child]] = [
        ["subject", f"{subject.name}, {subject.task}, threshold {subject.score:g}"],
        ["fingerprint", subject.fingerprint],
        ["seed", summary.seed],
        ["Snellen", f"{summary.snellen_version} (run), {_version('snellen')} (report)"],
        ["Python", platform.python_version()],
        *([name, _version(name)] for name in LIBRARIES),
    ]
    return section(
        "Again",
        tag(
            "p",
            "Replay or explain one finding, write this page again, or query the journal, from the "
            "folder that contains the run:",
        ),
        code_block("\n".join(lines)),
        table(["what", "which"], rows, "Versions and inputs of this run"),
        tag(
            "details",
            tag("summary", "The configuration with all defaults"),
            code_block(shown_configuration(facts.configuration)),
        )
        if facts.configuration
        else None,
        id="again",
    )


def shown_configuration(configuration: str) -> str:
    """The configuration without the values of keys that name secrets.

    >>> print(shown_configuration("subject: {kind: http, api_key: abc}"), end="")
    subject:
      kind: http
      api_key: (not shown)
    """
    return as_yaml(without_secrets(parse_yaml(configuration)))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
