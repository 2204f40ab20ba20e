"""The verdict and the faults of a run, as `summary.json` has them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from snellen.store.number_model import NumberModel

RELEVANT_EXCESS = 0.02
"""An excess over the controls below which cases fail no more often than these."""


class VerdictStatus(StrEnum):
    """The verdict of a run in one word.

    failures: cases fail more often than comparable controls, or a requirement is violated.
    no-more-than-controls: cases fail, but not more often than controls. undecided: the evidence is
    too thin. none: nothing failed. flaky: the subject's answers differ too often to judge it.
    """

    FAILURES = "failures"
    NO_MORE = "no-more-than-controls"
    UNDECIDED = "undecided"
    NONE = "none"
    FLAKY = "flaky"


class VerdictSummary(NumberModel):
    """The verdict of a run, facts first.

    sentence: all of it for people, made of warning, facts, rate and outlook. warning: what makes
    the run doubtful, such as answers that do not repeat. facts: the faults. rate: how often cases
    fail, beside controls. outlook: what more scenes would show. proven: faults proven by
    counterfactual questions. more_scenes: about how many more scenes would decide the rate; None
    if it is decided or if that can't be estimated.
    """

    status: VerdictStatus
    sentence: str
    warning: str = ""
    facts: str = ""
    rate: str = ""
    outlook: str = ""
    proven: int = 0
    more_scenes: int | None = None


UNJUDGED = VerdictSummary(status=VerdictStatus.UNDECIDED, sentence="")
"""The verdict of a summary while it is put together."""


class WorstFault(NumberModel):
    """The fault to show first. finding: the id of its representative. words: what happens."""

    id: str
    finding: str
    scene: str
    words: str
    cause: str
    says: str
    proven: bool


class FaultCounts(NumberModel):
    """The faults of a run: findings grouped by what they strike and by cause.

    scenes: with a fault; examined: all in which something was tested. explained: faults with a
    known cause. proven: those that counterfactual questions prove, of a deterministic subject;
    confirmed: the same of any other subject. by_cause: counts, unexplained ones last.
    """

    count: int = 0
    scenes: int = 0
    examined: int = 0
    explained: int = 0
    proven: int = 0
    proven_scenes: int = 0
    confirmed: int = 0
    confirmed_scenes: int = 0
    by_cause: dict[str, int] = Field(default_factory=dict)
    worst: WorstFault | None = None


class ExplainedCounts(NumberModel):
    """Failing tests that were explained, and how many have each cause.

    proven: those whose counterfactual questions rule out any other cause.
    """

    cases: int = 0
    proven: int = 0
    by_cause: dict[str, int] = Field(default_factory=dict)


class CheckCounts(NumberModel):
    """One kind of check of the tool. flaky: checks that failed once and not again."""

    cases: int
    failing: int
    flaky: int = 0
