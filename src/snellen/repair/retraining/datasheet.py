"""The datasheet of a retraining set: what it is, what it is for, and what it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import yaml

from snellen.repair.retraining.insertion_choice import PlaceReason
from snellen.repair.retraining.retraining_set import LabelOrigin, RetrainingSet


def datasheet(found: RetrainingSet, told: Mapping[str, Any], reading: Mapping[str, Any]) -> str:
    """Markdown text. told: the manifest. reading: the configuration that reads the set."""
    parts = [
        f"# Retraining set\n\n{_made(found, told)}",
        f"## Contents\n\n{_contents(found)}",
        f"## Labels\n\n{_labels(found)}",
        f"## What it has nothing in common with\n\n{_checked(told)}",
        f"## Read it\n\nIn a configuration of Snellen, paths from this folder (`scenes.yaml`):\n\n"
        f"```yaml\nscenes: {_flow(reading)}\n```\n\n"
        "`manifest.json` has, for every picture, the scene, the cases, places and recipe it was "
        "made from.",
        f"## Limits\n\n{_LIMITS}",
    ]
    return "\n\n".join(parts) + "\n"


def _made(found: RetrainingSet, told: Mapping[str, Any]) -> str:
    run = found.run
    return (
        f"Made by Snellen {told['snellen_version']} of a run of method {run['method']} (seed "
        f"{run['seed']}) on the subject {run['subject']['name']}, to retrain that subject: objects "
        "are inserted where inserting one made it fail."
    )


def _contents(found: RetrainingSet) -> str:
    whys = Counter(one.why for made in found.made for one in made.inserted)
    clustered = sum(one.cluster is not None for made in found.made for one in made.inserted)
    scenes = len({made.source.id for made in found.made})
    names = Counter(one.label for made in found.made for one in made.inserted)
    options = found.options
    asked = "each failing case just as it was tested."
    if "failing" in options:
        asked = (
            f"asked for were {options['failing']} failing and {options['random']} random places "
            f"in each, at {options['at']}."
        )
    lines = [
        f"{len(found.made)} pictures of {scenes} scenes; {asked}",
        f"{whys[PlaceReason.FAILING]} insertions at failing places ({clustered} of them in "
        f"clusters), {whys[PlaceReason.RANDOM]} at random free places.",
        f"Inserted: {', '.join(f'{name} {count}' for name, count in sorted(names.items()))}.",
        f"{len(found.left_out)} scenes gave nothing.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def _labels(found: RetrainingSet) -> str:
    origins = Counter(made.origin for made in found.made)
    lines = []
    if count := origins[LabelOrigin.ANNOTATIONS]:
        lines.append(f"{count} pictures: the annotations of the scenes.")
    if count := origins[LabelOrigin.SUBJECT]:
        lines.append(
            f"{count} pictures: **what the subject itself saw in the scene** (score "
            f"{found.run['subject']['score']:g} or more). Its misses and phantoms are taught again."
        )
    lines.append(
        "Inserted objects are labelled with their class and the box around their pixels."
        if found.options["label_inserted"]
        else "Inserted objects are **not labelled**, as published (MetaOD): the set teaches that "
        "they are background."
    )
    return "\n".join(f"- {line}" for line in lines)


def _checked(told: Mapping[str, Any]) -> str:
    if not told["checked_against"]:
        return "Nothing was checked: no `--against` was given."
    lines = [
        f"{one['name']}: {one['scenes']} scenes, {one['objects']} objects; no scene and no object "
        "in common, by id and by content."
        for one in told["checked_against"]
    ]
    lines.append(f"{len(told['looks_alike'])} pairs of pictures look alike (see the manifest).")
    return "\n".join(f"- {line}" for line in lines)


def _flow(values: Mapping[str, Any]) -> str:
    text = yaml.safe_dump(dict(values), default_flow_style=True, sort_keys=False, width=10**6)
    return str(text).strip()


_LIMITS = """\
- The pictures are synthetic. Measure what training on them brings on scenes and objects that are
  not in them: a gain on this set, or on the run it was made of, is not robustness.
- Places come from single insertions. With several objects in one picture it need not fail at each.
- Rights in the pictures and objects are those of the data sets they were made from."""
