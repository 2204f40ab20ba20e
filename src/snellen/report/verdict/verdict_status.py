"""The verdict of a run in one word, from its numbers."""

from __future__ import annotations

from snellen.changes.identity import Identity
from snellen.methods.kind import view_of
from snellen.store.estimate import Estimate
from snellen.store.summary import Summary
from snellen.store.verdict_summary import RELEVANT_EXCESS, CheckCounts, VerdictStatus

FLAKY_SHARE = 0.1
"""Of the failures of a flaky subject, the share that does not repeat."""
MOSTLY = 0.5
"""The share of failures that do not repeat beyond which no rate is trusted."""
FEW = 3
"""Fewer answers that do not repeat say nothing about the subject."""
REPEATED = Identity.kind
"""The check that asks a question again."""


def verdict_status(summary: Summary) -> VerdictStatus:
    """The status of a run; see `VerdictStatus`.

    A subject is flaky if its failures often do not repeat, unless cases still fail more often than
    controls and most failures do repeat, or if it is declared deterministic but a repeated question
    got another answer. It is undecided while most failures are unconfirmed.
    """
    if summary.failure_rate.value is None and not summary.requirements:
        return VerdictStatus.UNDECIDED
    own = view_of(summary.method).status(summary)
    if own == VerdictStatus.FLAKY or _too_flaky(summary):
        return VerdictStatus.FLAKY
    if own is not None:
        return own
    if unsettled(summary):
        return VerdictStatus.UNDECIDED
    if not summary.failing_cases and not summary.faults.count:
        return VerdictStatus.NONE
    return _by_rate(summary)


def flaky_share(summary: Summary) -> float:
    """Of the failures that were asked again, the share that did not repeat."""
    failed = summary.failing_cases + summary.flaky_cases
    return summary.flaky_cases / failed if failed else 0.0


def flaky(summary: Summary) -> bool:
    """Whether the subject answers differently so often that it has to be said first."""
    often = summary.flaky_cases >= FEW and flaky_share(summary) >= FLAKY_SHARE
    return often or _unsteady(summary)


def unsettled(summary: Summary) -> bool:
    """Whether the budget left more failures unconfirmed than it asked again.

    Requirements are judged by what all cases lose, confirmed or not.
    """
    asked_again = summary.failing_cases + summary.flaky_cases
    return not summary.requirements and summary.unconfirmed_cases > asked_again


def repetitions(summary: Summary) -> CheckCounts:
    """The checks that ask a question again; failing: all whose answer differs."""
    found = summary.checks.get(REPEATED, CheckCounts(cases=0, failing=0))
    return CheckCounts(cases=found.cases, failing=found.failing + found.flaky)


def _unsteady(summary: Summary) -> bool:
    """Whether repeated questions got other answers: one is enough if that was ruled out."""
    again = repetitions(summary)
    if summary.subject.deterministic:
        return again.failing > 0
    return again.failing >= max(FEW, FLAKY_SHARE * again.cases)


def _too_flaky(summary: Summary) -> bool:
    if not flaky(summary):
        return False
    mostly = flaky_share(summary) >= MOSTLY or _unsteady(summary)
    return mostly or not exceeds(summary.difference)


def _by_rate(summary: Summary) -> VerdictStatus:
    difference = summary.difference
    if difference is None or difference.value is None:
        return VerdictStatus.FAILURES if summary.faults.proven else VerdictStatus.UNDECIDED
    if exceeds(difference):
        return VerdictStatus.FAILURES
    if difference.value <= 0 or difference.high < RELEVANT_EXCESS:
        return VerdictStatus.NO_MORE
    return VerdictStatus.UNDECIDED


def exceeds(difference: Estimate | None) -> bool:
    """Whether cases fail more often than controls: the whole interval lies above zero."""
    return difference is not None and difference.value is not None and difference.low > 0
