"""A reopened run folder: scenes and materials for pictures, the subject on demand."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from snellen.changes.identity import Identity
from snellen.changes.recipe import CaseInput
from snellen.changes.registry import recipe_from_json
from snellen.contract.method import Method
from snellen.engine.campaign import Campaign, check_trusted, load_campaign
from snellen.engine.start.opened_campaign import open_campaign
from snellen.errors import SnellenError, UserError
from snellen.methods.kind import check_installed
from snellen.objects.library.library import Library
from snellen.scenes.scene import Scene, SceneSet
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.run_folder import CONFIG
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Input, Prediction, Subject, Task
from snellen.vision.arrays import Image

log = logging.getLogger(__name__)


class RecordedSubject:
    """The subject as the run recorded it: its traits from the journal, opened on demand."""

    batch = 1

    def __init__(self, campaign: Campaign, traits: dict[str, Any]) -> None:
        self._campaign = campaign
        self._opened: Subject | None = None
        self.name: str = traits["name"]
        self.task = Task(traits["task"])
        self.classes = tuple(traits["classes"])
        self.fingerprint: str = traits["fingerprint"]
        self.score: float = traits["score"]
        self.deterministic: bool = traits["deterministic"]
        self.tolerance: float = traits["tolerance"]

    def opened(self) -> Subject:
        """The subject itself; from then on threshold and classes are its own."""
        if self._opened is None:
            campaign = self._campaign
            check_trusted(campaign)
            where = f"{campaign.file}: subject"
            self._opened = open_subject(campaign.subject, campaign.folder, where)
            self.score, self.classes = self._opened.score, tuple(self._opened.classes)
        return self._opened

    def predict(self, images: Sequence[Input]) -> Sequence[Prediction]:
        """What the subject answers."""
        return self.opened().predict(images)

    def close(self) -> None:
        """Close the subject, if it was opened."""
        if self._opened is not None:
            self._opened.close()


@dataclass(frozen=True, eq=False)
class Reopened:
    """A run's campaign with its scenes and its method."""

    campaign: Campaign
    subject: RecordedSubject
    scenes: dict[str, Scene]
    method: Method
    sources: SceneSet

    @cached_property
    def materials(self) -> Any:
        """What recipes refer to."""
        return self.method.materials

    def scene(self, id: str) -> Scene:
        """The scene of an id."""
        if id not in self.scenes:
            raise UserError(
                f"{self.campaign.file}: scene '{id}' of the run is no longer among its "
                f"{len(self.scenes)} scenes. Restore it to rebuild its cases."
            )
        return self.scenes[id]

    def case(self, finding: Finding) -> Image:
        """The image of a case, rebuilt from its recipe."""
        return recipe_from_json(finding.recipe).build(self.scene(finding.scene), self.materials)

    def inputs(self, finding: Finding) -> tuple[CaseInput, CaseInput]:
        """What the subject is given for the scene and for the case, rebuilt from its recipe."""
        scene, kind = self.scene(finding.scene), self.subject.task.input_kind
        before = (self.method.baseline or Identity()).build_input(scene, self.materials, kind)
        recipe = recipe_from_json(finding.recipe)
        return before, recipe.build_input(scene, self.materials, kind)

    @cached_property
    def labels(self) -> dict[str, str]:
        """The label of each object of the run's library by its id; {} without a library."""
        library: Library | None = self.materials.get("objects")
        if library is None:
            return {}
        return {one.id: one.label for name in library.labels() for one in library.entries(name)}

    def label(self, recipe: dict[str, Any]) -> str | None:
        """The label of the object that a recipe inserts, or None."""
        return self.labels.get(recipe["object"]) if recipe["kind"] == "insert" else None


@contextmanager
def reopened_if_possible(folder: Path, journal: Journal) -> Iterator[Reopened | None]:
    """The run, or None where its scenes or objects are missing; the reason is logged."""
    with ExitStack() as stack:
        try:
            run = stack.enter_context(reopened(folder, journal))
        except (SnellenError, OSError) as error:
            log.warning("only stored pictures can be shown: %s", error)
            run = None
        yield run


@contextmanager
def reopened(folder: Path, journal: Journal, overrides: Sequence[str] = ()) -> Iterator[Reopened]:
    """The run in a folder with what its cases are rebuilt from."""
    check_installed(journal.get("method"), folder)
    campaign = load_campaign(folder / CONFIG, overrides)
    subject = RecordedSubject(campaign, journal.get("subject"))
    with open_campaign(campaign, subject=subject) as job:
        by_id = {unit.scene.id: unit.scene for unit in job.method.units()}
        yield Reopened(campaign, subject, by_id, job.method, job.scenes)
