"""Curves over visual change on the page: for each transformation and label, all subtasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.methods.requirements.own_numbers import Curve, CurveGroup, CurvePart, RequirementRow
from snellen.methods.requirements.page.axis_samples import Strip
from snellen.methods.requirements.page.curve_plot import LOOKS, CurveMark, curve_plot, reach_of
from snellen.methods.requirements.page.picture_strip import strip_row
from snellen.methods.requirements.page.section import status
from snellen.pages.embedded_pictures import Album
from snellen.pages.markup import Markup, tag
from snellen.pages.tables import section
from snellen.statistics.non_inferiority import LossStatus

KINDS = {
    "correctness": "Judged against the annotations.",
    "preservation": "Judged against the subject's answer to the unchanged scene.",
}
PAIRED = (
    " Each point is what the same {scenes:,} scenes lose compared with themselves unchanged, each "
    "changed once at every level; bands are intervals with the confidence of the verdicts. Shaded: "
    "where tests show that more than tolerated is lost, at every level up to the threshold."
)


def change_curves(
    requirements: Sequence[RequirementRow],
    groups: Sequence[CurveGroup],
    strips: Sequence[Strip | None],
    album: Album,
) -> list[Markup]:
    """A section for each group of `reliability`; strips: of all or the first groups."""
    by_name = {one.name: one for one in requirements}
    shown = [*strips, *[None] * (len(groups) - len(strips))]
    return [
        _group(place, one, strip, by_name, album)
        for place, (one, strip) in enumerate(zip(groups, shown, strict=True))
    ]


def _group(
    place: int,
    group: CurveGroup,
    strip: Strip | None,
    by_name: Mapping[str, RequirementRow],
    album: Album,
) -> Markup:
    """One transformation and label: a plot for each subtask, and the strip of pictures."""
    label = "" if group.label == "any" else f", {group.label}"
    kind = "" if group.kind == "correctness" else f", {group.kind}"
    people = [one.people for part in group.parts for one in part.curves.values() if one.people]
    reach = reach_of(group.most, people)
    about = [by_name[name] for part in group.parts for name in part.requirements]
    return section(
        f"Under {group.transformation}{label}{kind}",
        tag(
            "p",
            f"{group.cases:,} cases of {group.scenes:,} scenes with {group.objects:,} "
            f"objects in total. {KINDS[group.kind]}"
            f"{PAIRED.format(scenes=_paired_scenes(group))}",
        ),
        _legend(group, bool(people)),
        tag(
            "div",
            [_figure(part, group, reach, by_name) for part in group.parts],
            class_="multiples",
        ),
        strip_row(strip, group, album),
        _sources(about),
        id=f"change-{place}",
    )


def _figure(
    part: CurvePart,
    group: CurveGroup,
    reach: float,
    by_name: Mapping[str, RequirementRow],
) -> Markup:
    members = [by_name[name] for name in part.requirements]
    given = f" given {' and '.join(part.given)}" if part.given else ""
    whole = " as a whole" if part.part in ("detection", "segmentation") else ""
    broken = [
        (one.breaks_from, one.over[1])
        for one in members
        if one.status == LossStatus.VIOLATED and one.breaks_from is not None
    ]
    title = f"{part.part}{whole}{given}, {group.label} under {group.transformation}"
    return tag(
        "figure",
        tag(
            "figcaption",
            tag(
                "h3",
                tag("span", part.part, tag("small", f"{whole}{given}")),
                [status(one.status) for one in members],
            ),
        ),
        curve_plot(
            title, part.curves, _marks(members), broken[:1], reach,
            f"visual change, {group.measure}", min((one.margin for one in members), default=None),
        ),
        [tag("p", line, class_="facts") for line in _graded(part.curves)],
    )  # fmt: skip


def _paired_scenes(group: CurveGroup) -> int:
    """How many scenes the curves are of."""
    bins = [one for part in group.parts for curve in part.curves.values() for one in curve.bins]
    return max((one.cases for one in bins if one.at is not None), default=0)


def _marks(members: Sequence[RequirementRow]) -> list[CurveMark]:
    """The thresholds of a conjunction; the last one is people's threshold for this part."""
    found: dict[float, CurveMark] = {}
    for one in members:
        *lower, own = one.thresholds
        for at in lower:
            found.setdefault(at, CurveMark(at, f"{at:g}", "lower"))
        found[own] = CurveMark(own, f"people {own:g}", "own")
        if one.naive is not None:
            found.setdefault(one.naive, CurveMark(one.naive, f"direct {one.naive:g}", "naive", 1))
    return list(found.values())


def _graded(curves: Mapping[str, Curve]) -> list[str]:
    """The areas under the curves, compared with people where their answers are known."""
    graded = {name: one.graded for name, one in curves.items() if one.graded}
    areas = [
        f"{name} {100 * one.area.value:.1f}% "
        f"({100 * one.area.ends[0]:.1f} to {100 * one.area.ends[1]:.1f})"
        for name, one in graded.items()
        if one.area.value is not None and one.area.ends is not None
    ]
    lines = [f"Mean over visual change: {', '.join(areas)}."] if areas else []
    for name, one in graded.items():
        found = one.compared
        if found is not None:
            lines.append(
                f"As non-increasing curves, from visual change {found.low:.2f} to "
                f"{found.high:.2f}, people have {100 * found.human:.1f}% {name}, the subject "
                f"{100 * found.subject:.1f}%: it reaches {100 * found.human_relative:.1f}% of "
                "human performance."
            )
    return lines


def _legend(group: CurveGroup, people: bool) -> Markup:
    names = dict.fromkeys(name for part in group.parts for name in part.curves)
    items = [(name, f"line {LOOKS[name]}") for name in names]
    items = [(f"points of {words} lost", look) for words, look in items]
    items += [("tolerated loss", "tolerated")]
    items += [("people's loss", "people")] if people else []
    keys = [tag("li", _key(look), words) for words, look in items]
    upright = tag("li", _key("threshold", upright=True), "human threshold")
    return tag("ul", keys, upright, class_="legend")


def _key(look: str, *, upright: bool = False) -> Markup:
    ends = (
        {"x1": 13, "x2": 13, "y1": 0, "y2": 12}
        if upright
        else {"x1": 1, "x2": 25, "y1": 6, "y2": 6}
    )
    line = tag("line", class_=look, **ends)
    return tag("svg", line, viewBox="0 0 26 12", class_="line-key", aria_hidden="true")


def _sources(about: Sequence[RequirementRow]) -> Markup | None:
    """The sources of the thresholds, each once."""
    found: dict[str, list[str]] = {}
    for one in about:
        source = one.source
        ends = f" ({source.low:g} to {source.high:g})" if source.low is not None else ""
        limit = ", limited by the data" if source.limited_by_data else ""
        part = one.task if one.subtask == "whole" else one.subtask
        words = f"{part} {one.threshold:g}{ends}{limit}"
        found.setdefault(source.study, []).append(words)
    if not found:
        return None
    lines = [f"{', '.join(dict.fromkeys(parts))}: {study}" for study, parts in found.items()]
    return tag("p", "Human thresholds: ", "; ".join(lines), class_="facts")
