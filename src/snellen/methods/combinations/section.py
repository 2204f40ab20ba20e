"""The sections of a run of label combinations."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.methods.combinations.composites import CAUSE_WORDS
from snellen.methods.combinations.own_numbers import (
    CombinationNumbers,
    UsedObjects,
)
from snellen.methods.combinations.pairs.heatmap import PairMap, heatmap
from snellen.methods.combinations.pairs.pair_tables import (
    alone_table,
    smallest_tables,
    worst_pairs,
)
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import SHOWN, figure, section, table


def causes_and_pairs(found: CombinationNumbers, map: PairMap | None) -> Markup:
    """Why compositions fail and on which labels; map: from `map_data`."""
    drawn = heatmap(map) if map else None
    shown = section("Which labels go wrong together", drawn, id="labels-map") if drawn else None
    return joined(
        causes(found), alone_table(found), smallest_tables(found), shown, worst_pairs(found)
    )


def labels_and_coverage(found: CombinationNumbers) -> Markup:
    """Each label separately, and the coverage."""
    return joined(labels(found), coverage(found), baseline(found))


def causes(found: CombinationNumbers) -> Markup | None:
    """Why compositions fail, as far as their parts show."""
    if not found.error_images.images:
        return None
    rows: list[list[Child]] = [
        [
            tag("span", name, tag("small", CAUSE_WORDS[name])),
            one.images,
            figure(one.rate, "{:.1f}%"),
        ]
        for name, one in found.causes.items()
        if one.images
    ]
    together = found.interaction
    rows.insert(
        0,
        [
            tag(
                "span",
                "all interactions",
                tag("small", "no object alone shows the error, and they fail together"),
            ),
            together.images,
            figure(together.rate, "{:.1f}%"),
        ],
    )
    published = found.error_images.as_published
    rows.append(
        [
            tag(
                "span",
                "any difference",
                tag("small", "errors as the published method counts them: no margin, any cause"),
            ),
            published.images,
            figure(published.rate, "{:.1f}%"),
        ]
    )
    heads = ["cause", "compositions", "of all"]
    caption = "Failing compositions by cause, with 95% intervals by row"
    return section("Why they fail", table(heads, rows, caption), _by_overlap(found), id="causes")


def _by_overlap(found: CombinationNumbers) -> Markup | None:
    """Interactions by how much the objects overlap; None if there are none, or no overlap."""
    if not found.interaction.images or not found.by_overlap:
        return None
    rows: list[list[Child]] = [
        [
            f"{100 * one.low:.0f} to {100 * one.high:.0f}%",
            one.images,
            figure(one.interaction.rate, "{:.1f}%"),
            ", ".join(f"{count} {cause}" for cause, count in one.by_cause.items()),
        ]
        for one in found.by_overlap
    ]
    heads = ["largest overlap", "compositions", "fail by interaction", "cause"]
    return table(heads, rows, "Interactions by overlap, compositions of several objects")


def baseline(found: CombinationNumbers) -> Markup | None:
    """What as many random photographs reveal, beside the compositions."""
    other = found.baseline
    if other is None:
        return None

    def shares(pair: tuple[float | None, float | None]) -> list[Child]:
        return ["unknown" if one is None else f"{100 * one:.1f}%" for one in pair]

    rows: list[list[Child]] = [
        ["images", other.images, found.images],
        [
            "with a hard error",
            figure(other.failing.rate, "{:.1f}%"),
            figure(found.error_images.rate, "{:.1f}%"),
        ],
        [
            "with any difference, as published",
            figure(other.as_published.rate, "{:.1f}%"),
            figure(found.error_images.as_published.rate, "{:.1f}%"),
        ],
        ["mean average precision", *shares(other.precision)],
        ["interaction accuracy, with a label present", *shares(other.accuracy)],
        ["value combinations of two labels shown", *shares(other.covered)],
    ]
    heads = ["", "random photographs", "compositions"]
    return section(
        "Beside random photographs", table(heads, rows, "As in the paper"), id="baseline"
    )


def labels(found: CombinationNumbers) -> Markup | None:
    """Each label separately, most missed first."""
    trained = any(one.training is not None for one in found.by_label.values())
    ordered = sorted(
        found.by_label.items(), key=lambda one: (-one[1].missing - one[1].extra, one[0])
    )
    rows = [
        [
            name,
            one.images or "never",
            one.missing,
            figure(one.missing_rate, "{:.1f}%"),
            one.extra,
            figure(one.extra_rate, "{:.1f}%"),
            *([f"{one.training:,}"] if trained else ()),
        ]
        for name, one in ordered
    ]
    if not rows:
        return None
    heads = ["label", "shown in", "missing", "of those", "extra", "of the others"]
    heads += ["training images"] if trained else []
    first, rest = rows[:SHOWN], rows[SHOWN:]
    return section(
        "Labels one by one",
        table(heads, first, "Labels by errors at the threshold, most errors first"),
        tag(
            "details",
            tag("summary", f"{len(rest)} more"),
            table(heads, rest, "Further labels"),
        )
        if rest
        else None,
        id="labels",
    )


def coverage(found: CombinationNumbers) -> Markup:
    """The coverage of the rows, and the labels that could not be shown."""
    coverage = found.coverage
    share = coverage.covered / coverage.combinations if coverage.combinations else 0
    bound = f" (no array has fewer than {coverage.bound:,})" if coverage.bound else ""
    lines = [
        f"{coverage.rows:,} rows{bound} show {coverage.covered:,} of "
        f"{coverage.combinations:,} combinations of values of {coverage.strength} labels, "
        f"{100 * share:.1f}%, with at most {coverage.max_present} labels in an image. "
        f"{coverage.pairs_shown:,} pairs of labels were shown together.",
    ]
    if coverage.uncovered:
        lines.append(f"{coverage.uncovered:,} combinations are not covered and remain untested.")
    return section(
        "Coverage",
        [tag("p", line) for line in lines],
        _unusable(coverage.unusable, coverage.labels),
        _objects(coverage.objects),
        id="coverage",
    )


def _unusable(unusable: Mapping[str, str], labels: int) -> Markup | None:
    if not unusable:
        return None
    rows = [[name, why] for name, why in unusable.items()]
    shown = table(["label", "why"], rows, "Labels that could not be shown")
    lead = f"{len(unusable)} of {labels} labels have no usable object and were never shown."
    if len(rows) <= SHOWN:
        return joined(tag("p", tag("strong", lead)), shown)
    which = tag("summary", "Which, and why")
    return joined(tag("p", tag("strong", lead)), tag("details", which, shown))


def _objects(objects: UsedObjects) -> Markup | None:
    kept, rejected = objects.kept, objects.rejected
    if not kept and not rejected:
        return None
    text = f"{sum(kept.values()):,} objects of {len(kept)} labels were used"
    if rejected:
        reasons = sorted(rejected.items(), key=lambda one: -one[1])
        listed = ", ".join(f"{count:,} {why}" for why, count in reasons[:SHOWN])
        more = f", and {len(reasons) - SHOWN} other reasons" if len(reasons) > SHOWN else ""
        text += f"; {sum(rejected.values()):,} were rejected: {listed}{more}"
    return tag("p", f"{text}.", class_="facts")
