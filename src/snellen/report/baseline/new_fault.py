"""Faults of the new subject that the baseline does not have, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.report.comparison.fault_changes import fault_json
from snellen.store.faults import Fault
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.run_folder import FINDINGS, OVERLAY
from snellen.store.same_case import same_case


@dataclass(frozen=True, eq=False)
class NewFault:
    """A fault that only the new subject has.

    finding: the one to show. held: the same case as the baseline answered it, without a failure;
    None if no case of the fault was put to both.
    """

    fault: Fault
    finding: Finding
    held: Finding | None

    @property
    def fact(self) -> bool:
        """Whether it is a fact: its counterfactuals hold, or the same case fails only now."""
        return self.fault.shown or self.held is not None

    @property
    def evidence(self) -> str:
        """Why it is a fact; empty if it is none."""
        word = "proven" if self.fault.proven else "confirmed" if self.fault.confirmed else ""
        held = "the baseline passes the same case" if self.held is not None else ""
        return ", ".join(filter(None, (word, held)))

    def picture(self, folder: Path) -> Path | None:
        """Before and after side by side, in the new run's folder; None if not drawn."""
        path = folder / FINDINGS / self.finding.id / OVERLAY
        return path if path.exists() else None

    def to_json(self, folder: Path) -> dict[str, Any]:
        """Plain values."""
        picture = self.picture(folder)
        return {
            **fault_json(self.fault),
            "finding": self.finding.id,
            "fact": self.fact,
            "same_case_held": self.held is not None,
            "picture": None if picture is None else str(picture),
        }


def new_faults(found: Sequence[Fault], new: Journal, base: Journal) -> tuple[NewFault, ...]:
    """The faults that are new, facts first, otherwise in their order."""
    made = [_new_fault(one, new, base) for one in found]
    return tuple(sorted(made, key=lambda one: not one.fact))


def _new_fault(fault: Fault, new: Journal, base: Journal) -> NewFault:
    """The first finding that the baseline passes, if any, shows the fault best."""
    for finding in fault.findings:
        twin = same_case(new, finding, base)
        if twin is not None and twin.status == "holds":
            return NewFault(fault, finding, twin)
    return NewFault(fault, fault.representative, None)
