"""Options shared by all kinds of scene sets, and the last step of every reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from pydantic import Field, PositiveInt

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.scenes.problems import Problems
from snellen.scenes.scene import NoPicture, Scene, SceneSet


class SetOptions(Options):
    """Options that all kinds share."""

    limit: PositiveInt | None = Field(None, description="Use only the first N scenes.")
    verify: bool = Field(False, description="Decode every image on opening, to find damaged files.")


def collect_scenes(
    scenes: Iterable[Scene],
    options: SetOptions,
    problems: Problems,
    where: Path,
    classes: Sequence[str] = (),
    class_ids: Sequence[int] = (),
) -> SceneSet:
    """The set of the first `limit` valid scenes; an error if there is none.

    scenes: consumed lazily, so that nothing beyond the limit is read.
    """
    kept = islice(_verified(scenes, problems) if options.verify else scenes, options.limit)
    found = tuple(kept)
    if not found:
        raise UserError(f"{where}: no scene found{_first_skipped(problems)}.")
    problems.log_summary()
    return SceneSet(found, tuple(classes), tuple(class_ids), tuple(problems.skipped))


def _verified(scenes: Iterable[Scene], problems: Problems) -> Iterator[Scene]:
    source = iter(scenes)
    with ThreadPoolExecutor(4) as pool:
        while batch := list(islice(source, 32)):
            for scene, error in zip(batch, pool.map(_damage, batch), strict=True):
                if error is None:
                    yield scene
                else:
                    with problems.item(str(getattr(scene.picture, "path", scene.id))):
                        raise error


def _damage(scene: Scene) -> UserError | None:
    try:
        if scene.sweep is not None:
            scene.sweep.points()
        found = scene.size if isinstance(scene.picture, NoPicture) else scene.pixels().shape[:2]
    except UserError as error:
        return error
    if found == scene.size:
        return None
    return UserError(f"decodes to {found} (height, width), expected {scene.size}")


def _first_skipped(problems: Problems) -> str:
    if not problems.skipped:
        return ""
    first = problems.skipped[0]
    return f"; {len(problems.skipped)} items were skipped, the first: {first.where}: {first.why}"
