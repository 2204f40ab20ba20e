"""Modules that are called as torchvision's detectors: a list of images in, a list of mappings out.

Each image is a (3, H, W) float32 tensor from 0 to 1, RGB; each mapping has `boxes` (N, 4) x1 y1 x2
y2 in pixels, `labels` (N,), `scores` (N,) and, for segmentation, `masks` (N, 1, H, W).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snellen.errors import SubjectError
from snellen.subjects.answers.value_checks import finite_array
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.model_file.class_table import ClassTable
from snellen.subjects.python import PythonSubject, declared_classes
from snellen.subjects.subject import Task
from snellen.subjects.torch_models.dropout import evaluation_mode
from snellen.subjects.torch_models.module_options import ModuleOptions
from snellen.subjects.torch_models.state_digest import state_digest
from snellen.subjects.user_code.user_code_options import traits_of
from snellen.vision.arrays import Image


class TensorListCall:
    """A module as a function of images, with its class ids converted to 0-based ids.

    It runs in evaluation mode and without gradients; its own mode is restored.
    """

    def __init__(self, module: nn.Module, table: ClassTable, task: Task) -> None:
        self._module, self._table, self._task = module, table, task

    def __call__(self, images: list[Image]) -> list[Any]:
        """One mapping with boxes, labels and scores for each image."""
        with evaluation_mode(self._module), torch.inference_mode():
            answers = self._module([self._tensor(image) for image in images])
        if not isinstance(answers, list | tuple):
            raise SubjectError(
                f"the module returned {type(answers).__name__}, expected a list with a mapping of "
                "boxes, labels and scores for each image, as torchvision's detectors return it"
            )
        return [self._answer(answer) for answer in answers]

    def _tensor(self, image: Image) -> Tensor:
        some = next(self._module.parameters(), torch.zeros(0))
        planes = torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))
        return planes.to(some.device, some.dtype) / 255

    def _answer(self, answer: Any) -> Any:
        if not isinstance(answer, Mapping) or not {"boxes", "labels", "scores"} <= set(answer):
            return answer  # refused with its keys where answers are checked
        ids = finite_array(answer["labels"], "labels").reshape(-1).astype(np.int64)
        labels = self._table.labels(ids)
        named = torch.from_numpy(labels >= 0)
        out = {name: answer[name].detach().cpu()[named] for name in ("boxes", "scores")}
        if self._task == Task.SEGMENTATION and "masks" in answer:
            masks = answer["masks"].detach().cpu()[named]
            out["masks"] = masks[:, 0] if masks.ndim == 4 else masks
        return {**out, "labels": labels[labels >= 0]}


def tensor_list_subject(
    module: nn.Module, options: ModuleOptions, folder: Path, name: str, parts: Mapping[str, Any]
) -> PythonSubject:
    """The subject of a module. parts: what its fingerprint is made of besides its state."""
    traits = traits_of(
        options, folder, name=name, classes=declared_classes(module), where=f"subject: '{name}'"
    )
    table = ClassTable.of(traits.classes, options.first_label)
    traits = replace(traits, classes=table.names)
    fingerprint = fingerprint_of(
        kind="torch module",
        runtime=f"torch {torch.__version__}",
        state=state_digest(module),
        task=traits.task,
        classes=traits.classes,
        first_label=options.first_label,
        floor=traits.floor,
        **parts,
    )
    return PythonSubject(TensorListCall(module, table, traits.task), traits, fingerprint)
