"""The datasheet of a retraining set: contents, purpose and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from snellen.pages.markdown_text import escaped, yaml_line
from snellen.repair.retraining.insertion_choice import PlaceReason
from snellen.repair.retraining.retraining_set import LabelOrigin, RetrainingSet


def datasheet(
    found: RetrainingSet, manifest: Mapping[str, Any], scenes_yaml: Mapping[str, Any]
) -> str:
    """Markdown text. scenes_yaml: the section `scenes:` that reads the set."""
    parts = [
        f"# Retraining set\n\n{_made(found, manifest)}",
        f"## Contents\n\n{_contents(found)}",
        f"## Labels\n\n{_labels(found)}",
        f"## Leakage checks\n\n{_checked(manifest)}",
        f"## Use\n\nIn a Snellen configuration, with paths relative to this folder "
        "(`scenes.yaml`):\n\n"
        f"```yaml\nscenes: {yaml_line(scenes_yaml)}\n```\n\n"
        "`manifest.json` lists the scene, cases, places and recipe of every picture.",
        f"## Limits\n\n{_LIMITS}",
    ]
    return "\n\n".join(parts) + "\n"


def _made(found: RetrainingSet, manifest: Mapping[str, Any]) -> str:
    run = found.run
    method, subject = escaped(run["method"]), escaped(run["subject"]["name"])
    return (
        f"Made by Snellen {manifest['snellen_version']} from a run of method {method} (seed "
        f"{run['seed']}) on the subject {subject}, to retrain that subject: objects "
        "are inserted at places where an insertion made it fail."
    )


def _contents(found: RetrainingSet) -> str:
    whys = Counter(one.why for made in found.pictures for one in made.inserted)
    clustered = sum(one.cluster is not None for made in found.pictures for one in made.inserted)
    scenes = len({made.source.id for made in found.pictures})
    names = Counter(one.label for made in found.pictures for one in made.inserted)
    inserted = [f"{escaped(name)} {count}" for name, count in sorted(names.items())]
    options = found.options
    content = "each failing case as it was tested."
    if "failing" in options:
        content = (
            f"up to {options['failing']} failing and {options['random']} random places in each, "
            f"at {options['at']}."
        )
    lines = [
        f"{len(found.pictures)} pictures of {scenes} scenes; {content}",
        f"{whys[PlaceReason.FAILING]} insertions at failing places ({clustered} of them in "
        f"clusters), {whys[PlaceReason.RANDOM]} at random free places.",
        f"Inserted: {', '.join(inserted)}.",
        f"{len(found.left_out)} scenes gave no picture.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def _labels(found: RetrainingSet) -> str:
    origins = Counter(made.origin for made in found.pictures)
    lines = []
    if count := origins[LabelOrigin.ANNOTATIONS]:
        lines.append(f"{count} pictures have the annotations of their scenes.")
    if count := origins[LabelOrigin.SUBJECT]:
        lines.append(
            f"{count} pictures have **the subject's own detections as labels** (score "
            f"{found.run['subject']['score']:g} or more), including its false positives and "
            "without the objects it missed."
        )
    lines.append(
        "Inserted objects are labelled with their class and the box around their pixels."
        if found.options["label_inserted"]
        else "Inserted objects are **not labelled**, as published (MetaOD): training treats them "
        "as background."
    )
    return "\n".join(f"- {line}" for line in lines)


def _checked(manifest: Mapping[str, Any]) -> str:
    if not manifest["checked_against"]:
        return "None: the set was exported without `--against`."
    lines = [
        f"{escaped(one['name'])}: {one['scenes']} scenes, {one['objects']} objects; no shared "
        "scene and no shared object, by id and by content."
        for one in manifest["checked_against"]
    ]
    lines.append(f"{len(manifest['looks_alike'])} near-duplicate pairs (see the manifest).")
    return "\n".join(f"- {line}" for line in lines)


_LIMITS = """\
- The pictures are synthetic. Evaluate a retrained subject on scenes and objects that are not in
  them: an improvement on this set, or on the run it was made from, is not robustness.
- Places come from single insertions. With several objects in one picture, the subject may not fail
  at each of them.
- The licences of the source data sets apply to the pictures and objects."""
