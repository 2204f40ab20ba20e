"""The fault that a finding belongs to, as its card shows it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from snellen.contract.explanation import UNEXPLAINED
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.store.faults import Fault

NAMED = 6
"""Findings of one fault that a card names."""


@dataclass(frozen=True, eq=False)
class FaultNote:
    """A fault on the card of one of its findings; represents: whether the finding stands for it."""

    fault: Fault
    represents: bool

    def cause(self) -> Markup | None:
        """Its cause and the evidence; None if unexplained."""
        fault = self.fault
        if fault.cause == UNEXPLAINED:
            return None
        word = "proven" if fault.proven else "confirmed" if fault.confirmed else "cause"
        badge = tag("span", word, class_=f"badge {word}")
        says = f": {fault.says}" if fault.says else ""
        return tag("p", badge, " ", tag("b", fault.cause), says, class_="fault")

    def others(self, shown: Container[str]) -> Markup | None:
        """The other findings, or the one that stands for it; shown: ids on the page."""
        if not self.represents:
            first = self.fault.representative.id
            return tag("p", "same fault as ", _link(first, shown), class_="facts")
        others = [one.id for one in self.fault.findings[1:]]
        if not others:
            return None
        count = (
            f"{len(others) + 1} findings of this fault ({self.fault.target.words}), the others: "
        )
        links: list[Child] = []
        for id in others[:NAMED]:
            links += [", " if links else "", _link(id, shown)]
        rest = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        return tag("p", count, links, rest, class_="facts")


def fault_lines(notes: Sequence[FaultNote], shown: Container[str]) -> Markup:
    """The faults of one card: each cause once, then the other findings of each fault.

    Faults whose other findings are the same share a line.
    """
    causes = [one.cause() for one in notes if one.represents]
    others = [one.others(shown) for one in notes]
    return joined(dict.fromkeys(causes), dict.fromkeys(others))


def _link(id: str, shown: Container[str]) -> Markup:
    code = tag("code", id)
    return tag("a", code, href=f"#finding-{id}") if id in shown else code
