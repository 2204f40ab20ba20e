"""New faults in pictures: the answers of both subjects to the same scene and the same case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from snellen.errors import SnellenError
from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord, View
from snellen.pages.case_figure import CaseFigure, case_side, same_window, shows_scene
from snellen.pages.finding_pictures import CasePictures
from snellen.pages.gallery import Card
from snellen.report.baseline.new_fault import NewFault
from snellen.report.finding_folder import kept, write_finding
from snellen.report.picture_source import answered, log
from snellen.report.reopened_run import reopened_if_possible
from snellen.store.explanations import explanation_of
from snellen.store.findings import spread
from snellen.store.journal import Journal, journal_of
from snellen.store.same_case import scene_answer
from snellen.subjects.subject import Task

SHOWN = 6
BYTES = 3_000_000
"""Of all pictures together; Base64 adds a third."""


@dataclass(frozen=True, eq=False)
class PicturedFault:
    """A new fault with its figures: the baseline's answers, then the new subject's."""

    fault: NewFault
    figures: tuple[CaseFigure, ...]


def pictured_faults(
    folder: Path, base: Path, found: Sequence[NewFault], shown: int = SHOWN
) -> list[PicturedFault]:
    """The first new faults with pictures, as many as can be drawn; writes their finding folders.

    folder: of the new run, base: of the baseline's.
    """
    with ExitStack() as stack:
        new, old = (stack.enter_context(closing(journal_of(one))) for one in (folder, base))
        run = stack.enter_context(reopened_if_possible(folder, new)) if found else None
        sides = _Sides(folder, RunRecord.of(new, run), old, view_of(new.get("method")))
        return list(sides.pictured(_chosen(found, shown)))


def _chosen(found: Sequence[NewFault], count: int) -> list[NewFault]:
    """One fault for each finding, facts first, spread over scenes and kinds, the worst first."""
    first = {one.finding.id: one for one in reversed(found)}
    ranked = sorted(first.values(), key=found.index)
    facts = spread([one.finding for one in ranked if one.fact], count)
    others = spread([one.finding for one in ranked if not one.fact], count - len(facts))
    return [first[one.id] for one in (*facts, *others)]


@dataclass(frozen=True, eq=False)
class _Sides:
    """Both runs; record: of the new one, base: the baseline's journal."""

    folder: Path
    record: RunRecord
    base: Journal
    view: View

    def pictured(self, found: Sequence[NewFault]) -> Iterator[PicturedFault]:
        """Each fault whose case can be rebuilt or was stored."""
        limit = BYTES // max(1, 2 * len(found))
        for fault in found:
            try:
                images = self._images(fault)
                if images is not None:
                    yield PicturedFault(fault, tuple(self._figures(fault, images, limit)))
            except (SnellenError, OSError) as error:
                log.warning("finding %s has no picture: %s", fault.finding.id, error)

    def _images(self, fault: NewFault) -> CasePictures | None:
        """The images of its case, which also go to its folder."""
        journal, finding = self.record.journal, fault.finding
        cards = self.view.card(Task(journal.get("subject")["task"]))
        images = kept(self.folder, finding, cards)
        if images is None and self.record.run is not None:
            images = cards.rebuilt(self.record.run, journal, finding)
        if images is not None:
            picture = images.drawn(answered(journal, finding, self.view))
            write_finding(self.folder, picture, explanation_of(journal, finding))
        return images

    def _figures(self, fault: NewFault, images: CasePictures, limit: int) -> Iterator[CaseFigure]:
        new = images.drawn(answered(self.record.journal, fault.finding, self.view)).card(limit)
        old = self._base_card(fault, images, limit)
        cards = same_window([new] if old is None else [new, old])
        if old is not None:
            yield from _pair("baseline", cards[1], fails=False, case=fault.held is not None)
        yield from _pair("new", cards[0], fails=True, case=True)

    def _base_card(self, fault: NewFault, images: CasePictures, limit: int) -> Card | None:
        """The baseline's answers on the same images; without the case, to the scene alone."""
        case = fault.held
        if case is None:
            row = scene_answer(self.record.journal, fault.finding, self.base)
            if row is None:
                return None
            case = replace(fault.finding, before=row, after=row, events=(), status="holds")
        return images.drawn(answered(self.base, case, self.view)).card(limit)


def _pair(name: str, card: Card, *, fails: bool, case: bool) -> Iterator[CaseFigure]:
    """The unchanged scene, and the case if it was put to the subject."""
    if shows_scene(card):
        yield CaseFigure(f"{name}: unchanged scene", card, None, 0)
    if case:
        yield CaseFigure(f"{name}: the case", card, fails, case_side(card), word="fails")
