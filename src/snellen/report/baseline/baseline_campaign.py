"""The campaign of a new subject as its baseline was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import read_yaml, set_key
from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.start.opened_campaign import scenes_of
from snellen.errors import UserError
from snellen.report.baseline.gated_pair import BUDGET, check_method, check_scenes
from snellen.store.compared_run import ComparedRun
from snellen.store.run_folder import CONFIG
from snellen.subjects.registry import check_code, code_in

KEPT = ("seed", "scenes", "objects", "skip_invalid")


@dataclass(frozen=True)
class BaselineCampaign:
    """A campaign with the baseline's scenes, seed and options; replaced: keys that it changed."""

    campaign: Campaign
    replaced: tuple[str, ...]


def baseline_campaign(
    target: Path, overrides: Sequence[str], base: ComparedRun
) -> BaselineCampaign:
    """The campaign of a configuration's subject, with everything else from the baseline.

    Nothing is run. Paths of the baseline start at its own folder, or, where that is gone, at the
    configuration's. Only `subject`, `out` and how the engine executes are the configuration's.
    """
    given = read_yaml(target)
    for override in overrides:
        set_key(given, override)
    check_method(base, str(given.get("method", base.method)), target)
    values = _merged(given, base)
    taken = {key: values.get(key) for key in ("scenes", "objects", base.method)}
    check_code(base.folder / CONFIG, base.config, list(code_in(taken)))
    campaign = campaign_from(values, target)
    if campaign.out_folder.resolve() == base.folder.resolve():
        raise UserError(
            f"{target}: its run folder is the baseline's, {base.folder}. Choose another: "
            f"snellen gate {target} --against {base.folder} --out {base.folder}-new"
        )
    if campaign.scenes is not None:
        check_scenes(base, (one.id for one in scenes_of(campaign)), target)
    return BaselineCampaign(campaign, _replaced(given, base))


def _merged(given: dict[str, Any], base: ComparedRun) -> dict[str, Any]:
    """The configuration's values, with those of the baseline on top."""
    engine = {**(given.get("engine") or {})}
    known = base.written("engine")
    engine |= {name: known[name] for name in (*BUDGET, "stop") if name in known}
    data = {key: base.data(key) or None for key in ("scenes", "objects", base.method)}
    plain = {key: base.config[key] for key in ("seed", "skip_invalid") if key in base.config}
    return {**given, "method": base.method, **plain, **data, "engine": engine}


def _replaced(given: dict[str, Any], base: ComparedRun) -> tuple[str, ...]:
    """The keys of the configuration that say something else than the baseline."""
    keys = [key for key in (*KEPT, base.method) if key in given]
    return tuple(key for key in keys if not _agrees(given[key], base, key))


def _agrees(value: Any, base: ComparedRun, key: str) -> bool:
    """Whether a value, with defaults left out, is the baseline's."""
    known = base.config.get(key)
    if isinstance(value, dict) and isinstance(known, dict):
        return all(known.get(name) == one for name, one in value.items())
    return bool(value == known)
