"""A campaign with its scenes, subject and method loaded."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from snellen.contract.method import Method, Setting
from snellen.engine.campaign import Campaign, check_trusted
from snellen.engine.progress import SilentWatcher, Watcher
from snellen.errors import next_step
from snellen.methods.kind import METHODS, MethodKind
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject


@dataclass(frozen=True)
class OpenCampaign:
    """A campaign with its subject and scenes loaded."""

    campaign: Campaign
    subject: Subject
    scenes: SceneSet
    method: Method


def scenes_of(campaign: Campaign) -> SceneSet:
    """The scenes of a campaign; empty if it names none."""
    if campaign.scenes is None:
        return SceneSet(())
    return open_scenes(
        campaign.scenes,
        campaign.folder,
        skip_invalid=campaign.skip_invalid,
        where=f"{campaign.file}: scenes",
    )


@contextmanager
def open_campaign(
    campaign: Campaign, watcher: Watcher | None = None, *, subject: Subject | None = None
) -> Iterator[OpenCampaign]:
    """Load a campaign's scenes, subject and method; the subject is closed at the end.

    subject: replaces the campaign's own, such as one that only has its recorded traits.
    """
    check_trusted(campaign, subject=subject is None)
    scenes = scenes_of(campaign)
    where = f"{campaign.file}: subject"
    with closing(subject or open_subject(campaign.subject, campaign.folder, where)) as asked:
        kind: MethodKind = METHODS.load(campaign.method)
        options = kind.options.model_validate(campaign.method_options)
        setting = Setting(
            asked,
            scenes,
            campaign.folder,
            campaign.seed,
            campaign.objects,
            campaign.skip_invalid,
            (watcher or SilentWatcher()).preparing,
        )
        with _checked_next(campaign.file):
            method = kind.prepare(options, setting)
        yield OpenCampaign(campaign, asked, scenes, method)


def _checked_next(file: Path) -> AbstractContextManager[None]:
    """Errors end with a check of the configuration, if it is a file."""
    if not file.is_file():
        return nullcontext()
    return next_step(f"snellen check {shlex.quote(str(file))}")
