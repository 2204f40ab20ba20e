"""The kinds of Python objects that are known by their form: MAITE models, pipelines, modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import Options, parse
from snellen.subjects.live import LiveSubject
from snellen.subjects.maite import WrapOptions, wrap
from snellen.subjects.subject import Subject
from snellen.subjects.torch_models.module_options import ModuleOptions, is_torch_module
from snellen.subjects.torch_models.pipelines.pipeline_options import PipelineOptions
from snellen.subjects.torch_models.pipelines.pipeline_subject import (
    is_pipeline,
    stock_pipeline,
    wrap_pipeline,
)

FINGERPRINT = "fingerprint"
"""The option of all kinds that says when answers may change."""


@dataclass(frozen=True)
class ObjectKind:
    """A kind of object.

    matches: whether an object is of this kind. options: of its subject. open: the subject of an
    object and its options. sure: whether the subject's own fingerprint changes with every answer.
    """

    matches: Callable[[Any], bool]
    options: type[Options]
    open: Callable[[Any, Any], Subject]
    sure: Callable[[Any], bool] = lambda _: False

    def option_names(self) -> set[str]:
        """The names of the options that an object of this kind takes."""
        return {*self.options.model_fields, FINGERPRINT}

    def live(self, value: Any, given: Mapping[str, Any], where: str) -> LiveSubject:
        """The object as a subject of this process."""
        values = dict(given)
        fingerprint = values.pop(FINGERPRINT, None)
        subject = self.open(value, parse(self.options, values, where))
        own = subject.fingerprint if self.sure(value) else None
        return LiveSubject(subject, fingerprint or own)


def object_kind(value: Any) -> ObjectKind | None:
    """The kind of an object; None for any other callable."""
    return next((kind for kind in _KINDS if kind.matches(value)), None)


def _is_maite(value: Any) -> bool:
    metadata = getattr(value, "metadata", None)
    return callable(value) and isinstance(metadata, Mapping) and "id" in metadata


def _maite(value: Any, options: WrapOptions) -> Subject:
    return wrap(value, **options.model_dump(exclude_unset=True))


def _module(value: Any, options: ModuleOptions) -> Subject:
    from snellen.subjects.torch_models.tensor_list_detector import tensor_list_subject

    return tensor_list_subject(value, options, Path.cwd(), type(value).__name__, {})


_KINDS = (
    ObjectKind(_is_maite, WrapOptions, _maite),
    ObjectKind(is_pipeline, PipelineOptions, wrap_pipeline, stock_pipeline),
    ObjectKind(is_torch_module, ModuleOptions, _module),
)
