"""What a run of identity shows: whether the subject gives the same answer twice."""

from __future__ import annotations

from snellen.methods.view import View
from snellen.store.estimate import percent
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus


class IdentityView(View):
    """Failures are the subject's own noise, so there is nothing to replay."""

    def verdict(self, summary: Summary) -> str | None:
        """How often answers differ, and that this is noise."""
        if not summary.failing_cases:
            return None
        return (
            f"The same question got different answers in {summary.failing_cases} of "
            f"{summary.test_cases} cases, {percent(summary.failure_rate)}. This is the subject's "
            "own noise; read the failures that other methods find against it."
        )

    def status(self, summary: Summary) -> VerdictStatus | None:
        """Flaky, if answers differ."""
        return VerdictStatus.FLAKY if summary.failing_cases else None

    def worst_step(self, summary: Summary, command: str) -> str:
        """What a noisy subject needs."""
        if not summary.failing_cases:
            return super().worst_step(summary, command)
        advice = (
            "set `deterministic: false` for it, so that findings are confirmed before they are "
            "counted"
            if summary.subject.deterministic
            else "its findings are confirmed before they are counted"
        )
        return f"the subject gives different answers to the same question; {advice}"


VIEW = IdentityView()
