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

    labels: for `extra` and `mismatch` the present one first, then the one that is output.
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


class SmallestLabels(NumberModel):
    """Labels that are enough for an error: removing any one of them ends it.

    kind, label, new_label: the error, as of events. images: compositions with such a smallest part;
    shown: those that show all the labels; rate: of these, by row.
    """

    labels: tuple[str, ...]
    kind: str
    label: str
    new_label: str | None = None
    images: int
    shown: int
    rate: Estimate


class ExtraAlone(NumberModel):
    """Objects of a label that also get another one when shown alone.

    failing: how many of the objects that are labelled at least with their own. training: images
    with both labels, and with each; None if unknown.
    """

    label: str
    also: str
    failing: int
    objects: int
    training: TrainedPair | None = None


class BaselineNumbers(NumberModel):
    """Random photographs beside the compositions; each pair of numbers: theirs, and ours.

    images: photographs. failing: hard errors, as_published: any difference. precision: mean average
    precision over labels. accuracy: interaction accuracy of combinations with a label present.
    covered: share of the value combinations of two labels that are shown.
    """

    images: int
    failing: CountedImages
    as_published: CountedImages
    precision: tuple[float | None, float | None]
    accuracy: tuple[float | None, float | None]
    covered: tuple[float | None, float | None]


class LabelNumbers(NumberModel):
    """One label. images: those with it. training: training images with it; None if unknown."""

    images: int
    missing: int
    missing_rate: Estimate
    extra: int
    extra_rate: Estimate
    training: int | None


class CombinationNumbers(NumberModel):
    """Errors, causes, accuracy, coverage, and the worst labels.

    interaction_accuracy: over combinations of as many labels as the array covers. top: the worst
    pairs by kind of error. smallest: the smallest failing parts by the number of their labels.
    alone: objects that get a second label without any company. interaction: the compositions that
    fail although no object alone shows the error.
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
    smallest: dict[int, tuple[SmallestLabels, ...]] = Field(default_factory=dict)
    alone: tuple[ExtraAlone, ...] = ()
    baseline: BaselineNumbers | None = None
    by_label: dict[str, LabelNumbers]

    @property
    def unexplained(self) -> int:
        """Failing compositions without an explanation."""
        return self.causes[Cause.UNEXPLAINED].images
