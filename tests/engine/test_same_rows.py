"""Results depend on configuration and seed, and on nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.builders import Builders
from snellen.engine.examination import examination
from snellen.engine.loop import Loop
from snellen.engine.open_unit import OpenUnit
from snellen.engine.options import EngineOptions
from snellen.engine.prediction_cache import NoPredictions, Predictions, open_predictions
from snellen.engine.progress import RunTally, SilentWatcher
from snellen.engine.question_pipeline import Pipeline
from snellen.engine.seeds import unit_generator
from snellen.scenes.scene import SceneSet
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.store.journal import Journal
from snellen.subjects.planted import PlantedOptions, open_planted
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.arrays import Image
from tests.engine.probe_method import Deadly, Faulty, Probing


def scenes(seed: int) -> SceneSet:
    options = SyntheticOptions(count=6, seed=seed, size=(144, 192), sides=(20, 36))
    return synthetic_scenes(options)


SCENES = scenes(seed=5)


def probe(
    folder: Path,
    subject: Subject,
    predictions: Predictions | None = None,
    method: Probing | None = None,
    **options: Any,
) -> tuple[str, RunTally, Journal]:
    method = method or Probing(SCENES)
    settings = EngineOptions(**{"workers": 0, "backoff": 0.0, **options})
    folder.mkdir(exist_ok=True)
    journal = Journal(folder / "journal.sqlite")
    builders = Builders(settings.worker_count(), {})
    units = [
        OpenUnit(
            number,
            unit,
            examination(
                method,
                unit,
                unit_generator(1, "probe", unit.id),
                allowance=None,
                steady=True,
                classes=subject.classes,
            ),
        )
        for number, unit in enumerate(method.units())
    ]
    loop = Loop(
        Pipeline(subject, settings, builders),
        settings,
        predictions or NoPredictions(),
        lambda end: journal.write(end, subject.classes),
        SilentWatcher(),
    )
    try:
        tally = loop.run(units)
    finally:
        builders.close()
    return journal.digest(), tally, journal


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> str:
    subject = open_planted(PlantedOptions(fault="flickers", swing=0.4))
    digest, tally, journal = probe(tmp_path_factory.mktemp("reference"), subject, batch=1)
    kinds = dict(journal.rows("SELECT kind, count(*) FROM events GROUP BY kind"))
    assert tally.ended == 6
    assert tally.failing > 0
    assert len(kinds) > 1, "the subject should fail in several ways, or equal rows prove little"
    return digest


@pytest.mark.parametrize(
    ("batch", "workers", "cached"),
    [*itertools.product((1, 3, 8), (0,), (False, True)), (3, 1, False), (8, 2, True)],
)
def test_rows_do_not_depend_on_batch_workers_or_cache(
    batch: int, workers: int, cached: bool, reference: str, tmp_path: Path
) -> None:
    subject = open_planted(PlantedOptions(fault="flickers", swing=0.4))
    store = open_predictions(tmp_path, subject.fingerprint) if cached else NoPredictions()
    digest, _, _ = probe(tmp_path / "first", subject, store, batch=batch, workers=workers)
    assert digest == reference
    if cached:
        digest, tally, journal = probe(tmp_path / "second", subject, store, batch=batch)
        assert digest == reference
        assert tally.cache_hits == tally.questions, "every answer was stored by the first run"
        assert tally.building == 0, "a hit builds nothing"
        journal.close()


def test_another_seed_gives_other_rows(reference: str, tmp_path: Path) -> None:
    digest, _, _ = probe(tmp_path, open_planted(), method=Probing(scenes(seed=6)))
    assert digest != reference


def test_a_recipe_that_cannot_be_built_costs_its_own_scene_only(tmp_path: Path) -> None:
    method = Probing(SCENES, poison=("synthetic-00002", Faulty()))
    _, tally, journal = probe(tmp_path, open_planted(), method=method)
    with closing(journal):
        assert journal.rows("SELECT unit, stage, kind, message FROM errors") == [
            (2, "build", "ValueError", "this recipe can't be built")
        ]
    assert (tally.ended, tally.errors) == (6, 1)


def test_a_builder_that_dies_is_replaced_and_costs_its_own_scene_only(tmp_path: Path) -> None:
    method = Probing(SCENES, poison=("synthetic-00002", Deadly()))
    _, tally, journal = probe(tmp_path, open_planted(), method=method, workers=1)
    with closing(journal):
        assert journal.rows("SELECT unit, stage, message FROM errors") == [
            (2, "build", "a builder process died")
        ]
    assert (tally.ended, tally.errors) == (6, 1)


def test_the_subject_sees_batches_although_each_scene_asks_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    subject = open_planted()
    ask = subject.predict

    def counted(images: Sequence[Image]) -> Sequence[Prediction]:
        sizes.append(len(images))
        return ask(images)

    monkeypatch.setattr(subject, "predict", counted)
    probe(tmp_path, subject, batch=4)
    assert max(sizes) == 4
    assert len(sizes) < sum(sizes) / 2, "how full they are depends on how busy the machine is"
