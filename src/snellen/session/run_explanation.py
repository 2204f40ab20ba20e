"""The explanation of a finding in Python."""

from __future__ import annotations

from snellen.report.finding_explanation import ExplainedFinding
from snellen.session.notebook_markup import table, titled
from snellen.store.explanations import RecordedRung


class RunExplanation:
    """Why a finding fails.

    cause: one word, such as `object`. proven: whether the answers rule out any other cause, of a
    deterministic subject. says: the evidence in one sentence. recorded: whether the run had it;
    otherwise the subject was asked now. page: a page with the pictures; None if there are none.
    """

    def __init__(self, found: ExplainedFinding) -> None:
        one = found.explanation
        self.cause, self.says = one.cause.cause, one.cause.says
        self.proven = one.sure == "proven"
        self.rungs: tuple[RecordedRung, ...] = one.rungs
        self.recorded, self.page = found.recorded, found.page

    def __repr__(self) -> str:
        return f"<Explanation: {self.cause}{', proven' * self.proven}. {self.says}>"

    def _repr_html_(self) -> str:
        rows = [(one.name, "still fails" if one.persists else "holds") for one in self.rungs]
        title = f"Cause: {self.cause}{', proven' * self.proven}"
        return titled(title, self.says, table(("question", "answer"), rows))
