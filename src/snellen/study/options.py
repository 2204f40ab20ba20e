"""What a study's configuration says: whom it asks about what, and how."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from snellen.changes.corruptions.registry import CORRUPTIONS
from snellen.changes.paste.blending import Blending
from snellen.configuration import Options, parse, read_yaml
from snellen.errors import UserError
from snellen.study.trial import StudyTask, TrialKind
from snellen.vision.visual_change.registry import DEFAULT, visual_measure

Name = Annotated[str, Field(min_length=1, max_length=100)]
SourceKey = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]
Share = Annotated[float, Field(ge=0, le=1)]

CONSENT = (
    "Taking part is voluntary. You can stop at any time and ask for your answers to be deleted.\n\n"
    "We keep your answers and how long you took, under a random code. We do not keep your name, "
    "your address or anything else that identifies you."
)
PURPOSE = (
    "We want to know how much a picture can be degraded before people no longer see what is in it."
)


class LevelDesign(StrEnum):
    """How the visual changes of pictures are chosen."""

    UNIFORM = "uniform"
    ADAPTIVE = "adaptive"


class BoxSource(StrEnum):
    """Whose boxes `classify-box` and `segment` show."""

    ANNOTATIONS = "annotations"
    PEOPLE = "people"


class PictureFormat(StrEnum):
    """How pictures are stored. PNG shows exactly what was measured."""

    PNG = "png"
    JPEG = "jpeg"


class PayOptions(Options):
    """What each participant is paid; printed with the estimate and shown before consent."""

    amount: float = Field(0.0, ge=0, le=10_000, description="Pay of each participant.")
    currency: str = Field("USD", max_length=10, description="Currency of the pay.")

    @property
    def sentence(self) -> str:
        """What pages say; empty without pay."""
        return f"You are paid {self.amount:.2f} {self.currency}." if self.amount else ""


class RecruitingOptions(Options):
    """How participants come from a recruiting site and return to it."""

    keep: tuple[SourceKey, ...] = Field(
        (), max_length=16, description="Parameters of the link that are kept, such as PROLIFIC_PID."
    )
    code: str = Field(
        "",
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]*$",
        description="Completion code of everyone; default: one for each participant.",
    )
    link: str = Field(
        "", max_length=500, description="Completion link of the site, with {code} in it."
    )

    @field_validator("link")
    @classmethod
    def _has_code(cls, link: str) -> str:
        if link and not (link.startswith("https://") and "{code}" in link):
            raise ValueError("it should start with https:// and contain {code}")
        return link


class StudyOptions(Options):
    """The configuration of a study.

    A participant passes `batches` batches of each task, on different scenes throughout.
    """

    name: Name = Field(description="Name of the study.")
    title: str = Field("", max_length=200, description="Title of the pages; default: the name.")
    purpose: str = Field(PURPOSE, max_length=5_000, description="Why the study is done.")
    consent: str = Field(CONSENT, min_length=1, max_length=20_000, description="Consent text.")
    contact: Name = Field(description="Whom participants write to.")
    pay: PayOptions = Field(PayOptions(), description="Pay of each participant.")
    recruiting: RecruitingOptions = Field(
        RecruitingOptions(), description="Links to and from a recruiting site."
    )
    seed: int = Field(1, ge=0, description="Seed of all randomness.")
    scenes: dict[str, Any] = Field(description="Scenes, as in any configuration.")
    objects: dict[str, Any] | None = Field(
        None, description="Objects to insert for `rank`; default: cut out of the scenes by mask."
    )
    classes: tuple[Name, ...] = Field((), description="Classes asked about; default: all.")
    tasks: tuple[StudyTask, ...] = Field(min_length=1, description=" | ".join(StudyTask))
    corruptions: tuple[str, ...] = Field((), description="Corruptions, such as frost.")
    measure: str = Field(DEFAULT, description="Measure of visual change.")
    design: LevelDesign = Field(LevelDesign.UNIFORM, description=" | ".join(LevelDesign))
    samples: PositiveInt = Field(200, le=100_000, description="Pictures of each task.")
    originals: Share = Field(
        0.25,
        description="Share of unchanged pictures. Scenes return until each was unchanged once.",
    )
    strongest: float = Field(0.95, gt=0, le=1, description="Largest visual change.")
    answers: PositiveInt | dict[StudyTask, PositiveInt] = Field(
        5, description="Answers to each picture; or by task, such as {segment: 1}."
    )
    batch: int = Field(20, ge=1, le=200, description="Pictures in a batch.")
    sanity: int = Field(2, ge=0, le=20, description="Attention checks in each batch.")
    batches: int = Field(1, ge=1, le=20, description="Batches of each task for a participant.")
    practice: int = Field(3, ge=0, le=20, description="Practice pictures of each task.")
    qualification: int = Field(4, ge=0, le=20, description="Qualification pictures of each task.")
    qualify: Share = Field(0.75, description="Share of right answers that qualifies.")
    flash_ms: float = Field(200.0, ge=16, le=10_000, description="Exposure of a flash in ms.")
    box_seconds: float = Field(4.0, gt=0, le=600, description="Time for each box in seconds.")
    boxes: BoxSource = Field(BoxSource.ANNOTATIONS, description=" | ".join(BoxSource))
    least_side: int = Field(24, ge=1, description="Shortest side of an object asked about, pixels.")
    pipelines: tuple[Blending, ...] = Field(
        (Blending.HARD, Blending.FEATHER, Blending.NATURAL),
        min_length=2,
        max_length=12,
        description="Ways of blending that `rank` compares.",
    )
    pool: int = Field(
        3, ge=1, le=50, description="Adaptive: pictures to choose from, times `samples`."
    )
    pictures: PictureFormat = Field(PictureFormat.PNG, description=" | ".join(PictureFormat))
    abandoned_minutes: float = Field(
        30.0, gt=0, description="Idle time after which others get a participant's pictures."
    )

    base: str | None = Field(
        None, description="Root of relative paths; default: the file's folder."
    )
    skip_invalid: bool = Field(False, description="Skip invalid scenes.")

    @field_validator("tasks", "classes", "corruptions", "pipelines")
    @classmethod
    def _distinct(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            if values.count(value) > 1:
                raise ValueError(f"'{value}' occurs twice; name each once")
        return values

    @field_validator("measure")
    @classmethod
    def _known_measure(cls, identity: str) -> str:
        return visual_measure(identity).identity

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in self.corruptions:
            CORRUPTIONS.check(name, "corruptions")
        if self.changes_pictures and not self.corruptions and self.originals < 1:
            raise ValueError(
                "corruptions: none named; name some, such as [frost], or set originals: 1"
            )
        if visual_measure(self.measure).at_objects:
            raise ValueError(f"measure: {self.measure} needs objects; name one of whole images")
        return self

    @property
    def changes_pictures(self) -> bool:
        """Whether any task shows corrupted pictures."""
        return any(task != StudyTask.RANK for task in self.tasks)

    @property
    def adaptive(self) -> bool:
        """Whether trials are dealt as people come."""
        return self.design == LevelDesign.ADAPTIVE

    @property
    def batches_each(self) -> int:
        """Batches that a participant passes, of all tasks."""
        return len(self.tasks) * self.batches

    def shown(self, kind: TrialKind, task: StudyTask) -> int:
        """Trials of a kind that a participant answers in a task; for tests and checks, in a batch.

        A ranking has no right answer, so that it can neither check nor qualify anyone.
        """
        if kind == TrialKind.TEST:
            return self.batch
        if kind == TrialKind.PRACTICE:
            return self.practice
        if task == StudyTask.RANK:
            return 0
        return self.sanity if kind == TrialKind.SANITY else self.qualification

    def wanted(self, task: StudyTask) -> int:
        """Answers wanted to each picture of a task."""
        return self.answers.get(task, 5) if isinstance(self.answers, dict) else self.answers


def read_study_options(path: Path) -> StudyOptions:
    """The options in a configuration file."""
    values = read_yaml(path)
    try:
        return parse(StudyOptions, values, str(path))
    except UserError as error:
        error.add_note("Next: snellen study --help")
        raise
