"""The tables of the experiment, in the form of the paper's, from runs and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.lvcit.answers import Answers, Flags
from experiments.metaod.tables import interval, percent, table
from snellen.statistics.intervals import wilson_rate
from snellen.vision.precision.label_precision import mean_average_precision, pairwise_coverage

DRAWS = 1000
TOP = 3
KINDS = ("missing", "extra", "mismatch")
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SubjectResults:
    """One subject: the summary of its run, its compositions, and its photographs."""

    summary: dict[str, Any]
    compositions: Answers
    photographs: Answers

    @property
    def numbers(self) -> dict[str, Any]:
        """The summary's figures of combinations."""
        found: dict[str, Any] = self.summary["own"]
        return found

    def usable(self) -> Flags:
        """(n,): labels with an object."""
        return np.asarray(self.compositions.truth.any(axis=0))

    def drawn(self, measure: Callable[[Places], float]) -> tuple[float, float, float]:
        """Mean and central 95% of a measure over as many compositions as there are photographs.

        measure: takes indices of compositions, drawn without replacement, 1,000 times.
        """
        rng = np.random.default_rng(1)
        size, count = len(self.compositions.truth), len(self.photographs.truth)
        values = [measure(rng.permutation(size)[:count]) for _ in range(DRAWS)]
        low, high = np.quantile(values, [0.025, 0.975])
        return float(np.mean(values)), float(low), float(high)


Found = Mapping[str, SubjectResults]


def results_page(found: Found, made: str) -> str:
    """All tables as one Markdown page."""
    parts = [
        "# LV-CIT again: measured",
        made,
        _library(found),
        _coverage(found),
        _errors(found),
        _accuracy(found),
        _top(found),
        _causes(found),
    ]
    return "\n\n".join(parts) + "\n"


def _library(found: Found) -> str:
    head = ["subject", "objects accepted", "of", "labels usable", "of", "rows", "least possible"]
    rows: list[list[object]] = []
    for name, one in found.items():
        covered = one.numbers["coverage"]
        kept = sum(covered["objects"]["kept"].values())
        refused = sum(covered["objects"]["rejected"].values())
        rows.append(
            [
                name,
                kept,
                kept + refused,
                covered["usable"],
                covered["labels"],
                covered["rows"],
                covered["bound"],
            ]
        )
    note = (
        "Published: 1,811 to 1,987 objects a subject, 79 or 80 of 80 labels, 1,136 rows. Rows are "
        "those with a label present; the bare canvas is one more."
    )
    return f"## Objects and rows\n\n{table(head, rows)}\n\n{note}"


def _coverage(found: Found) -> str:
    head = [
        "subject", "labels", "compositions, all", "as many compositions as photographs",
        "photographs",
    ]  # fmt: skip
    rows: list[list[object]] = []
    for name, one in found.items():
        usable = one.usable()
        for labels, chosen in (("all", np.ones_like(usable)), ("usable", usable)):
            truth = one.compositions.truth[:, chosen]
            drawn = one.drawn(lambda places, truth=truth: pairwise_coverage(truth[places]) or 0.0)  # type: ignore[misc]
            rows.append(
                [
                    name,
                    f"{labels} {int(chosen.sum())}",
                    percent(pairwise_coverage(truth) or 0.0),
                    _range(drawn),
                    percent(pairwise_coverage(one.photographs.truth[:, chosen]) or 0.0),
                ]
            )
    note = (
        "Published (COCO): LV-CIT 98.75% to 100%, as many random images (11,358) 90.07%, of all 80 "
        "labels. Of as many compositions as there are photographs (64): the mean and the middle "
        "95% of 1,000 draws. Usable: labels that have an object which the subject recognises."
    )
    title = "Table III: 2-way label value combination coverage"
    return f"## {title}\n\n{table(head, rows)}\n\n{note}"


def _errors(found: Found) -> str:
    head = ["subject", "images", "how many", "errors, as published", "rate", "hard errors", "rate"]
    rows: list[list[object]] = []
    for name, one in found.items():
        errors, photos = one.numbers["error_images"], one.photographs
        rows += [
            [
                name,
                "compositions",
                one.numbers["images"],
                errors["as_published"]["images"],
                interval(errors["as_published"]["rate"]),
                errors["images"],
                interval(errors["rate"]),
            ],
            [name, "compositions, drawn", len(photos.truth), *_drawn_errors(one)],
            [
                name,
                "photographs",
                len(photos.truth),
                *_share(photos.wrong),
                *_share(photos.failing),
            ],
        ]
    note = (
        "Published (COCO): 87.4% to 91.5% of the compositions, 49.7% to 55.4% of as many random "
        "images. Intervals: of all compositions by row, of those drawn the middle 95% of the "
        "draws, of photographs Wilson's."
    )
    return f"## Table IV: images and errors\n\n{table(head, rows)}\n\n{note}"


def _drawn_errors(one: SubjectResults) -> list[object]:
    cells: list[object] = []
    for flags in (one.compositions.wrong, one.compositions.failing):
        drawn = one.drawn(lambda places, flags=flags: float(flags[places].mean()))  # type: ignore[misc]
        cells += [f"{len(one.photographs.truth) * drawn[0]:.1f}", _range(drawn)]
    return cells


def _share(flags: Flags) -> list[object]:
    return [int(flags.sum()), interval(wilson_rate(float(flags.sum()), len(flags)).to_json())]


def _range(drawn: tuple[float, float, float]) -> str:
    return f"{percent(drawn[0])} ({percent(drawn[1])} to {percent(drawn[2])})"


def _accuracy(found: Found) -> str:
    head = [
        "subject", "mAP on the photographs", "2-way mIA, compositions", "with a label present",
        "2-way mIA, photographs", "with a label present",
    ]  # fmt: skip
    rows: list[list[object]] = []
    for name, one in found.items():
        accuracies = [*one.compositions.accuracy(), *one.photographs.accuracy()]
        precision = mean_average_precision(one.photographs.truth, one.photographs.scores) or 0.0
        rows.append([name, percent(precision), *(f"{100 * value:.2f}%" for value in accuracies)])
    note = (
        "Published (COCO): mAP 83.0% to 86.6%, mIA 95.5% to 96.0%. mAP is of labels by image, over "
        "those that occur in the 64 photographs."
    )
    return f"## Table V: precision and interaction accuracy\n\n{table(head, rows)}\n\n{note}"


def _top(found: Found) -> str:
    parts = [
        "## Table VI: the combinations with most errors",
        "LC: labels. A: images whose smallest failing part shows it (our count, by which they are "
        "ranked). E: error images by the published rule. TI: of the 128 training images at hand, "
        "those with both labels (with the first, with the second).",
    ]
    head = ["subject", "kind", "LC", "A", "E", "TI"]
    rows: list[list[object]] = []
    for name, one in found.items():
        for kind in KINDS:
            for one_pair in one.numbers["top"][kind][:TOP]:
                first, second = one_pair["labels"]
                trained = one_pair["training"]
                seen = f"{trained['both']} ({trained['singles'][0]}, {trained['singles'][1]})"
                pair = f"{{{first}, {second}}}"
                rows.append([name, kind, pair, one_pair["attributed"], one_pair["errors"], seen])
    return "\n\n".join([*parts, table(head, rows)])


def _causes(found: Found) -> str:
    """The cause of each failing composition, and what the verdict rests on."""
    names = list(found)
    rows: list[list[object]] = [
        ["**failing (hard)**", *(_counted(one.numbers["error_images"]) for one in found.values())],
        ["**interaction**", *(_counted(one.numbers["interaction"]) for one in found.values())],
    ]
    causes = dict.fromkeys(cause for one in found.values() for cause in one.numbers["causes"])
    rows += [[cause, *(_cause(one, cause) for one in found.values())] for cause in causes]
    note = (
        "Compositions, and their share of all with a 95% interval, rows of the array as units. "
        "Interaction: no object alone, at its place and scale on the same canvas, shows the error; "
        "these are the causes correlation, contact, occlusion and crowding. Not in the paper."
    )
    title = "## Why they fail, and controls"
    return "\n\n".join([title, table(["cause", *names], rows), note, _controls(found)])


def _cause(one: SubjectResults, cause: str) -> str:
    known = one.numbers["causes"].get(cause)
    return "0" if known is None else _counted(known)


def _counted(one: Mapping[str, Any]) -> str:
    return f"{one['images']}: {interval(one['rate'])}"


def _controls(found: Found) -> str:
    head = ["subject", "proven faults", "faults", "objects alone that fail", "difference"]
    rows: list[list[object]] = []
    for name, one in found.items():
        control, difference = one.summary["control"], one.summary["difference"]
        faults = one.summary["faults"]
        rows.append(
            [
                name,
                f"{faults['proven']} in {faults['proven_scenes']} rows",
                faults["count"],
                f"{control['failing']} of {control['cases']}, {interval(control['rate'])}",
                "-" if difference is None else interval(difference),
            ]
        )
    return table(head, rows)
