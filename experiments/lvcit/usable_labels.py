"""How many labels have a usable object, from how many photographs: what limits an object library.

    python -m experiments.lvcit.usable_labels [--data FOLDER]

Objects are cut out of 128 photographs of COCO train, 64 of COCO val and 596 of Pascal VOC by their
masks, with and without the quality rules, and shown to YOLOX-nano alone, large and at the size that
they have among four. Photographs are then left out at random. The table is written to
`usable_labels.md` next to this file.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.lvcit.__main__ import DATA, HERE, subjects
from snellen.methods.combinations.object_validation.validated_library import validated_library
from snellen.methods.combinations.options import CombinationOptions
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.open_objects import open_objects
from snellen.scenes.registry import open_scenes
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject

NAME = "YOLOX-nano"
WANTED = 45
DRAWS = 200
VOC_NAMES = {
    "aeroplane": "airplane",
    "diningtable": "dining table",
    "motorbike": "motorcycle",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
}
"""Labels of Pascal VOC that COCO calls otherwise."""


class UsableObject(NamedTuple):
    """An object that a subject recognises. photograph: where it comes from. label: COCO's."""

    photograph: tuple[str, str]
    label: str


def sources(data: Path) -> dict[str, dict[str, Any]]:
    """The annotated photographs, by name."""

    def coco(folder: str, file: str) -> dict[str, Any]:
        root = data / folder
        return {"kind": "coco", "annotations": str(root / file), "images": str(root / "images")}

    voc = {"kind": "voc", "root": str(data / "voc600"), "split": "Segmentation/val"}
    return {
        "COCO train": coco("coco_train128", "instances_train2017.json"),
        "COCO val": coco("coco_val64", "instances.json"),
        "VOC": {**voc, "masks": True},
    }


def usable_objects(
    data: Path, subject: Subject, prune: str, together: int | None
) -> tuple[list[UsableObject], int]:
    """The objects that the subject recognises, and how many were shown to it."""
    arrangement = CombinationOptions().arrangement(())
    found, shown = list[UsableObject](), 0
    for name, scenes in sources(data).items():
        values = {**scenes, "prune": prune}
        whole = open_objects(values, HERE, subject, "objects", skip_invalid=True)
        own = _Renamed(whole)
        good = validated_library(own, subject, arrangement, together=together)
        for label in good.labels():
            found += [
                UsableObject((name, one.origin), plain_name(label)) for one in good.entries(label)
            ]
        shown += sum(len(own.entries(label)) for label in own.labels())
    return found, shown


class _Renamed:
    """A library under COCO's names of labels."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._labels = {one: VOC_NAMES.get(one, one) for one in library.labels()}

    def labels(self) -> tuple[str, ...]:
        """The labels, as COCO calls them."""
        return tuple(sorted(self._labels.values()))

    def entries(self, label: str) -> list[Entry]:
        """The objects of a label."""
        [name] = [one for one, own in self._labels.items() if own == label]
        return [replace(one, label=label) for one in self._library.entries(name)]

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""
        return self._library.cutout(id)


def labels_by_photographs(
    found: Sequence[UsableObject],
    photographs: Sequence[tuple[str, str]],
    sizes: Sequence[int],
    least: int,
) -> dict[int, float]:
    """The mean number of labels with at least `least` usable objects, by photographs drawn."""
    rng = np.random.default_rng(1)
    by_photograph: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in found:
        by_photograph[one.photograph].append(one.label)
    means = {}
    for size in sizes:
        counts = []
        for _ in range(DRAWS if size < len(photographs) else 1):
            chosen = rng.choice(len(photographs), size, replace=False)
            labels: dict[str, int] = defaultdict(int)
            for place in chosen:
                for label in by_photograph[photographs[place]]:
                    labels[label] += 1
            counts.append(sum(count >= least for count in labels.values()))
        means[size] = float(np.mean(counts))
    return means


def needed(means: Mapping[int, float], wanted: float = WANTED) -> int | None:
    """Photographs at which the growth with the logarithm of the last half would reach a number."""
    sizes = sorted(means)
    last, before = sizes[-1], sizes[-2]
    growth = (means[last] - means[before]) / np.log(last / before)
    if means[last] >= wanted or growth <= 0:
        return None if growth <= 0 else last
    return int(round(last * np.exp((wanted - means[last]) / growth), -2))


def _in_words(photographs: int | None, here: int) -> str:
    if photographs is None:
        return "unknown"
    return "reached" if photographs <= here else f"about {photographs:,}"


def page(data: Path, progress: Callable[[str], None]) -> str:
    """The table."""
    coco = ["COCO train", "COCO val"]
    photographs = [
        (name, scene.id)
        for name, one in sources(data).items()
        for scene in open_scenes(one, HERE, skip_invalid=True)
    ]
    only_coco = [one for one in photographs if one[0] in coco]
    rows = []
    with closing(open_subject(subjects(data)[NAME], HERE)) as subject:
        for prune in ("quality", "none"):
            for together in (None, 4):
                progress(f"prune: {prune}, shown {'large' if together is None else 'large, small'}")
                found, shown = usable_objects(data, subject, prune, together)
                for name, some in (("COCO", only_coco), ("all", photographs)):
                    own = [one for one in found if one.photograph in set(some)]
                    sizes = [len(some) // 4, len(some) // 2, len(some)]
                    means = labels_by_photographs(own, some, sizes, 1)
                    twice = labels_by_photographs(own, some, sizes[-1:], 2)[sizes[-1]]
                    more = needed(means)
                    rows.append(
                        [
                            prune,
                            "large" if together is None else f"large, and as among {together}",
                            f"{name}, {len(some)}",
                            f"{len(own)} of {shown}" if name == "all" else str(len(own)),
                            ", ".join(f"{means[size]:.0f} ({size})" for size in sizes),
                            f"{twice:.0f}",
                            _in_words(more, len(some)),
                        ]
                    )
    heads = [
        "rules",
        "shown alone",
        "photographs",
        "objects recognised",
        "labels, of 80 (by photographs)",
        "labels with two",
        f"photographs for {WANTED} labels",
    ]
    lines = [heads, ["---"] * len(heads), *rows]
    table = "\n".join("| " + " | ".join(one) + " |" for one in lines)
    return (
        "# Labels with a usable object\n\n"
        f"{NAME} as a classifier, threshold 0.3. Made on {date.today().isoformat()} by "
        "`python -m experiments.lvcit.usable_labels`.\n\n"
        f"{table}\n\nThe last column continues the growth between half and all of the "
        "photographs with the logarithm of their number.\n"
    )


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments.lvcit.usable_labels")
    parser.add_argument("--data", type=Path, default=DATA)
    text = page(parser.parse_args().data, lambda line: print(line, flush=True))
    (HERE / "usable_labels.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
