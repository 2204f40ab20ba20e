"""The sections of a run of label combinations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.methods.combinations.composites import CAUSE_WORDS
from snellen.methods.combinations.own_numbers import (
    CombinationNumbers,
    SmallestLabels,
    TrainedPair,
    UsedObjects,
    WorstPair,
)
from snellen.methods.combinations.pairs.heatmap import PairMap, heatmap
from snellen.methods.combinations.words import pair_name, pairs_line, smallest_words
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import SHOWN, figure, section, table
from snellen.store.estimate import p_words

KIND_WORDS = {
    "missing": "both are present, but not both are output",
    "extra": "the first is present and output, and the second is output too",
    "mismatch": "the first is present, and the second is output in its place",
}
WRONG_WORDS = {"missing": "missed", "extra": "added", "mismatch": "output instead"}
STANDS_OUT = (
    "A pair stands out if it has more errors of a kind than all pairs on average (exact binomial "
    "test of the compositions whose smallest failing part shows the pair, with Benjamini and "
    "Hochberg's correction over all pairs and kinds; p-values are corrected ones)."
)


def causes_and_pairs(found: CombinationNumbers, map: PairMap | None) -> Markup:
    """Why compositions fail and on which labels; map: from `map_data`."""
    drawn = heatmap(map) if map else None
    shown = section("Which labels go wrong together", drawn, id="labels-map") if drawn else None
    return joined(causes(found), alone(found), smallest(found), shown, worst_pairs(found))


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
    return section("Why they fail", table(heads, rows, caption), id="causes")


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


def alone(found: CombinationNumbers) -> Markup | None:
    """Objects that get another label although nothing else is in the image."""
    if not found.alone:
        return None
    trained = any(one.training for one in found.alone)
    heads = ["label", "also gets", "objects alone"]
    heads += ["training images with both", "with each"] if trained else []
    rows: list[list[Child]] = [
        [
            one.label,
            one.also,
            f"{one.failing} of {one.objects}",
            *(_training(one.training) if trained else ()),
        ]
        for one in found.alone
    ]
    return section(
        "Labels that come without company",
        tag(
            "p",
            "These objects get a second label when they are shown alone on a plain canvas. They "
            "are in no composition. Some of each label are tests of their own, outside of the "
            "failure rate; those whose second label persists are among the faults.",
        ),
        table(heads, rows, "Objects alone, of those that get at least their own label"),
        id="alone",
    )


def smallest(found: CombinationNumbers) -> Markup | None:
    """The smallest sets of labels that are enough for an error, those of the array's size first."""
    strength = found.coverage.strength
    sizes = sorted(found.smallest, key=lambda size: (size != strength, size))
    tables = [_smallest(size, found.smallest[size]) for size in sizes]
    if not tables:
        return None
    return section(
        "The smallest parts that fail",
        tag("p", "Without any one of these labels the error is gone."),
        tables,
        id="smallest",
    )


def _smallest(size: int, found: Sequence[SmallestLabels]) -> Markup:
    rows: list[list[Child]] = [
        [
            tag("span", " + ".join(one.labels) or "nothing", tag("small", smallest_words(one))),
            f"{one.images} of {one.shown}",
            figure(one.rate, "{:.1f}%"),
        ]
        for one in found
    ]
    what = {0: "The bare background", 1: "One label"}.get(size, f"{size} labels")
    return table(["labels", "compositions", "of those that show them"], rows, what)


def worst_pairs(found: CombinationNumbers) -> Markup | None:
    """The label pairs with the most errors, by kind."""
    tables = [_top(kind, rows) for kind, rows in found.top.items() if rows]
    if not tables:
        return None
    counts = found.pairs
    return section(
        "The worst combinations",
        tag("p", f"{pairs_line(found)} {STANDS_OUT}"),
        tag(
            "p",
            "Ranked by how many failing compositions still show the error with every unneeded "
            "object removed; then by all images with the error.",
        ),
        tables,
        tag(
            "p",
            f"Of {counts.tested:,} pairs of labels judged in all images, {counts.passed:,} "
            f"pass; {counts.missing:,} missing, {counts.extra:,} extra, {counts.mismatch:,} "
            "mismatch. Pairs are counted by the published rules: those with neither label "
            "present don't count, nor those where one label is missing and nothing else output.",
            class_="facts",
        ),
        id="pairs",
    )


def _top(kind: str, rows: Sequence[WorstPair]) -> Markup:
    trained = any(one.training for one in rows)
    heads = ["labels", "smallest parts", "images", "rate", "stands out"]
    heads += ["training images with both", "with each"] if trained else []
    made = [
        [
            tag("span", pair_name(kind, one.labels), tag("small", _wrong(kind, one.wrong))),
            one.attributed,
            f"{one.errors} of {one.images}",
            figure(one.rate, "{:.1f}%"),
            _standing(one),
            *(_training(one.training) if trained else ()),
        ]
        for one in rows
    ]
    return table(heads, made, f"{kind.capitalize()}: {KIND_WORDS[kind]}")


def _standing(one: WorstPair) -> str:
    """Whether a pair stands out, with the corrected p-value."""
    if one.adjusted_p is None:
        return ""
    p = p_words(one.adjusted_p)
    return f"{'yes' if one.stands_out else 'no'}, {p}"


def _wrong(kind: str, wrong: Mapping[str, int]) -> str:
    counted = sorted(wrong.items(), key=lambda one: -one[1])
    text = ", ".join(f"{name} in {count}" for name, count in counted if count)
    return f"{WRONG_WORDS[kind]}: {text}" if text else ""


def _training(training: TrainedPair | None) -> list[Child]:
    if training is None:
        return ["", ""]
    return [f"{training.both:,}", ", ".join(f"{one:,}" for one in training.singles)]


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
