"""`report.html` put together."""

from __future__ import annotations

import platform
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import yaml

from snellen.methods.combinations import section as combinations
from snellen.methods.fusion.section import fusion_sections
from snellen.methods.requirements.page.axis_samples import Strip
from snellen.methods.requirements.page.change_curves import change_curves
from snellen.methods.requirements.page.section import requirements
from snellen.methods.robustness.instance_pictures import InstancePicture
from snellen.methods.robustness.section import robustness_sections
from snellen.pages.embedded_pictures import Album
from snellen.pages.event_table import events
from snellen.pages.gallery import Card, gallery
from snellen.pages.html_page import html_page, resource
from snellen.pages.markup import Markup, joined, tag
from snellen.pages.plots import how_far, rates_by_distance
from snellen.pages.tables import section, table
from snellen.report import sections
from snellen.report.words import unit_word

RESOURCES = {
    "page.js": "snellen.pages",
    "page.css": "snellen.pages",
    "point_cloud.js": "snellen.pages.solids",
    "heatmap.js": "snellen.methods.combinations",
    "heatmap.css": "snellen.methods.combinations",
    "requirements.css": "snellen.methods.requirements.page",
    "fusion.css": "snellen.methods.fusion",
    "robustness.css": "snellen.methods.robustness",
}
LIBRARIES = ("numpy", "opencv-python-headless", "onnxruntime")
SECRET = re.compile(r"token|secret|passw|api_?key|authorization|credential", re.IGNORECASE)


@dataclass(frozen=True)
class Facts:
    """All that the page says beside pictures.

    started: seconds since 1970, or None. skipped: what was left out, and why. configuration: the
    resolved one. labels: of inserted objects by id. progress: of each relocation, 0 to 1.
    found: how many findings there are in all, moved: how many of them relocation added. map: the
    numbers of the map of labels, or None where there is none. strips: a scene along the axis of
    each of the summary's `reliability`, None where there is none. instances: pictures of those that
    robustness tested.
    """

    summary: Mapping[str, Any]
    folder: Path
    started: float | None
    skipped: Sequence[Sequence[str]]
    configuration: str
    found: int
    moved: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    progress: Sequence[float] = ()
    map: Mapping[str, Any] | None = None
    strips: Sequence[Strip | None] = ()
    instances: Sequence[InstancePicture] = ()


def document(facts: Facts, cards: Sequence[Card]) -> str:
    """The whole page: no address in it leads out of the run folder."""
    summary, album = facts.summary, Album()
    drawn = ("page", "heatmap") if facts.map else ("page",)
    drawn = (*drawn, "point_cloud") if any(card.cloud for card in cards) else drawn
    script = "\n".join(_resource(f"{name}.js") for name in drawn)
    styles = tuple(name for name in drawn if name != "point_cloud")
    styles = (*styles, "requirements") if summary.get("requirements") else styles
    styles = (*styles, "fusion") if "fusion" in summary else styles
    styles = (*styles, "robustness") if "robustness" in summary else styles
    style = "\n".join(_resource(f"{name}.css") for name in styles)
    body = joined(
        _head(facts),
        tag(
            "main",
            sections.headline(summary),
            combinations.causes_and_pairs(summary.get("combinations"), facts.map),
            requirements(summary.get("requirements") or ()),
            change_curves(summary, facts.strips, album),
            robustness_sections(summary.get("robustness"), facts.instances, album),
            _findings(facts, cards, album),
            fusion_sections(summary.get("fusion")),
            events(summary) if "combinations" not in summary else None,
            _plots(facts),
            sections.controls(summary),
            sections.objects(summary, facts.labels),
            combinations.labels_and_coverage(summary.get("combinations")),
            sections.trouble(summary, facts.skipped),
            _again(facts, cards),
        ),
    )
    title = f"{summary['subject']['name']}, {summary['method']}"
    return html_page(title, body, style=f"{style}\n{album.css()}", script=script)


def _resource(name: str) -> str:
    return resource(RESOURCES[name], name)


def _head(facts: Facts) -> Markup:
    summary = facts.summary
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(facts.started)) if facts.started else None
    told = [f"{summary['method']}", when, f"seed {summary['seed']}", facts.folder.resolve().name]
    rate = summary["failure_rate"]["value"]
    name = summary["subject"]["name"]
    if summary.get("requirements"):
        what = _required(name, summary["requirements"])
    elif rate is not None:
        what = tag("h1", f"{name} failed in ", tag("em", f"{100 * rate:.1f}%"), _of_what(summary))
    else:
        what = tag("h1", f"{name}: no verdict")
    return tag(
        "header",
        tag("p", tag("b", "Snellen"), " · ", " · ".join(filter(None, told)), class_="facts"),
        what,
    )


def _required(name: str, found: Sequence[Mapping[str, Any]]) -> Markup:
    """What requirements come to: violated ones if there are any, else undecided ones."""
    count, of = Counter(one["status"] for one in found), len(found)
    noun = f"requirement{'s' if of > 1 else ''}"
    for word, verb in (("violated", "violates"), ("undecided", "leaves undecided")):
        if count[word]:
            return tag("h1", f"{name} {verb} ", tag("em", f"{count[word]} of {of}"), f" {noun}")
    return tag("h1", f"{name} satisfies ", tag("em", f"{of} of {of}"), f" {noun}")


def _of_what(summary: Mapping[str, Any]) -> Markup:
    """What failed, and of compositions how many by interaction alone."""
    if "combinations" not in summary:
        return joined(" of cases")
    causes = summary["combinations"]["causes"]
    if summary["failing_cases"] == causes["undiagnosed"]["images"]:
        return joined(" of compositions")
    share = f"{100 * causes['interaction']['rate']['value']:.1f}%"
    return joined(" of compositions, ", tag("em", share), " by interaction")


def _findings(facts: Facts, cards: Sequence[Card], album: Album) -> Markup | None:
    if not facts.found:
        return None
    composed = "combinations" in facts.summary
    told = (
        _told(facts, len(cards))
        if cards
        else f"There are {facts.found} findings, but none of their pictures can be rebuilt: the "
        "scenes or objects are not where they were. All of them are in journal.sqlite."
    )
    return section(
        "The worst composites" if composed else "The worst findings",
        tag("p", told),
        gallery(cards, album) if cards else None,
        id="findings",
    )


def _told(facts: Facts, shown: int) -> str:
    """Which findings are shown, and how to look at them."""
    moved = f" ({facts.moved} of them by relocation)" if facts.moved else ""
    where = unit_word(facts.summary)
    lead = f"{shown} of {facts.found} findings{moved}, spread over {where} and kinds"
    if "combinations" in facts.summary:
        return (
            f"{lead}, interaction errors first. Beside a composition is the smallest part of it "
            "that still fails, if there is one. Select one to enlarge it."
        )
    return (
        f"{lead}, the worst first. Select one to see the whole scene and to switch between before "
        "and after."
    )


def _plots(facts: Facts) -> Markup | None:
    summary, shown = facts.summary, []
    if summary.get("by_gap"):
        control = summary["control"]["rate"] if summary["control"]["cases"] else None
        shown.append(
            tag(
                "figure",
                tag("figcaption", tag("h3", "How near it takes")),
                rates_by_distance(summary["by_gap"], control),
                tag(
                    "p",
                    "Failure rate by distance of the inserted object to the nearest one, "
                    "with intervals by scene.",
                    class_="facts",
                ),
            )
        )
    if facts.progress:
        moves = summary["relocation"]
        shown.append(
            tag(
                "figure",
                tag("figcaption", tag("h3", "How far a failure can be moved")),
                how_far(facts.progress),
                tag(
                    "p",
                    f"Of {moves['started']} failing insertions, {moves['moved']} still fail nearer "
                    f"to the target and {moves['reached_target']} at it, in {moves['unique']} "
                    "different cases.",
                    class_="facts",
                ),
            )
        )
    if not shown:
        return None
    return section("Distance", tag("div", shown, class_="plots"), id="distance")


def _again(facts: Facts, cards: Sequence[Card]) -> Markup:
    summary, subject = facts.summary, facts.summary["subject"]
    example = cards[0].finding.id if cards else "ID"
    lines = [
        f"snellen replay {facts.folder.name} {example}",
        f"snellen report {facts.folder.name}",
        f"sqlite3 {facts.folder.name}/journal.sqlite 'SELECT * FROM findings'",
    ]
    rows = [
        ["subject", f"{subject['name']}, {subject['task']}, threshold {subject['score']:g}"],
        ["fingerprint", subject["fingerprint"]],
        ["seed", summary["seed"]],
        ["Snellen", f"{summary['snellen_version']} (run), {_version('snellen')} (report)"],
        ["Python", platform.python_version()],
        *([name, _version(name)] for name in LIBRARIES),
    ]
    return section(
        "Again",
        tag(
            "p",
            "Ask the subject about one finding again, write this page anew, or query "
            "everything, from the folder that holds the run:",
        ),
        tag("pre", "\n".join(lines)),
        table(["what", "which"], rows, "What this run was made with"),
        tag(
            "details",
            tag("summary", "The configuration, with every default"),
            tag("pre", redacted(facts.configuration)),
        )
        if facts.configuration
        else None,
        id="again",
    )


def redacted(configuration: str) -> str:
    """The configuration without values whose keys sound secret.

    >>> print(redacted("subject: {kind: http, api_key: abc}"), end="")
    subject:
      kind: http
      api_key: (not shown)
    """
    return yaml.safe_dump(_hidden(yaml.safe_load(configuration)), sort_keys=False)


def _hidden(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: "(not shown)" if SECRET.search(str(key)) and inner else _hidden(inner)
            for key, inner in value.items()
        }
    return [_hidden(one) for one in value] if isinstance(value, list) else value


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
