"""The types of the numbers of label combinations, `own` of the summary."""

from __future__ import annotations

from pydantic import Field

from snellen.methods.combinations.explanation.cause import Cause
from snellen.store.estimate import Estimate
from snellen.store.number_model import NumberModel


class CountedImages(NumberModel):
    """Compositions, and their share of all."""

    images: int
    rate: Estimate


class ErrorImages(CountedImages):
    """Failing compositions. as_published: those with any difference, without a margin."""

    as_published: CountedImages


class Accuracies(NumberModel):
    """Interaction accuracies. restricted: of the pairs with a label in the image."""

    mean: float | None
    restricted: float | None


class UsedObjects(NumberModel):
    """Objects used by label, and rejected by reason. digest: of the ids of those used."""

    kept: dict[str, int] = Field(default_factory=dict)
    rejected: dict[str, int] = Field(default_factory=dict)
    digest: str | None = None


class Coverage(NumberModel):
    """The coverage of the array, and the labels without a usable object.

    bound: no array has fewer rows; None if unknown. left_out: rows of a given array that
    show a label without objects. unusable: the reason by label.
    """

    rows: int
    bound: int | None = None
    strength: int
    max_present: int
    combinations: int
    covered: int
    uncovered: int
    left_out: int = 0
    labels: int
    usable: int
    unusable: dict[str, str]
    objects: UsedObjects
    pairs_shown: int


class JudgedPairs(NumberModel):
    """Pairs of labels over all images, by outcome."""

    tested: int
    passed: int = Field(alias="pass")
    missing: int
    extra: int
    mismatch: int


class PairDiscoveries(NumberModel):
    """How many pairs of labels stand out among those tested, at a false discovery rate of `level`.

    A pair stands out if it has more errors of a kind than all pairs on average; see
    `snellen.methods.combinations.pairs.pair_tests`.
    """

    tested: int
    standing_out: int
    level: float


class TrainedPair(NumberModel):
    """Training images with both labels, and with each."""

    both: int
    singles: tuple[int, int]


class WorstPair(NumberModel):
    """A pair of labels with errors of one kind.

    attributed: compositions whose smallest failing part shows the error. errors: images with it.
    images: those in which it could occur. adjusted_p: of the test against the mean rate of all
    pairs, after correction; None if unknown. wrong: images by the label that is wrong.
    """

    labels: tuple[str, str]
    attributed: int
    errors: int
    images: int
    rate: Estimate
    adjusted_p: float | None = None
    stands_out: bool = False
    wrong: dict[str, int]
    training: TrainedPair | None


class LabelNumbers(NumberModel):
    """One label. images: those with it. training: training images with it; None if unknown."""

    images: int
    missing: int
    missing_rate: Estimate
    extra: int
    extra_rate: Estimate
    training: int | None


class CombinationNumbers(NumberModel):
    """Errors, causes, accuracy, coverage, and the worst pairs of labels; top: by kind of error.

    interaction: the compositions that fail although no object alone shows the error.
    """

    images: int
    error_images: ErrorImages
    causes: dict[Cause, CountedImages]
    interaction: CountedImages
    interaction_accuracy: Accuracies
    coverage: Coverage
    pairs: JudgedPairs
    discoveries: PairDiscoveries
    top: dict[str, tuple[WorstPair, ...]]
    by_label: dict[str, LabelNumbers]

    @property
    def unexplained(self) -> int:
        """Failing compositions without an explanation."""
        return self.causes[Cause.UNEXPLAINED].images
