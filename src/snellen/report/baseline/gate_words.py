"""A gate against a baseline in words, for the terminal, the page and a pull request."""

from __future__ import annotations

from snellen.errors import NO_VERDICT
from snellen.report.baseline.baseline_gate import BaselineGate
from snellen.report.baseline.gated_number import ChangeStatus, GatedNumber
from snellen.report.baseline.new_fault import NewFault
from snellen.report.comparison.words import fault_words

PAGE = "gate.html"
ORDER = tuple(ChangeStatus)
"""The worst first."""
NAMED = 5
"""New faults that are listed on the terminal."""
RULE = (
    "Scenes are paired, so what makes a scene hard for both cancels out. A number is worse if it "
    "is shown to be worse by more than the margin, not worse if it is shown to be within it, and "
    "undecided otherwise."
)


def lines(gate: BaselineGate) -> list[str]:
    """Warnings, the numbers, worst first, new faults, and the verdict last."""
    wide = max(len(status) for status in ORDER)
    numbers = [f"{one.status:<{wide}}  {one.number.name}: {says(one)}" for one in worst_first(gate)]
    return [
        *(f"warning: {one}." for one in notes(gate)),
        *numbers,
        *_fault_lines(gate),
        *gate.missing,
        f"{multiplicity(gate)}.",
        f"gate: {verdict(gate)}",
        *([f"see {page}"] if (page := gate.folder / PAGE).exists() else []),
    ]


def worst_first(gate: BaselineGate) -> list[GatedNumber]:
    """Worse numbers, then undecided ones, then the others."""
    return [one for status in ORDER for one in gate.of(status)]


def notes(gate: BaselineGate) -> list[str]:
    """What makes the comparison unfair, and keys that the baseline replaced."""
    replaced = ", ".join(gate.replaced)
    taken = f"taken from the baseline, not from the configuration: {replaced}"
    return [*gate.comparison.warnings, *([taken] if replaced else [])]


def says(one: GatedNumber) -> str:
    """The values, the change, and what decides it or would decide it."""
    if not one.known:
        return "no cases to compare"
    values = f"{_share(one.number.a)} to {_share(one.number.b)}"
    change = f"{values}, {_change(one)}"
    if one.status is not ChangeStatus.UNDECIDED:
        side = "beyond" if one.status is ChangeStatus.WORSE else "within"
        return f"{change}: {side} the margin of {_points(one.margin)}"
    return f"{change}; {_outlook(one)}"


def _change(one: GatedNumber) -> str:
    """How much worse or better, with the bounds of both tests."""
    found = one.worse_by
    low, high = (signed_points(end) for end in (found.low, found.high))
    if low.split()[-1] == high.split()[-1]:
        low = low.split()[0]
    return f"{signed_points(found.value)} ({100 * found.confidence:.0f}% interval {low} to {high})"


def _outlook(one: GatedNumber) -> str:
    """What would decide an undecided number."""
    if one.more is None:
        return "more scenes like these would not decide it"
    scenes = f"about {one.more} more scenes like these would decide it"
    if one.alone < one.level:
        return f"worse if it were the only number (p = {one.alone:.3f}); {scenes}"
    return scenes


def multiplicity(gate: BaselineGate) -> str:
    """How sure the verdicts are, given how many numbers are gated."""
    count = sum(one.known for one in gate.numbers)
    if count < 2:
        return "worse: one-sided test at 5%"
    return (
        f"{count} numbers are gated: a false `worse` on any of them occurs in at most 5% of gates "
        "(Holm); each `not worse` is a one-sided test at 5%"
    )


def verdict(gate: BaselineGate) -> str:
    """The verdict with how many numbers of each kind there are."""
    counts = ", ".join(f"{len(gate.of(status))} {status}" for status in ORDER)
    more = f", {len(gate.forbidden)} new faults" if gate.rules.no_new_faults else ""
    return f"{gate.word} ({counts}{more})"


def headline(gate: BaselineGate) -> str:
    """What matters most, for a title."""
    worse, forbidden = gate.of(ChangeStatus.WORSE), len(gate.forbidden)
    undecided = len(gate.of(ChangeStatus.UNDECIDED))
    if worse:
        names = ", ".join(one.number.name for one in worse[:2])
        rest = f" and {len(worse) - 2} more" if len(worse) > 2 else ""
        return f"worse in {names}{rest}"
    if forbidden:
        return f"{forbidden} new fault{'' if forbidden == 1 else 's'}"
    if gate.code == NO_VERDICT:
        return "no verdict"
    open_ones = f", {undecided} of {len(gate.numbers)} numbers undecided" if undecided else ""
    return f"not shown to be worse{open_ones}"


def fault_rule(gate: BaselineGate) -> str:
    """How many faults are new, and whether they fail the gate."""
    changes, facts = gate.comparison.faults, sum(one.fact for one in gate.faults)
    counted = f"{_counted(len(changes.new), 'new fault')}, {len(changes.fixed)} fixed, "
    counted += f"{len(changes.still)} in both."
    sure = f" Of the new ones {facts} are facts: proven by counterfactuals, or the same case fails "
    sure += "now and holds with the baseline."
    rule = " Each of these fails this gate (--no-new-faults)."
    if not gate.rules.no_new_faults:
        rule = " They do not fail the gate one by one: it decides on the share of scenes with a "
        rule += "fault, since other faults are not more faults."
    return counted + sure + rule


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _fault_lines(gate: BaselineGate) -> list[str]:
    """How many faults are new, fixed and in both, and the first new ones."""
    changes = gate.comparison.faults
    if not (changes.new or changes.fixed or changes.still):
        return []
    facts = sum(one.fact for one in gate.faults)
    counted = f"faults: {len(changes.new)} new ({facts} proven or failing in a case that the "
    counted += f"baseline passes), {len(changes.fixed)} fixed, {len(changes.still)} in both"
    shown = [f"  new: {new_fault_words(one)}{_picture(gate, one)}" for one in gate.faults[:NAMED]]
    rest = len(gate.faults) - NAMED
    return [counted, *shown, *([f"  and {rest} more new ones"] if rest > 0 else [])]


def new_fault_words(one: NewFault) -> str:
    """What a new fault strikes, where, why, and why it is a fact."""
    return ", ".join(filter(None, (fault_words(one.fault, one.finding), one.evidence)))


def _picture(gate: BaselineGate, one: NewFault) -> str:
    path = one.picture(gate.folder)
    return "" if path is None else f", {path}"


def _share(value: float) -> str:
    return f"{100 * value:.1f}%"


def _points(share: float) -> str:
    value = f"{100 * share:.3g}"
    return f"{value} point{'' if value == '1' else 's'}"


def signed_points(share: float) -> str:
    """How much worse or better, in percentage points."""
    rounded = round(100 * share, 1)
    if not rounded:
        return "unchanged"
    return f"{abs(rounded):.1f} points {'worse' if rounded > 0 else 'better'}"
