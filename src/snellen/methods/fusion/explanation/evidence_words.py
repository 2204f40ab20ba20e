"""The evidence about a finding in one sentence."""

from __future__ import annotations

from snellen.methods.fusion.explanation.evidence import Evidence, RungName

WORDS = {
    RungName.IMAGE: "with the image alone",
    RungName.CLOUD: "with the cloud alone",
    RungName.ASIDE: "moved aside",
    RungName.BEHIND: "behind it",
    RungName.OTHER: "with another mesh",
    RungName.FARTHER: "farther away",
    RungName.ELSEWHERE: "elsewhere",
}


def says(evidence: Evidence) -> str:
    """In which counterfactuals the failure persists, with counts; empty without any."""
    if not evidence.rungs:
        return ""
    counted = [
        f"{persisting} of {asked} {words}"
        for name, words in (
            (RungName.SLIGHT, "poses slightly off"),
            (RungName.NULL, "background nulls"),
        )
        for persisting, asked in [evidence.counts(name)]
        if asked
    ]
    still, gone = (_named(evidence, persists) for persists in (True, False))
    parts = [f"persists in {_listed(counted, 'and')}"] if counted else []
    if still:
        parts.append(f"{'also ' if parts else ''}persists {_listed(still, 'and')}")
    if gone:
        parts.append(f"does not persist {_listed(gone, 'or')}")
    if evidence.hidden >= 0.005:
        thing = "inserted object" if evidence.inserted else "struck object"
        parts.append(f"{evidence.hidden:.0%} of the {thing} is hidden")
    return f"The failure {'; '.join(parts)}."


def _named(evidence: Evidence, persists: bool) -> list[str]:
    return [text for name, text in WORDS.items() if evidence.persists(name) is persists]


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
