"""A campaign: a method applied to a subject over scenes, from one configuration file."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from snellen.configuration import Options, options_of_kind, parse, read_yaml, set_key
from snellen.configuration.environment import expanded
from snellen.configuration.secret_values import hide_secrets
from snellen.configuration.stored_configuration import is_of_run
from snellen.engine.options import EngineOptions
from snellen.errors import UserError, next_step
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.open_objects import checked_objects
from snellen.scenes.registry import READERS
from snellen.subjects.registry import check_code, checked_subject, code_in
from snellen.subjects.subprocess.supervision import SUPERVISION

NEEDED = ("method", "subject")
RESULT_KEYS = ("method", "options", "seed", "subject", "scenes", "objects")


class CampaignFile(Options):
    """The keys of a configuration file, besides the method's options under its name."""

    method: str = Field(description="the test method; its options go under its name")
    seed: int = Field(1, ge=0, description="seed of all randomness")
    subject: dict[str, Any] = Field(description="the vision system under test")
    scenes: dict[str, Any] | None = Field(None, description="what the subject is tested on")
    objects: dict[str, Any] | None = Field(None, description="what can be put into a scene")
    engine: EngineOptions = Field(EngineOptions(), description="how the run is executed")
    out: str = Field("runs/snellen", description="the run folder")
    base: str | None = Field(None, description="root of relative paths; default: the file's folder")
    skip_invalid: bool = Field(False, description="skip invalid scenes, and count them")


class Campaign(CampaignFile):
    """A checked configuration with every default filled in."""

    options: dict[str, Any]
    folder: Path
    file: Path

    @property
    def out_folder(self) -> Path:
        """The run folder."""
        return self.folder / self.out

    @property
    def method_options(self) -> dict[str, Any]:
        """The method's options, with values from the environment."""
        values: dict[str, Any] = expanded(self.options, f"{self.file}: {self.method}")
        return values

    def resolved(self) -> dict[str, Any]:
        """Plain values that give the same campaign wherever they are saved."""
        values = self.model_dump(mode="json", exclude={"options", "folder", "file"})
        values["base"] = str(self.folder)
        return {**values, self.method: dict(self.options)}

    def digest(self) -> str:
        """A hash of all that a result depends on; a run resumes only with the same one."""
        values = {key: getattr(self, key) for key in RESULT_KEYS}
        values["subject"] = {k: v for k, v in self.subject.items() if k not in SUPERVISION}
        values |= {"questions": self.engine.questions, "skip_invalid": self.skip_invalid}
        values |= {"explain": self.engine.explain}
        if self.engine.stop is not None:  # else as before the option
            values |= {"stop": self.engine.stop}
        text = json.dumps(values, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def load_campaign(
    path: Path, overrides: Sequence[str] = (), *, as_published: bool = False
) -> Campaign:
    """The campaign in a configuration file, with `key=value` overrides on top.

    as_published: run the method as its authors did, if it supports that.
    """
    with next_step(f"snellen check {shlex.quote(str(path))}"):
        values = read_yaml(path)
        for override in overrides:
            set_key(values, override)
        if as_published:
            _publish(values, path)
        return campaign_from(values, path)


def _publish(values: dict[str, Any], path: Path) -> None:
    kind: MethodKind = METHODS.load(METHODS.check(values.get("method"), f"{path}: method"))
    if "as_published" not in kind.options.model_fields:
        raise UserError(
            f"--as-published: method '{values['method']}' has no published form. Omit the flag."
        )
    values[values["method"]] = {**(values.get(values["method"]) or {}), "as_published": True}


def campaign_from(values: Mapping[str, Any], file: Path) -> Campaign:
    """The campaign that a mapping describes; `file` is for messages and relative paths."""
    hide_secrets(dict(values))
    methods = set(METHODS.kinds())
    values = {key: value for key, value in values.items() if value is not None or key in NEEDED}
    if isinstance(values.get("method"), str):  # before an unknown one's section is an unknown key
        METHODS.check(values["method"], f"{file}: method")
    sections = {key: value for key, value in values.items() if key in methods}
    plain = parse(CampaignFile, {k: v for k, v in values.items() if k not in methods}, str(file))
    section = sections.get(plain.method, {})
    if not isinstance(section, Mapping):
        raise UserError(f"{file}: {plain.method}: found {section!r}, expected keys and values")
    kind: MethodKind = METHODS.load(plain.method)
    options = parse(kind.options, section, f"{file}: {plain.method}")
    objects, scenes = plain.objects, plain.scenes
    if scenes is None and kind.scenes:
        raise UserError(f"{file}: scenes: missing; method '{plain.method}' needs scenes. Add them.")
    return Campaign(
        **plain.model_dump(exclude={"subject", "scenes", "objects", "engine"}),
        engine=plain.engine,
        subject=checked_subject(plain.subject, f"{file}: subject"),
        scenes=None
        if scenes is None
        else _filled(options_of_kind(READERS, scenes, f"{file}: scenes")),
        objects=None if objects is None else checked_objects(objects, f"{file}: objects"),
        options=_filled(options),
        folder=Path(plain.base) if plain.base else file.resolve().parent,
        file=file,
    )


def check_trusted(campaign: Campaign, *, subject: bool = True) -> None:
    """Refuse to run code that the configuration of somebody else's run names.

    subject: whether the subject is opened, besides the other sections.
    """
    if not is_of_run(campaign.file):
        return  # the user has named the file, and with it what it runs
    values = campaign.resolved()
    found = [*code_in({key: one for key, one in values.items() if subject or key != "subject"})]
    if METHODS.is_foreign(campaign.method):
        found.append(f"method: the plug-in '{campaign.method}'")
    check_code(campaign.file, values, found)


def _filled(options: Options) -> dict[str, Any]:
    return options.model_dump(mode="json")
