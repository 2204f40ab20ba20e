"""The tables of the experiment, in the paper's form and in ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from experiments.decompovision.cells import (
    area_loss,
    distance,
    ranked,
    ranks,
    table,
    verdict,
)
from experiments.decompovision.costs import Costs
from experiments.decompovision.subject_summary import SubjectSummary, Summary, operating_point
from experiments.decompovision.tolerances import CONDITIONS, KINDS, PERSON, Condition
from snellen.methods.requirements.checks.operating_points import match_operating_points

PARTS = ("localise", "classify", "detection")
MASK_PARTS = ("segment", "segmentation")
LEGEND = """\
In the form of the paper's Table 3: AP of the corruption benchmark is the mean of five severities on
the first 200 scenes; the other columns are published reliability distances, the smaller the better,
with the mean of the permutation null in square brackets; `naive` is the AP lost up to the composed
threshold. `cp` is correctness, `pp` preservation; L localise, C classify, D detection, S segment, I
instance segmentation. Ranks are in round brackets.

In our form: points lost up to the threshold with their 95% interval, of recall (R) or precision
(P), whichever decides the verdict; margin 2 points for a whole task, divided among its parts; `ok`,
**violated** or `open` (undecided), and the visual change at which it first fails. AP is shown with
a percentile interval that is too short if nothing is lost."""
PAPER = (
    "Published, 13 subjects on Pascal VOC: benchmark AP 0.31 to 0.76; cp L 0.51 to 0.85, C given L "
    "0.73 to 0.84, D 0.45 to 0.86, naive 0.44 to 0.59; pp L 0.41 to 0.80, C given L 0.16 to 0.69, "
    "D 0.39 to 0.73, naive 0.02 to 0.07. No nulls."
)
PAPER_MASKS = (
    "Published, 10 subjects, frost: cp S 0.37 to 0.63, I 0.53 to 0.65, naive 0.02 to 0.12; pp S "
    "0.13 to 0.16, I 0.39 to 0.59, naive 0.03 to 0.07. Masks at IoU 0.25 there, 0.5 here."
)


def results_page(found: Sequence[SubjectSummary], costs: Costs, day: str, command: str) -> str:
    """All tables as one Markdown page."""
    segmenter = found[-1]
    parts = [
        "# DecompoVision again: measured",
        f"Made on {day} by `{command}` (seed 1; {found[0].matched['scenes']} scenes, "
        f"{found[0].matched['questions']} questions a subject).",
        LEGEND,
        operating(found),
        *(text for name in CONDITIONS for text in (published(found, name), ours(found, name))),
        segmentation(segmenter),
        severities(found),
        rankings(found),
        verdicts(found),
        checking(costs),
    ]
    return "\n\n".join(parts) + "\n"


def operating(found: Sequence[SubjectSummary]) -> str:
    """Where subjects operate on unchanged scenes."""
    head = ["subject", "AP", "score", "precision", "recall", "score", "precision", "recall"]
    rows = []
    for one in found:
        points = [operating_point(each) for each in (one.published, one.matched)]
        cells = [f"{v:.3f}" for at in points for v in (at.score, at.precision, at.recall)]
        rows.append([one.name, f"{one.clean_precision(PERSON):.3f}", *cells])
    notes = []
    for name in ("published", "matched"):
        matching = match_operating_points([operating_point(getattr(one, name)) for one in found])
        notes.append(
            f"{name}: " + (f"matched by {matching.by}." if matching.by else matching.warning)
        )
    return (
        "## Operating points (boxes of `person`, unchanged scenes)\n\n"
        f"First at the published threshold, then at the same precision.\n\n{table(head, rows)}\n\n"
        + " ".join(notes)
    )


def published(found: Sequence[SubjectSummary], name: Condition) -> str:
    """Table 3: the benchmark, distances and the naive requirement, with ranks."""
    head = ["subject", "benchmark AP (rank)"]
    columns = [_ranked([one.mean_precision(name) for one in found], higher_is_better=True)]
    for kind, short in zip(KINDS, ("cp", "pp"), strict=True):
        head += [f"{short} L", f"{short} C given L", f"{short} D (rank)", f"{short} naive (rank)"]
        columns += [[distance(one.requirement(name, part, kind)) for one in found]
                    for part in PARTS[:2]]  # fmt: skip
        whole = [one.requirement(name, PARTS[2], kind) for one in found]
        places = ranks([_distance(one) for one in whole])
        columns.append([distance(one, at) for one, at in zip(whole, places, strict=True)])
        columns.append(_ranked([_naive(one.naive(name, PARTS[2], kind)) for one in found]))
    rows = [[one.name, *cells] for one, *cells in zip(found, *columns, strict=True)]
    note = f"\n\n{PAPER}" if name == CONDITIONS[0] else ""
    return f"## Table 3, {name}\n\n{table(head, rows)}{note}"


def _ranked(values: Sequence[float | None], *, higher_is_better: bool = False) -> list[str]:
    places = ranks(values, higher_is_better=higher_is_better)
    return [ranked(value, place) for value, place in zip(values, places, strict=True)]


def _distance(found: Summary | None) -> float | None:
    return None if found is None else found["distance"]["value"]


def _naive(found: Summary | None) -> float | None:
    return None if found is None else found["loss"]["value"]


def ours(found: Sequence[SubjectSummary], name: Condition) -> str:
    """The losses with intervals and verdicts, and the naive loss."""
    head = ["subject"]
    for short in ("cp", "pp"):
        head += [f"{short} localise", f"{short} classify", f"{short} detection", f"{short} AP"]
    rows = []
    for one in found:
        cells = [one.name]
        for kind in KINDS:
            cells += [verdict(one.requirement(name, part, kind)) for part in PARTS]
            cells.append(area_loss(one.naive(name, PARTS[2], kind)))
        rows.append(cells)
    return f"### {name}: what is lost, at the same precision\n\n{table(head, rows)}"


def segmentation(one: SubjectSummary) -> str:
    """The segmenter's further columns of Table 3, and its losses."""
    head = ["condition", "kind", "benchmark AP, masks", "distance S given C, L", "distance I",
            "naive I", "segment", "segmentation", "AP"]  # fmt: skip
    rows = []
    for name in CONDITIONS:
        for kind in KINDS:
            parts = [one.requirement(name, part, kind) for part in MASK_PARTS]
            naive = one.naive(name, MASK_PARTS[1], kind)
            masks = one.benchmark_precisions(name, masks=True)
            value = _naive(naive)
            rows.append(
                [
                    name,
                    kind,
                    f"{sum(masks) / len(masks):.2f}",
                    *(distance(part) for part in parts),
                    "-" if value is None else f"{value:.2f}",
                    *(verdict(part) for part in parts),
                    area_loss(naive),
                ]
            )
    return f"## Table 3, instance segmentation: {one.name}\n\n{table(head, rows)}\n\n{PAPER_MASKS}"


def severities(found: Sequence[SubjectSummary]) -> str:
    """The benchmark in full."""
    head = ["subject", "condition", *(f"severity {n}" for n in range(1, 6)), "mean"]
    rows = [
        [one.name, name, *(f"{ap:.3f}" for ap in one.benchmark_precisions(name)),
         f"{one.mean_precision(name):.3f}"]
        for one in found for name in CONDITIONS
    ]  # fmt: skip
    return f"## The corruption benchmark: AP of boxes\n\n{table(head, rows)}"


def rankings(found: Sequence[SubjectSummary]) -> str:
    """The ranks of subjects by each criterion, for correctness of detection."""
    criteria: dict[str, Callable[[SubjectSummary, Condition], float | None]] = {
        "benchmark AP": lambda one, name: -one.mean_precision(name),
        "benchmark AP over clean AP": lambda one, name: (
            -one.mean_precision(name) / one.clean_precision(name.label)
        ),
        "published distance": lambda one, name: _distance(
            one.requirement(name, "detection", "correctness")
        ),
        "naive: AP lost": lambda one, name: _naive(one.naive(name, "detection", "correctness")),
        "recall lost": _recall_lost,
    }
    rows = []
    for name in CONDITIONS:
        for criterion, value in criteria.items():
            rows.append([name, criterion, *ranks([value(one, name) for one in found])])
    head = ["condition", "ranked by", *(one.name for one in found)]
    return f"## Ranks (1 is best), correctness of detection\n\n{table(head, rows)}"


def _recall_lost(one: SubjectSummary, name: Condition) -> float | None:
    found = one.requirement(name, "detection", "correctness")
    return None if found is None else found["metrics"]["recall"]["loss"]["value"]


def verdicts(found: Sequence[SubjectSummary]) -> str:
    """The number of requirements satisfied by each rule, and which hold with the wider margin."""
    head = ["subject", "requirements", "satisfied", "violated", "undecided",
            "satisfied as published", "violated at score 0.5",
            "5 points: satisfied", "violated", "undecided"]  # fmt: skip
    rows = []
    for one in found:
        every = one.matched["requirements"]
        passed = sum(each["satisfied_as_published"] for each in every)
        rows.append(
            [one.name, len(every), *_counts(one.matched), passed, _counts(one.published)[1],
             *_counts(one.wider)]
        )  # fmt: skip
    held = [
        [
            one.name,
            ", ".join(_named(one.wider, "satisfied")),
            ", ".join(_named(one.wider, "violated")),
        ]
        for one in found
    ]
    wider = table(["subject", "satisfied", "violated"], held)
    return (
        f"## Verdicts by our rule and by the published one\n\n{table(head, rows)}\n\n"
        f"With a margin of 5 points for a whole task, divided among its parts:\n\n{wider}"
    )


def _counts(summary: Summary) -> list[int]:
    count = Counter(each["status"] for each in summary["requirements"])
    return [count[status] for status in ("satisfied", "violated", "undecided")]


def _named(summary: Summary, status: str) -> list[str]:
    return [each["name"] for each in summary["requirements"] if each["status"] == status]


def checking(costs: Costs) -> str:
    """Table 4: the cost of checking, given the answers."""
    head = ["work", "CPU seconds", "peak memory, MB"]
    rows = [[one.what, f"{one.seconds:.3f}", f"{one.megabytes:.1f}"] for one in costs.rows]
    return (
        f"## Table 4: checking {costs.cases} cases of frost (YOLOv8n-seg, correctness)\n\n"
        f"{table(head, rows)}"
    )
