"""The section of the page with the findings: one for each fault, the others folded."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.kind import view_of
from snellen.methods.view import ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.gallery import Card, gallery
from snellen.pages.markup import Markup, tag
from snellen.pages.tables import section
from snellen.report.verdict.fault_words import counted
from snellen.store.summary import Summary


def findings_section(
    summary: Summary, cards: Sequence[Card], album: Album, *, found: int, origin: str = ""
) -> Markup | None:
    """One finding for each fault, the others folded below; None without findings.

    found: the total number of findings. origin: how they were found.
    """
    if not found:
        return None
    first = [card for card in cards if any(note.represents for note in card.faults)]
    further = [card for card in cards if card not in first]
    first, further = (first, further) if first else (further, [])
    shown = gallery(first, album, further) if cards else None
    words = view_of(summary.method).words
    lead = tag("p", _lead(words, summary.faults.count, first, found, origin))
    return section(words.findings, lead, shown, id="findings")


def _lead(words: ViewWords, count: int, first: Sequence[Card], found: int, origin: str) -> str:
    """What is shown; count: of faults."""
    every = counted(found, "finding")
    if not first:
        return (
            f"There {'is' if found == 1 else 'are'} {every}, but their pictures can't be "
            "rebuilt: the scenes or objects were moved or deleted. All findings are in "
            "journal.sqlite."
        )
    if not count:
        some = f"{len(first)} of {every}{origin}, spread over {words.units} and kinds"
        return f"{some}, {words.gallery}"
    some = f"{counted(count, 'fault')} in {every}{origin}"
    return f"{some}; one finding is shown for {_represented(first, count)}, {words.gallery}"


def _represented(cards: Sequence[Card], count: int) -> str:
    """How many of the faults these cards stand for; a card may stand for several."""
    shown = len({one.fault.id for card in cards for one in card.faults if one.represents})
    return "each" if shown >= count else f"{shown} of them"
