"""Building cases from recipes ahead of the subject, in worker processes or in a thread."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import wait
from typing import Any

from snellen.changes.measures.registry import take_measurements
from snellen.changes.recipe import Materials, Recipe
from snellen.engine.interrupts import uninterrupted
from snellen.scenes.scene import NoPicture, Picture, PictureArray, Scene
from snellen.subjects.subject import Input, InputKind


@dataclass(frozen=True, eq=False)
class BuiltCase:
    """A case's image or frame, the requested measurements, and the seconds it took."""

    image: Input
    measurements: dict[str, float]
    seconds: float


@lru_cache(maxsize=8)
def _pixels(picture: Picture) -> PictureArray:
    array = picture.pixels().view()
    array.flags.writeable = False
    return PictureArray(array)


def build(
    scene: Scene,
    recipe: Recipe,
    measures: tuple[str, ...],
    materials: Materials,
    kind: InputKind = InputKind.IMAGE,
) -> BuiltCase:
    """The case of a recipe. A scene's pixels are decoded once for consecutive cases.

    kind: what the subject is given.
    """
    start = time.perf_counter()
    bare = isinstance(scene.picture, NoPicture)
    decoded = scene if bare else replace(scene, picture=_pixels(scene.picture))
    case = recipe.build_input(decoded, materials, kind)
    measurements = take_measurements(measures, decoded, recipe, case, materials)
    return BuiltCase(case, measurements, time.perf_counter() - start)


_materials: Materials = {}
_kind = InputKind.IMAGE


def _start_worker(materials: Materials, kind: InputKind) -> None:
    global _materials, _kind
    _materials, _kind = materials, kind
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A killed parent closes no queue, so a worker waiting on one would never end.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _build_in_worker(scene: Scene, recipe: Recipe, measures: tuple[str, ...]) -> BuiltCase:
    return build(scene, recipe, measures, _materials, _kind)


@contextmanager
def _main_module_hidden() -> Iterator[None]:
    """Keep a new worker from running the user's script again, which may have no main guard.

    A spawned process imports its parent's script for definitions; builders need none of them.
    """
    main = sys.modules["__main__"]
    shown: dict[str, Any] = {
        name: vars(main)[name] for name in ("__spec__", "__file__") if name in vars(main)
    }
    vars(main)["__spec__"] = None
    vars(main).pop("__file__", None)
    try:
        yield
    finally:
        vars(main).update(shown)


class Builders:
    """Worker processes (or with 0, one thread) that build cases and hand each to `deliver`."""

    def __init__(
        self, workers: int, materials: Materials, kind: InputKind = InputKind.IMAGE
    ) -> None:
        self._workers = workers
        self._materials = materials
        self._kind = kind
        self._pool = self._start()

    def _start(self) -> Executor:
        if self._workers == 0:
            return ThreadPoolExecutor(1)
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(self._materials, self._kind),
        )

    def submit(
        self,
        scene: Scene,
        recipe: Recipe,
        measures: tuple[str, ...],
        deliver: Callable[[Future[BuiltCase]], None],
    ) -> None:
        """Queue a case; `deliver` is called with its future from another thread."""
        bare = replace(scene, annotations=None)
        with uninterrupted():  # a pool that is interrupted while it starts workers leaves them
            try:
                future = self._submit(bare, recipe, measures)
            except BrokenExecutor:
                self._pool = self._start()
                future = self._submit(bare, recipe, measures)
        future.add_done_callback(deliver)

    def _submit(self, scene: Scene, recipe: Recipe, measures: tuple[str, ...]) -> Future[BuiltCase]:
        if self._workers == 0:
            return self._pool.submit(build, scene, recipe, measures, self._materials, self._kind)
        with _main_module_hidden():
            return self._pool.submit(_build_in_worker, scene, recipe, measures)

    def close(self) -> None:
        """Drop pending cases and end the workers."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def abandon(self) -> None:
        """Drop pending cases and kill the workers, which may be in the middle of long ones.

        Python waits for a pool at the end of the process, as of a notebook. So the ends of its
        pipes that only live workers served are closed too, or a half-written case is waited for.
        """
        processes, calls, results = (
            getattr(self._pool, name, None)
            for name in ("_processes", "_call_queue", "_result_queue")
        )
        self.close()
        for process in list((processes or {}).values()):
            process.kill()
        for end in (getattr(calls, "_reader", None), getattr(results, "_writer", None)):
            if end is not None:
                end.close()
