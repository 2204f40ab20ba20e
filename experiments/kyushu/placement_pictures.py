"""Retraining pictures of Table 3: at clusters, at random failing places, near, and far."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.kyushu.run_subset import (
    UNITS,
    Instance,
    chosen_instances,
    clusterable,
    scattered,
)
from snellen.engine.start.opened_campaign import scenes_of
from snellen.repair.picture_sets import PictureSet
from snellen.repair.retraining.image_maker import ImageMaker
from snellen.repair.retraining.insertion_places import InsertionPlace, ScenePlaces, scene_places
from snellen.repair.retraining.options import PlaceChoice, RetrainingOptions
from snellen.repair.retraining.retraining_set import RetrainingPicture
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.report.reopened_run import reopened
from snellen.scenes.scene import SceneSet
from snellen.store.journal import Journal, journal_of

NEAR, FAR = (1, 2), (4, 5)
"""Levels of distance: level 1 touches the contour."""


@dataclass(frozen=True)
class PlacementKind:
    """A column of Table 3: its instances and their places.

    levels: insertions at these levels, failing or not; None for failing ones.
    """

    name: str
    of: Callable[[Instance], bool]
    at: PlaceChoice = PlaceChoice.FAILING
    levels: tuple[int, ...] | None = None


PLACEMENTS = (
    PlacementKind("C_c", clusterable, PlaceChoice.CLUSTERS),
    PlacementKind("C_r", clusterable),
    PlacementKind("Nc_n", scattered, levels=NEAR),
    PlacementKind("Nc_f", scattered, levels=FAR),
)


@dataclass(frozen=True, eq=False)
class PlacementMaker(ImageMaker):
    """Makes pictures with insertions at chosen places of a run. taken: ids of their cases."""

    taken: frozenset[str] = field(kw_only=True)

    def pictures(self) -> list[RetrainingPicture]:
        """The pictures of all scenes that have such a place, in the run's order."""
        places = scene_places(self.journal, self.retrains, self.run.subject.score)
        chosen = [_only(one, self.taken) for one in places]
        return [made for one in chosen if one.places for made in self._of_scene(one)]


def _only(scene: ScenePlaces, taken: frozenset[str]) -> ScenePlaces:
    """The scene with only these places, all marked as failing."""
    places = [replace(one, failing=True) for one in scene.places if one.case in taken]
    return replace(scene, places=tuple[InsertionPlace, ...](places))


@contextmanager
def pictures(
    run: Path, placement: PlacementKind, options: RetrainingOptions
) -> Iterator[PictureSet]:
    """The pictures of a placement, built on demand."""
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        scenes = scenes_of(opened.campaign)
        words = Vocabulary(scenes.classes, scenes.class_ids)
        chosen = options.model_copy(update={"at": placement.at})
        maker = PlacementMaker(
            journal, opened, scenes, chosen, words, taken=cases_of(journal, placement)
        )
        made = maker.pictures()
        found = SceneSet(tuple(one.scene for one in made), words.names, words.own_ids)
        yield PictureSet(found, {one.scene.id: one.source.id for one in made})


def cases_of(journal: Journal, placement: PlacementKind) -> frozenset[str]:
    """Ids of the tests whose places a placement uses."""
    own = chosen_instances(journal.rows(UNITS), placement.of)
    rows = journal.rows("SELECT unit, id, status, measurements FROM cases WHERE role = 'test'")
    tests = [(unit, id, status, json.loads(text)) for unit, id, status, text in rows]
    return frozenset(
        id
        for unit, id, status, measurements in tests
        if (unit, int(measurements["base"])) in own
        and _taken(placement, status, int(measurements["level"]))
    )


def _taken(placement: PlacementKind, status: str, level: int) -> bool:
    return status == "failing" if placement.levels is None else level in placement.levels
