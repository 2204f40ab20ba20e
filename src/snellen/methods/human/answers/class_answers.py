"""ICRAF's answers: what each person called each image, changed or not."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.csv_table import CsvRow, CsvTable
from snellen.methods.human.procedures.answer_tally import JudgedAnswers
from snellen.vision.arrays import F64, Bools, Ints, Texts

COLUMNS = ("image_link", "transformation", "ground_truth", "human_label", "IQA")
ORIGINAL = "original"


@dataclass(frozen=True, eq=False)
class ClassAnswers:
    """N answers: image (N,), transformation, truth and label in words, visual change.

    An image has the same number whether it was changed or not. Who answered is not stored.
    """

    path: Path
    sha256: str
    image: Ints
    transformation: Texts
    truth: Texts
    label: Texts
    delta_v: F64

    @property
    def images(self) -> int:
        """How many images there are."""
        return int(self.image.max()) + 1

    def transformations(self) -> list[str]:
        """The transformations of images, without `original`."""
        return sorted(set(self.transformation.tolist()) - {ORIGINAL})

    def correct(self, transformation: str) -> JudgedAnswers:
        """Each answer to a transformation, and whether it is the truth."""
        return self._units(self.transformation == transformation, self.truth)

    def preserved(self, transformation: str) -> JudgedAnswers:
        """Each answer, and whether it is the majority answer to the unchanged image.

        Images that nobody saw unchanged are excluded.
        """
        majority = self._majority()
        chosen = self.transformation == transformation
        chosen &= np.isin(self.image, list(majority))
        expected = np.array([majority.get(one, "") for one in self.image.tolist()], dtype=np.str_)
        return self._units(chosen, expected)

    def _units(self, chosen: Bools, expected: Texts) -> JudgedAnswers:
        right = np.asarray(self.label == expected)
        return JudgedAnswers(self.image[chosen], self.delta_v[chosen], right[chosen])

    def _majority(self) -> dict[int, str]:
        answers: dict[int, Counter[str]] = defaultdict(Counter)
        unchanged = self.transformation == ORIGINAL
        pairs = zip(self.image[unchanged].tolist(), self.label[unchanged].tolist(), strict=True)
        for image, label in pairs:
            answers[image][label] += 1
        return {image: labels.most_common(1)[0][0] for image, labels in answers.items()}


def image_name(link: str) -> str:
    """The name that an image and its changed versions share: the file's, to its first dot.

    >>> image_name("https://x/n02009912_14750.JPEG.frost_932.png"), image_name("a/batch_4_8.png")
    ('n02009912_14750', 'batch_4_8')
    """
    return link.rsplit("/", 1)[-1].split(".", 1)[0]


def read_class_answers(table: CsvTable) -> ClassAnswers:
    """The answers in a file; `IQA` is the VIF, 1 for unchanged images, more for enhanced ones."""
    rows = list(table.rows(COLUMNS))
    if not rows:
        raise UserError(
            f"{table.path}: has no answers. Give one row per answer: {','.join(COLUMNS)}"
        )
    names = [image_name(row.text("image_link")) for row in rows]
    vif = np.array([row.number("IQA", -1e-6, 100) for row in rows])
    return ClassAnswers(
        table.path,
        table.sha256,
        np.unique(names, return_inverse=True)[1].astype(np.int64),
        _words(rows, "transformation"),
        _words(rows, "ground_truth"),
        _words(rows, "human_label"),
        np.clip(1 - vif, 0, 1),
    )


def _words(rows: list[CsvRow], column: str) -> Texts:
    return np.array([row.text(column) for row in rows], dtype=np.str_)
