"""What a checkup understood of a subject, could not verify, and suggests, in plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.engine.accuracy.reading_search import Suggestion
from snellen.engine.checkup import SUSPICIOUS, Checkup
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.subject import Subject

READING = "channel order, pixel range, letterbox, decoder and class names"


def understood(subject: Subject) -> dict[str, Any]:
    """How the subject is read: its task and classes and, for a model file, all that was inferred.

    `size` is the network's (height, width), None if each image keeps its own.
    """
    known: dict[str, Any] = {"task": str(subject.task), "classes": list(subject.classes)}
    if not isinstance(subject, ModelSubject):
        return known
    reader = subject.reader
    pixels = reader.preprocessing
    cells = reader.decoder.cell_offset is not None
    return known | {
        "decoder": reader.decoder.name,
        "also_recognised": [name for name in subject.decoders if name != reader.decoder.name],
        "size": None if reader.size is None else list(reader.size),
        "letterbox": str(pixels.fit),
        "pad": pixels.pad,
        "channels": pixels.channels,
        "unscaled_pixels": reader.raw,
        "scale": None if reader.raw else pixels.scale,
        "mean": None if reader.raw else list(pixels.mean),
        "std": None if reader.raw else list(pixels.std),
        "cell_offset": reader.settings.cell_offset if cells else None,
        "activation": reader.settings.activation,
        "nms": reader.nms,
        "floor": reader.settings.floor,
    }


def understood_words(subject: Subject) -> str:
    """One line on how a model file is read; empty for other subjects."""
    known = understood(subject)
    if "decoder" not in known:
        return ""
    size = "its own size" if known["size"] is None else "{} x {}".format(*known["size"])
    return (
        f"{known['decoder']}; the model gets {known['channels'].upper()}, {_range_words(known)}, "
        f"letterbox {known['letterbox']}, input {size}"
    )


def _range_words(known: dict[str, Any]) -> str:
    if known["unscaled_pixels"]:
        return "unscaled pixels"
    ends = [
        (np.array([0.0, 255.0]) * known["scale"] - mean) / std
        for mean, std in zip(known["mean"], known["std"], strict=True)
    ]
    low, high = min(one[0] for one in ends), max(one[1] for one in ends)
    return f"pixels from {low:.3g} to {high:.3g}"


def suggestion_values(suggestion: Suggestion, checkup: Checkup) -> dict[str, Any]:
    """A suggestion in plain values."""
    scenes = 0 if checkup.accuracy is None else checkup.accuracy.scenes
    return {
        "options": {name: _plain(value) for name, value in suggestion.options.items()},
        "words": suggestion_words(suggestion, scenes),
        "ap": {key: round(getattr(suggestion.ap, key), 4) for key in ("value", "low", "high")},
        "gain": round(suggestion.gain, 4),
        "p": round(suggestion.p, 5),
        "scenes": scenes,
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def suggestion_words(suggestion: Suggestion, scenes: int) -> str:
    """The suggestion as a sentence, in the words of the configuration."""
    kept = {name: value for name, value in suggestion.options.items() if value is not None}
    gone = [f"`{name}`" for name in suggestion.options if name not in kept]
    wanted = [f"`{name}: {_number(value)}`" for name, value in kept.items()]
    parts = [", ".join(wanted)] if wanted else []
    parts += [f"no {', '.join(gone)}"] if gone else []
    return (
        f"you probably want {' and '.join(parts)} under `subject`: AP {suggestion.ap.value:.3f} "
        f"instead of {suggestion.given:.3f} on the same {scenes} scenes (p = {suggestion.p:.2g})"
    )


def _number(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_number(one) for one in value) + "]"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def unverified(checkup: Checkup) -> list[str]:
    """What the checkup could not verify, a sentence each."""
    found = []
    if checkup.unmeasured:
        what = READING if isinstance(checkup.trial.subject, ModelSubject) else "boxes and labels"
        found.append(f"{checkup.unmeasured}; {what} are unverified: look at the picture")
    if checkup.unsearched:
        found.append(checkup.unsearched)
    return found


def reading_remarks(checkup: Checkup) -> list[str]:
    """What the AP says about how the subject is read, a sentence each; suggestions not included."""
    accuracy, found = checkup.accuracy, []
    if accuracy is None:
        return []
    if checkup.confusions:
        pairs = ", ".join(
            f"{one.count} of {one.of} '{one.label}' are annotated '{one.annotated}'"
            for one in checkup.confusions
        )
        found.append(
            f"boxes fit better than labels (AP {accuracy.unlabelled:.3f} if labels are ignored): "
            f"{pairs}; check the order of the subject's `classes`, and `first_label`"
        )
    if accuracy.ap.value < SUSPICIOUS:
        low, search = f"AP is below {SUSPICIOUS:g}", checkup.search
        if search is not None and search.suggestion is None:
            low += f", and none of {search.readings - 1} other readings is better beyond chance"
        found.append(low)
    return found
