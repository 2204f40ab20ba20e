"""The worst findings as cards: before and after, with what happened marked."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass

from snellen.pages.embedded_pictures import Album, Embedded
from snellen.pages.fault_note import FaultNote, fault_lines
from snellen.pages.focus import Window, focus
from snellen.pages.marks import INSERTED, LEGEND, Mark, Sides
from snellen.pages.markup import Markup, joined, tag
from snellen.pages.page_section import Resource
from snellen.pages.solids.birds_eye import WORDS
from snellen.pages.solids.point_cloud import Cloud, space
from snellen.pages.solids.solid_words import happened
from snellen.store.findings import Finding
from snellen.store.run_folder import FINDINGS, OVERLAY

WORDS_SCRIPT = Resource("snellen.pages", "mark_words.js")
"""Keeps the words of marks from covering one another; for every page with `side_picture`."""


@dataclass(frozen=True, eq=False)
class Card:
    """A finding as the page shows it. size: (height, width) of the scene in pixels.

    sides: the titles of the one or two pictures. whole: whether the whole scene is shown, not only
    the part with the events. lines: further lines of its caption. facts: additions to its last
    line. cloud: a camera+LiDAR case in 3D. faults: those that the finding belongs to. window: the
    part of the scene to show, xyxy in whole pixels; None for the part with the events.
    """

    finding: Finding
    pictures: Embedded
    marks: Sides
    label: str | None
    size: tuple[int, int]
    sides: tuple[str, ...] = ("before", "after")
    whole: bool = False
    lines: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cloud: Cloud | None = None
    faults: tuple[FaultNote, ...] = ()
    window: Window | None = None

    @property
    def bytes(self) -> int:
        """The bytes of its pictures."""
        return self.pictures.size + (0 if self.cloud is None else self.cloud.size)


def gallery(cards: Sequence[Card], album: Album, further: Sequence[Card] = ()) -> Markup:
    """The cards with their legend and filters; further: cards below them, folded."""
    every = [*cards, *further]
    kinds = sorted({kind for card in every for kind in card.finding.kinds})
    names = sorted({event.name for card in every for event in card.finding.events})
    shown = {card.finding.id for card in every}
    first, rest = ([_card(card, album, shown) for card in some] for some in (cards, further))
    heading = f"{len(rest)} further finding{'' if len(rest) == 1 else 's'}"
    return joined(
        legend(every),
        _filters(kinds, names, len(every)),
        tag("div", first, class_=f"{_cards(every)} first"),
        tag(
            "details", tag("summary", heading), tag("div", rest, class_=_cards(every)), id="further"
        )
        if rest
        else None,
        _dialog(),
    )


def _cards(cards: Sequence[Card]) -> str:
    return "cards solid" if any(card.cloud for card in cards) else "cards"


def legend(cards: Sequence[Card]) -> Markup | None:
    """What the marks on these cards mean; None without any."""
    found = {kind for card in cards for kind in card.marks.kinds}
    solid = [mark.kind for card in cards if card.cloud for mark in card.cloud.marks]
    found.update(solid)
    items = [
        tag("li", tag("span", class_=f"key {kind}"), words)
        for kind, words in (WORDS if solid else LEGEND).items()
        if kind in found
    ]
    return tag("ul", items, class_="legend") if items else None


def _filters(kinds: Sequence[str], names: Sequence[str], count: int) -> Markup:
    """The filters, hidden until the script enables them."""
    buttons = [
        tag("button", kind, type="button", data_kind=kind, aria_pressed="false") for kind in kinds
    ]
    options = [tag("option", "any class", value="")]
    options += [tag("option", name, value=name) for name in names]
    return tag(
        "div",
        tag("span", "Show"),
        buttons,
        tag("select", options, aria_label="class", id="class-filter"),
        tag("output", f"{count} findings", id="shown"),
        class_="filters",
        id="filters",
        hidden=True,
    )


def _card(card: Card, album: Album, shown: Container[str]) -> Markup:
    finding = card.finding
    names = sorted({event.name for event in finding.events})
    shots = [side_picture(card, place, album) for place in range(len(card.sides))]
    return tag(
        "article",
        tag(
            "button",
            shots,
            type="button",
            class_=f"pair{' whole' if card.whole else ''}{' single' if len(shots) < 2 else ''}",
            aria_label=f"Enlarge finding {finding.id}",
        ),
        space(card.cloud, finding.id, album, above=not card.whole) if card.cloud else None,
        _caption(card, shown),
        class_="card",
        id=f"finding-{finding.id}",
        data_kinds=json.dumps(finding.kinds),
        data_names=json.dumps(names),
        data_first=0 if card.whole else len(shots) - 1,
    )


def side_picture(card: Card, place: int, album: Album) -> Markup:
    """The picture before (place 0) or after (1) with its marks; album: collects its pixels."""
    scene = album.add(card.pictures.scene)
    if place == 0:
        return _shot(card, place, scene, None, card.marks.before)
    patch = album.add(card.pictures.patch) if card.pictures.patch else None
    return _shot(card, place, scene, patch, card.marks.after)


def _shot(card: Card, place: int, scene: str, patch: str | None, marks: Sequence[Mark]) -> Markup:
    """One picture: a window onto a stage, so that the viewer can show the whole stage."""
    side = card.sides[place]
    height, width = card.size
    x1, y1, x2, y2 = _window(card)
    wide, tall = (x2 - x1) / width, (y2 - y1) / height
    stage = (
        f"left:{_percent(-x1 / width / wide)};top:{_percent(-y1 / height / tall)};"
        f"width:{_percent(1 / wide)};height:{_percent(1 / tall)}"
    )
    content = "; ".join(mark.text for mark in marks) or "nothing found"
    return tag(
        "span",
        tag(
            "span",
            tag("span", class_=f"picture {scene}"),
            tag("span", class_=f"picture {patch}", style=_placed(card.pictures.part))
            if patch
            else None,
            [_mark(mark, card, (x1, y1, x2, y2)) for mark in marks],
            class_="stage",
            style=stage,
        ),
        tag("span", side, class_="side"),
        class_=f"shot {('before', 'after')[place]}",
        data_side=side,
        role="img",
        aria_label=f"{side}: {content}",
        style=f"aspect-ratio:{width}/{height};--ratio:{width / height:.4f}",
    )


def _window(card: Card) -> Window:
    if card.whole:
        return 0, 0, card.size[1], card.size[0]
    return focus(card.marks, card.size) if card.window is None else card.window


def _mark(mark: Mark, card: Card, window: tuple[int, int, int, int]) -> Markup:
    height, width = card.size
    x1, y1, x2, y2 = mark.box
    placed = _placed((x1 / width, y1 / height, x2 / width, y2 / height))
    flags = " dashed" if mark.dashed else ""
    room = 0.12 * (window[3] - window[1])
    # Inserted objects are named below the box, where they do not hide the event labels.
    below = card.cloud is not None and mark.kind == INSERTED and y2 + room < window[3]
    flags += " low" if below or y1 - window[1] < room else ""
    flags += " right" if (x1 + x2) / 2 > (window[0] + window[2]) / 2 else ""
    word = tag("span", mark.text, class_="word")
    return tag("span", word, class_=f"mark {mark.kind}{flags}", style=placed)


def _placed(part: tuple[float, float, float, float]) -> str:
    x1, y1, x2, y2 = part
    return (
        f"left:{_percent(x1)};top:{_percent(y1)};"
        f"width:{_percent(x2 - x1)};height:{_percent(y2 - y1)}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3f}%"


def _caption(card: Card, shown: Container[str]) -> Markup:
    finding = card.finding
    facts = [finding.scene]
    if card.label:
        facts.append(f"{card.label} inserted")
    facts += card.facts
    if finding.flaky:
        facts.append("flaky: not reproduced, not counted")
    elif not finding.counted:
        facts.append("unconfirmed: not asked again, not counted")
    return tag(
        "div",
        tag("ul", (tag("li", line) for line in happened(finding)), class_="what"),
        fault_lines(card.faults, shown),
        [tag("p", line, class_="line") for line in _own_lines(card)],
        tag("p", " · ".join(facts), class_="facts"),
        tag(
            "p",
            tag("code", finding.id, class_="id"),
            " ",
            tag("a", "open its overlay.png", href=f"{FINDINGS}/{finding.id}/{OVERLAY}"),
            class_="facts",
        ),
        class_="caption",
    )


def _own_lines(card: Card) -> list[str]:
    """The lines that do not repeat the evidence of a fault, which its note has given."""
    given = [one.fault.says for one in card.faults if one.represents and one.fault.says]
    return [line for line in card.lines if not any(says in line for says in given)]


def _dialog() -> Markup:
    def button(id: str, text: str, label: str) -> Markup:
        return tag("button", text, type="button", id=id, aria_label=label)

    return tag(
        "dialog",
        tag(
            "div",
            button("flip", "show before", "Switch to the other picture"),
            button("bare", "hide marks", "Hide or show the marks"),
            button("previous", "‹", "Previous finding"),
            button("next", "›", "Next finding"),
            button("close", "×", "Close"),
            class_="controls",
        ),
        tag("div", id="large"),
        tag("div", id="description"),
        id="viewer",
        aria_label="One finding, enlarged",
    )
