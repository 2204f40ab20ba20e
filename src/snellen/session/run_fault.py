"""A fault of a run in Python: what its findings have in common."""

from __future__ import annotations

from snellen.session.notebook_markup import titled
from snellen.session.run_finding import RunFinding
from snellen.session.run_source import RunSource
from snellen.store.faults import Fault


class RunFault:
    """Findings that strike the same thing for the same cause.

    id: the same in every run that finds it. target: what is struck, in words. cause: one word, or
    `unexplained`. proven: whether counterfactual questions rule out any other cause, of a
    deterministic subject. says: the evidence in one sentence. scenes: where it was found.
    """

    def __init__(self, source: RunSource, fault: Fault) -> None:
        self._source, self._fault = source, fault
        self.id, self.cause, self.says = fault.id, fault.cause, fault.says
        self.target, self.proven = fault.target.words, fault.proven
        self.scenes = fault.scenes

    @property
    def findings(self) -> tuple[RunFinding, ...]:
        """Its findings, the one to show first."""
        return tuple(RunFinding(self._source, one) for one in self._fault.findings)

    @property
    def finding(self) -> RunFinding:
        """The finding to show."""
        return self.findings[0]

    def __repr__(self) -> str:
        sure = "proven, " if self.proven else ""
        place = self.scenes[0] if len(self.scenes) == 1 else f"{len(self.scenes)} scenes"
        kinds = "/".join(self._fault.kinds) or "fails"
        count = len(self._fault.findings)
        return (
            f"<Fault {self.id}: {self.target} {kinds} in {place}, {sure}cause {self.cause}, "
            f"{count} finding{'s' * (count != 1)}>"
        )

    def _repr_html_(self) -> str:
        return titled(repr(self)[1:-1], self.says, self.finding)
