"""Options of a torch module that detects as torchvision's models do."""

from __future__ import annotations

import sys

from pydantic import Field

from snellen.subjects.user_code.user_code_options import UserCodeOptions

FIRST_LABEL = 1
"""The id of the first class in torchvision's models; 0 is the background."""


class ModuleOptions(UserCodeOptions):
    """Options of a module that takes a list of tensors and returns a list of mappings."""

    first_label: int = Field(
        default=FIRST_LABEL,
        ge=0,
        description="the module's id of the first class: 1 where 0 is the background, else 0",
    )


def module_options(options: UserCodeOptions, first_label: int | None) -> ModuleOptions:
    """The options of user code as those of a module; torchvision's first label for None."""
    given = options.model_dump(include=set(UserCodeOptions.model_fields))
    return ModuleOptions(**given, first_label=FIRST_LABEL if first_label is None else first_label)


def is_torch_module(value: object) -> bool:
    """Whether an object is a torch module; torch need not be installed."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)
