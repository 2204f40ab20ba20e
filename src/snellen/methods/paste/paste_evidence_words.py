"""The evidence about a failing insertion, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.contract.explanation import Rung
from snellen.methods.paste.paste_causes import PasteEvidence, RungKind

COUNTED = {
    RungKind.PATCH: "background through the same mask",
    RungKind.COPY: "near-identical copies",
    RungKind.OTHER: "another object here",
}
"""Kinds of which the number that fail is given."""
AWAY = (RungKind.FAR, RungKind.FAR_PATCH)
"""The same, for kinds whose names end with their distance, such as `310 px away`."""


def evidence_words(evidence: PasteEvidence) -> str:
    """What still fails and what holds, with the counts; "" without any answer."""
    if not evidence.asked:
        return ""
    said = [f"{words}{_labels(evidence, kind)}: {_count(evidence, kind)}"
            for kind, words in COUNTED.items() if evidence.by_kind[kind]]  # fmt: skip
    if not evidence.by_kind[RungKind.PATCH]:
        said.insert(0, "no background of its size for a patch")
    if not evidence.by_kind[RungKind.OTHER]:
        said.append("no other object in the library")
    said += [f"{_away(evidence.by_kind[kind])}: {_count(evidence, kind)}"
             for kind in AWAY if evidence.by_kind[kind]]  # fmt: skip
    blended = evidence.by_kind[RungKind.BLENDING]
    said += [f"{one.name}: {'fails' if one.persists else 'holds'}" for one in blended]
    smaller = [one.name for one in evidence.by_kind[RungKind.SMALLER] if one.persists]
    said += [f"still fails at {name}" for name in smaller[-1:]]
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _count(evidence: PasteEvidence, kind: RungKind) -> str:
    failing, asked = evidence.counts(kind)
    return f"{failing} of {asked} {'fails' if failing == 1 else 'fail'}"


def _labels(evidence: PasteEvidence, kind: RungKind) -> str:
    """The labels of other objects, in brackets."""
    if kind != RungKind.OTHER:
        return ""
    labels = dict.fromkeys(one.name.split(": ", 1)[1] for one in evidence.by_kind[kind])
    return f" ({', '.join(labels)})"


def _away(rungs: Sequence[Rung]) -> str:
    """What is pasted far away, and how far."""
    words = [one.name.split() for one in rungs]
    far = sorted({int(one[-3]) for one in words})
    many = f"{far[0]} to {far[-1]}" if len(far) > 1 else str(far[0])
    return f"{' '.join(words[0][:-3])} {many} px away"
