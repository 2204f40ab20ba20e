"""What a method shows of a run: numbers, words, page sections, tests and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from snellen.contract.planned_verdict import PlannedVerdict
from snellen.contract.verdict import CONTROL
from snellen.methods.run_comparison import RunComparison
from snellen.pages.embedded_pictures import Album
from snellen.pages.finding_pictures import CardKind
from snellen.pages.markup import Markup
from snellen.pages.page_section import PageSection, RateRow, Resource, Tile
from snellen.pages.pair_card import PairCards
from snellen.pages.requirement_table import requirement_section
from snellen.pages.solids.solid_card import SolidCards
from snellen.pages.solids.solid_words import inserted_kinds
from snellen.scenes.scene import SceneSet
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.store.rates import Rates
from snellen.store.summary import OwnNumbers, RequirementVerdict, Summary
from snellen.store.verdict_summary import RELEVANT_EXCESS, VerdictStatus
from snellen.subjects.subject import Task

T = TypeVar("T")
EITHER_SIDE = 0.025
"""The level on each side of a 95% interval."""


@dataclass(frozen=True, eq=False)
class RunRecord:
    """The record of a run: its journal, its rates, and the reopened run.

    run: None where its scenes or objects are gone or not needed.
    """

    journal: Journal
    rates: Rates
    run: OpenedRun | None = None
    _made: dict[Callable[[Journal], Any], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, journal: Journal, run: OpenedRun | None = None) -> RunRecord:
        """The record of a journal."""
        return cls(journal, Rates(journal), run)

    def once(self, read: Callable[[Journal], T]) -> T:
        """What `read` returns for the journal, computed at most once."""
        if read not in self._made:
            self._made[read] = read(self.journal)
        found: T = self._made[read]
        return found


@dataclass(frozen=True)
class ViewWords:
    """The words of a method.

    controls: what all controls have in common; control_kinds: a description of each kind of control
    and check. findings:
    the heading of the pictures; gallery: their order, and how to view them. page: what the page
    shows, after a comma. wide: the advice where the interval of the failure rate is wide, or None.
    value: the name of the number that decides the verdicts of tests.
    """

    units: str = "scenes"
    cases: str = "cases"
    controls: str = "cases with the same disturbance, in which nothing may change"
    control_kinds: Mapping[str, str] = field(default_factory=dict)
    findings: str = "Faults"
    gallery: str = (
        "worst first. Select one to see the whole scene and to switch between before and after."
    )
    page: str = ""
    wide: str | None = (
        "the interval is wide; more scenes narrow it, more cases in the same scenes do so less"
    )
    value: str = "value"


class View:
    """What a method shows of a run. Every part has a default; most are empty.

    control_bars: kinds of controls with a bar of their own in the headline, because they are
    exposed to the same disturbance as the tests. events_table: whether events are listed by class.
    rebuilds: whether `numbers` or `tests` need the reopened run. page_bytes: limit for pictures in
    the page; Base64 adds a third.
    """

    words = ViewWords()
    styles: Sequence[Resource] = ()
    scripts: Sequence[Resource] = ()
    control_bars: Sequence[str] = ()
    events_table = True
    rebuilds = False
    page_bytes = 4_000_000
    comparison = RunComparison()

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """The method's own numbers, `own` of the summary."""
        return {}

    def tests(self, record: RunRecord) -> Sequence[RequirementVerdict]:
        """The requirements that the run checks, each with its verdict.

        They decide the gate, and each is a test case of `junit.xml`. Without any, there is a test
        case for each kind of event and class.
        """
        return ()

    def planned_tests(self, options: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
        """The names of `tests` before a run; options: the method's, paths relative to `folder`."""
        return ()

    def planned_verdicts(
        self, options: Mapping[str, Any], folder: Path, scenes: SceneSet
    ) -> Sequence[PlannedVerdict]:
        """The verdicts of a run before it is run, to plan how many scenes they take.

        options: the method's, paths relative to `folder`. By default one verdict, on the failure
        rate beside controls, of which only the scenes are known.
        """
        return (PlannedVerdict("failures beside controls", scenes=len(scenes)),)

    def recorded_tests(self, journal: Journal) -> tuple[str, ...]:
        """The names of `tests` of a run that may not be finished."""
        return tuple(one.name for one in self.tests(RunRecord.of(journal)))

    def verdict(self, summary: Summary) -> str | None:
        """What the numbers mean; None for the default: faults, then failure rate and controls."""
        return None

    def status(self, summary: Summary) -> VerdictStatus | None:
        """The verdict in one word; None for the default by failure rate and controls.

        By default that of the requirements, if the run checks any.
        """
        found = {one.status for one in summary.requirements}
        if LossStatus.VIOLATED in found:
            return VerdictStatus.FAILURES
        if LossStatus.UNDECIDED in found:
            return VerdictStatus.UNDECIDED
        return VerdictStatus.NONE if found else None

    def trigger(self, finding: Finding, run: OpenedRun | None) -> str | None:
        """What was done to the scene of a finding, such as `an inserted car`; None for unknown.

        It is the start of a sentence that goes on with `makes the detector lose a car`. run: None
        where the run can't be reopened.
        """
        kinds = inserted_kinds(finding.recipe)
        if kinds is None and run is not None:
            kinds = run.label(finding.recipe)
        return None if kinds is None else f"an inserted {kinds}"

    def decided(self, record: RunRecord, level: Callable[[float], float]) -> bool:
        """Whether the verdict of a run is decided by the units that it has, so that it may end.

        level: the level at this look of a one-sided test whose level over all looks is given. By
        default, whether tests fail more often than comparable controls, or by less than
        `RELEVANT_EXCESS` more.
        """
        compared, limit = record.rates.compared(f"{CONTROL}%"), level(EITHER_SIDE)
        return min(compared.p(0.0, "lower"), compared.p(RELEVANT_EXCESS, "upper")) < limit

    def terminal_title(self, summary: Summary) -> str | None:
        """What follows the subject's name on the terminal, in rich markup; None for the rate."""
        return None

    def page_title(self, summary: Summary) -> Markup | None:
        """What follows the subject's name on the page; None for the rate."""
        return None

    def rate_rows(self, summary: Summary) -> Sequence[RateRow] | None:
        """The rates in the headline above those of controls; None for that of all cases.

        If empty, the headline shows no rates.
        """
        return None

    def tiles(self, summary: Summary) -> Sequence[Tile]:
        """Numbers in large figures."""
        return ()

    def rows(self, summary: Summary) -> dict[str, str]:
        """Rows of the terminal table."""
        return {}

    def test_words(self, test: RequirementVerdict) -> str | None:
        """The number that decides a test's verdict, in words; None where unknown."""
        if test.value is None:
            return None
        within = "" if test.ends is None else f" ({test.ends[0]:.3g} to {test.ends[1]:.3g})"
        return f"{self.words.value} {test.value:.3g}{within}"

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        """What to do next; folder: the run folder."""
        return []

    def worst_step(self, summary: Summary, command: str) -> str:
        """What to do about the worst finding; command: the command that replays it."""
        return f"replay the worst finding: {command}"

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> Sequence[PageSection]:
        """The method's own sections of the page; album: collects their pictures."""
        return ()

    def tests_section(self, summary: Summary) -> Markup | None:
        """The section with `tests` and their verdicts; None without any."""
        return requirement_section(summary.requirements, self.words.value)

    def card(self, task: Task) -> CardKind:
        """How findings are pictured: before and after; camera+LiDAR frames in 3D, too."""
        return SolidCards() if task == Task.DETECTION_3D else PairCards()

    def facts(self, finding: Finding) -> tuple[str, ...]:
        """Lines that the caption of a finding adds."""
        return ()

    def origin(self, findings: Sequence[Finding]) -> str:
        """How the findings were found, in brackets after their number."""
        return ""

    def rank(self, finding: Finding) -> int:
        """The rank of a finding among equally hard ones: the lowest comes first."""
        return 0
