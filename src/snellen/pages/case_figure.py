"""A case as a figure: its picture, what it is, and whether it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from snellen.pages.embedded_pictures import Album
from snellen.pages.focus import focus
from snellen.pages.gallery import Card, side_picture
from snellen.pages.marks import Sides
from snellen.pages.markup import Markup, tag
from snellen.pages.solids.solid_words import happened

HOLDS = "holds"


@dataclass(frozen=True, eq=False)
class CaseFigure:
    """One picture of a page.

    fails: None for the unchanged scene; word: what is said if it fails. side: the picture shown.
    """

    name: str
    card: Card
    fails: bool | None
    side: int
    smallest: bool = False
    word: str = "still fails"

    def markup(self, album: Album) -> Markup:
        """The picture with its name above it and the answer below; album: collects its pixels."""
        lines = [] if self.fails is None else happened(self.card.finding)
        badge = None
        if self.fails is not None:
            look, word = ("persists", self.word) if self.fails else ("holds", HOLDS)
            badge = tag("span", word, class_=f"badge {look}")
        least = tag("span", "smallest", class_="badge") if self.smallest else None
        return tag(
            "figure",
            tag("figcaption", tag("b", self.name), " ", badge, " ", least),
            side_picture(self.card, self.side, album),
            tag("ul", [tag("li", line) for line in lines], class_="what"),
            class_="rung",
        )


def case_side(card: Card) -> int:
    """The picture of the case itself."""
    return 0 if card.whole else len(card.sides) - 1


def shows_scene(card: Card) -> bool:
    """Whether it has a picture of the unchanged scene, too."""
    return not card.whole and len(card.sides) > 1


def same_window(cards: Sequence[Card]) -> list[Card]:
    """The cards with one window around the marks of all."""
    marks = Sides(
        tuple(mark for card in cards for mark in card.marks.before),
        tuple(mark for card in cards for mark in card.marks.after),
        any(card.marks.moved for card in cards),
    )
    return [replace(card, window=focus(marks, card.size)) for card in cards]


def ladder(figures: Sequence[CaseFigure], album: Album, *, small: bool = False) -> Markup:
    """The figures side by side; small: four in a row where there is room."""
    look = "ladder small" if small else "ladder"
    return tag("div", [one.markup(album) for one in figures], class_=look)
