"""A gate against a baseline as Markdown, for a pull request."""

from __future__ import annotations

from snellen.pages.markdown_text import escaped
from snellen.report.baseline import gate_words as words
from snellen.report.baseline.baseline_gate import BaselineGate
from snellen.report.baseline.gated_number import ChangeStatus

SIGNS = {
    ChangeStatus.WORSE: "❌ worse",
    ChangeStatus.UNDECIDED: "❔ undecided",
    ChangeStatus.NOT_WORSE: "✅ not worse",
}
NAMED = 10
"""New faults that are listed."""


def gate_markdown(gate: BaselineGate) -> str:
    """A heading, a table of the numbers, the new faults, and how it was decided."""
    a, b = gate.comparison.subjects
    lines = [
        f"## Snellen gate: {escaped(gate.word)}",
        "",
        f"**{escaped(b.name)}: {escaped(words.headline(gate))}** "
        f"(method {escaped(gate.comparison.method)}, {gate.comparison.scenes} scenes, baseline "
        f"{escaped(a.name)})",
        "",
        *(f"> {escaped(one)}" for one in (*gate.missing, *words.notes(gate))),
        "",
        *_table(gate),
        "",
        *_faults(gate),
        f"<sub>{escaped(words.multiplicity(gate))}. {escaped(words.RULE)} Pictures are in "
        "gate.html of the new run folder.</sub>",
    ]
    return "\n".join(lines) + "\n"


def _table(gate: BaselineGate) -> list[str]:
    rows = [
        f"| {escaped(one.number.name)} | {SIGNS[one.status]} | {escaped(words.says(one))} |"
        for one in words.worst_first(gate)
    ]
    return ["| number | verdict | baseline to new |", "| --- | --- | --- |", *rows]


def _faults(gate: BaselineGate) -> list[str]:
    """What is new, if anything is."""
    if not gate.faults:
        return []
    listed = [f"- {escaped(words.new_fault_words(one))}" for one in gate.faults[:NAMED]]
    rest = len(gate.faults) - NAMED
    listed += [f"- and {rest} more"] if rest > 0 else []
    return ["### New faults", "", escaped(words.fault_rule(gate)), "", *listed, ""]
