"""The evidence about a finding in one sentence."""

from __future__ import annotations

from snellen.methods.fusion.explanation.evidence import Evidence, FusionCause
from snellen.methods.fusion.explanation.rung_names import RungName

COUNTED = {
    RungName.SLIGHT: "poses slightly off",
    RungName.NULL: "background nulls",
}
WORDS = {
    RungName.IMAGE: "with the image alone",
    RungName.CLOUD: "with the cloud alone",
    RungName.ASIDE: "moved aside",
    RungName.BEHIND: "behind it",
    RungName.OTHER: "with another mesh of the class",
    RungName.OTHER_CLASS: "with a mesh of another class",
    RungName.FARTHER: "farther away",
    RungName.ELSEWHERE: "elsewhere",
    RungName.OTHER_ELSEWHERE: "elsewhere with a mesh of another class",
}
SENSORS = (FusionCause.CAMERA, FusionCause.LIDAR, FusionCause.BOTH)


def says(evidence: Evidence) -> str:
    """In which counterfactuals the failure persists, with counts; empty without any."""
    if not evidence.rungs:
        return ""
    asked = {name: evidence.counts(name) for name in (*COUNTED, *WORDS)}
    counted = [
        f"{asked[name][0]} of {asked[name][1]} {words}"
        for name, words in COUNTED.items()
        if asked[name][1]
    ]
    still = [_times(asked[name], words) for name, words in WORDS.items() if asked[name][0]]
    gone = [words for name, words in WORDS.items() if asked[name][1] and not asked[name][0]]
    parts = [f"persists in {_listed(counted, 'and')}"] if counted else []
    if still:
        parts.append(f"{'also ' if parts else ''}persists {_listed(still, 'and')}")
    if gone:
        parts.append(f"does not persist {_listed(gone, 'or')}")
    if evidence.hidden >= 0.005:
        thing = "inserted object" if evidence.inserted else "struck object"
        parts.append(f"{evidence.hidden:.0%} of the {thing} is hidden")
    return f"The failure {'; '.join(parts)}.{_dependence(evidence)}"


def _dependence(evidence: Evidence) -> str:
    """What a failure of an object of the frame depends on, apart from the sensors."""
    if evidence.inserted or evidence.cause not in SENSORS:
        return ""
    on = []
    if evidence.holds(RungName.OTHER):
        on.append("the mesh")
    elif evidence.holds(RungName.OTHER_CLASS):
        on.append("the class of the mesh")
    if evidence.holds(RungName.ELSEWHERE, RungName.FARTHER):
        on.append("the place")
    if on:
        return f" It depends on {_listed(on, 'and')}."
    names = (RungName.ELSEWHERE, RungName.OTHER_CLASS)
    tried = all(evidence.counts(name)[1] for name in names)
    return " It depends neither on the mesh nor on the place, as far as tried." if tried else ""


def _times(counts: tuple[int, int], words: str) -> str:
    persisting, asked = counts
    return words if persisting == asked else f"{persisting} of {asked} times {words}"


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
