"""The evidence about a finding in one sentence."""

from __future__ import annotations

from snellen.methods.fusion.explanation.evidence import Evidence, RungName

ONE_SENSOR = {RungName.IMAGE: "the image alone", RungName.CLOUD: "the cloud alone"}
OTHERS = {
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
    still = [*counted, *_named(evidence, ONE_SENSOR, True), *_named(evidence, OTHERS, True)]
    gone = [*_named(evidence, ONE_SENSOR, False), *_named(evidence, OTHERS, False)]
    parts = [f"persists in {_listed(still)}"] if still else []
    parts += [f"not {_listed(gone)}"] if gone else []
    hidden = ""
    if evidence.hidden >= 0.005:
        thing = "inserted object" if evidence.inserted else "struck object"
        hidden = f"; {evidence.hidden:.0%} of the {thing} is hidden"
    return f"The failure {', but '.join(parts)}{hidden}."


def _named(evidence: Evidence, words: dict[RungName, str], persists: bool) -> list[str]:
    return [
        f"with {text}" if name in ONE_SENSOR else text
        for name, text in words.items()
        if evidence.persists(name) is persists
    ]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
