"""The method's own numbers in a summary, as typed values."""

from __future__ import annotations

from snellen.methods.inserted_objects import InsertedNumbers
from snellen.store.estimate import Estimate
from snellen.store.number_model import NumberModel


class CountedRate(NumberModel):
    """A rate with its counts."""

    cases: int
    failing: int
    rate: Estimate


class DistanceLevel(NumberModel):
    """The failure rate at one level of distance.

    share: of the start distance. distance: the median in pixels. control: the rate of controls.
    """

    level: int
    share: float
    distance: float
    cases: int
    failing: int
    rate: Estimate
    control: Estimate


class LevelRow(NumberModel):
    """The failure rate at one level of a quantity; mean: None in an empty level."""

    low: float
    high: float
    mean: float | None
    instances: int
    tests: int
    failing: int
    rate: Estimate


class LevelCell(NumberModel):
    """The failure rate at one pair of levels."""

    instances: int
    tests: int
    failing: int
    rate: Estimate


class RankCorrelation(Estimate):
    """A rank correlation with its interval; objects: the number of pairs."""

    objects: int


class Correlations(NumberModel):
    """Rank correlations with the failure rate; None where undefined or not measured."""

    score: RankCorrelation | None
    uncertainty: RankCorrelation | None = None
    relative_box_entropy: RankCorrelation | None = None
    box_entropy: RankCorrelation | None = None
    box_trace: RankCorrelation | None = None
    class_entropy: RankCorrelation | None = None
    mutual_information: RankCorrelation | None = None
    missed_in_passes: RankCorrelation | None = None


class LevelTables(NumberModel):
    """Failure rates by levels of score and uncertainty; None where uncertainty is unknown.

    table: a row per level of uncertainty, a cell per level of score.
    """

    score_levels: list[LevelRow]
    uncertainty_levels: list[LevelRow] | None
    table: list[list[LevelCell]] | None
    correlations: Correlations


class CalibrationLevel(NumberModel):
    """Errors at one level of uncertainty; mean_iou: of correct detections."""

    low: float
    high: float
    mean: float | None
    objects: int
    wrong: int
    rate: Estimate
    mean_iou: float | None


class CalibrationNumbers(NumberModel):
    """Errors by level, and rank correlations with the error (1 - IoU)."""

    objects: int
    levels: list[CalibrationLevel]
    correlation: RankCorrelation | None
    relative_correlation: RankCorrelation | None = None
    score_correlation: RankCorrelation | None = None


class ClusterNumbers(NumberModel):
    """Instances with clustered failures; judged: those with a p-value."""

    with_failures: int
    clusterable: int
    share: float | None
    judged: int
    significant: int
    rate_clusterable: Estimate
    rate_others: Estimate


class InstanceLine(NumberModel):
    """The results of one base instance; distances in pixels."""

    scene: str
    base: int
    name: str
    score: float
    contour: str
    tests: int
    failing: int
    rate: Estimate
    as_published: int
    start: float | None
    reach: float | None
    smallest_failing_distance: float | None
    largest_failing_distance: float | None
    smallest_holding_distance: float | None
    truth_iou: float | None
    why: str
    uncertainty: float | None
    clusterable: bool
    cluster_share: float
    cluster_p: float | None


class RobustnessNumbers(NumberModel):
    """All own numbers of a run; inserted: absent where inserted objects are not judged."""

    contour: str | None
    uncertainty: str | None
    instances: int
    tested: int
    never_failing: int
    mean_rate: float | None
    mean_uncertainty: float | None
    as_published: CountedRate
    consistency: dict[str, CountedRate]
    by_level: list[DistanceLevel]
    score_levels: list[LevelRow]
    uncertainty_levels: list[LevelRow] | None
    table: list[list[LevelCell]] | None
    correlations: Correlations
    calibration: CalibrationNumbers | None
    clusters: ClusterNumbers
    by_instance: list[InstanceLine]
    not_tested: list[InstanceLine]
    inserted: InsertedNumbers | None = None
