"""The fields of the exported samples, and `metadata.json`, which declares them to FiftyOne.

The format is that of `fiftyone.types.FiftyOneDataset`: documents of its database as JSON.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORMAT = "1.0.0"
"""The version of FiftyOne whose documents are written; later ones migrate them when they import."""
CORE = "fiftyone.core"
TEXT = f"{CORE}.fields.StringField"
NUMBER = f"{CORE}.fields.FloatField"
TRUTH = f"{CORE}.fields.BooleanField"
ITEMS = f"{CORE}.fields.ListField"
IDENTITY = f"{CORE}.fields.ObjectIdField"
MOMENT = f"{CORE}.fields.DateTimeField"
EMBEDDED = f"{CORE}.fields.EmbeddedDocumentField"
DETECTIONS, CLASSIFICATIONS = "Detections", "Classifications"

OWN_FIELDS: Mapping[str, tuple[str, str]] = {
    "finding": (TEXT, "id of the finding, as in the report"),
    "scene": (TEXT, "id of the scene that the case was made from"),
    "status": (TEXT, "failing, flaky (did not repeat) or unconfirmed (not asked again)"),
    "margin": (NUMBER, "by how much the relation broke: the margin of the worst event"),
    "event_kinds": (ITEMS, "kinds of the events that count"),
    "fault": (TEXT, "id of the worst fault that the finding belongs to"),
    "target": (TEXT, "what the fault strikes"),
    "cause": (TEXT, "the cause of the fault, or unexplained"),
    "proven": (TRUTH, "whether counterfactual questions rule out any other cause"),
    "recipe": (TEXT, "what was done to the scene, as JSON"),
    "replay": (TEXT, "the command that asks the subject again"),
}
"""The fields of a sample beside FiftyOne's own and the answers, with types and descriptions."""
LABEL_FIELDS: Mapping[str, str] = {
    "before": "the subject's answer to the unchanged scene",
    "after": "the subject's answer to the case, which is the image",
    "events": "the events with a place, labelled by kind",
}
EVENT_PARTS = {"class_name": TEXT, "severity": TEXT, "margin": NUMBER}
"""What an event has beside the parts of a detection."""
_BASE = {
    "id": IDENTITY,
    "filepath": TEXT,
    "tags": ITEMS,
    "metadata": EMBEDDED,
    "created_at": MOMENT,
    "last_modified_at": MOMENT,
}


@dataclass(frozen=True)
class DatasetFacts:
    """name: of the data set. answers: `Detections` or `Classifications`. info: for the reader."""

    name: str
    answers: str
    info: Mapping[str, Any]


def dataset_document(facts: DatasetFacts) -> dict[str, Any]:
    """The content of `metadata.json`."""
    return {
        "_id": object_id(facts.name),
        "name": facts.name,
        "slug": facts.name,
        "version": FORMAT,
        "media_type": "image",
        "persistent": False,
        "sample_collection_name": f"samples.{object_id(facts.name)['$oid']}",
        "group_media_types": {},
        "tags": ["snellen"],
        "info": dict(facts.info),
        "classes": {},
        "default_classes": [],
        "mask_targets": {},
        "default_mask_targets": {},
        "skeletons": {},
        "sample_fields": [*_base_fields(), *_label_fields(facts.answers), *_own_fields()],
        "saved_views": [],
        "annotation_runs": {},
        "brain_methods": {},
        "evaluations": {},
        "runs": {},
    }


def object_id(text: str) -> dict[str, str]:
    """A database id that depends on the text alone, so that the same run gives the same files.

    >>> object_id("a") == object_id("a"), len(object_id("a")["$oid"])
    (True, 24)
    """
    return {"$oid": hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}


def _field(name: str, kind: str, **more: Any) -> dict[str, Any]:
    default: dict[str, Any] = {
        "embedded_doc_type": None,
        "subfield": TEXT if kind == ITEMS else None,
        "fields": [],
        "db_field": "_id" if name == "id" else name,
        "description": None,
        "info": None,
        "read_only": kind == MOMENT,
        "created_at": None,
    }
    return {"name": name, "ftype": kind, **default, **more}


def _base_fields() -> list[dict[str, Any]]:
    kinds = {"metadata": f"{CORE}.metadata.ImageMetadata"}
    return [_field(name, kind, embedded_doc_type=kinds.get(name)) for name, kind in _BASE.items()]


def _own_fields() -> list[dict[str, Any]]:
    return [_field(name, kind, description=text) for name, (kind, text) in OWN_FIELDS.items()]


def _label_fields(answers: str) -> list[dict[str, Any]]:
    lists = {
        "before": _listed(answers),
        "after": _listed(answers),
        "events": _listed(DETECTIONS, EVENT_PARTS),
    }
    kinds = {"before": answers, "after": answers, "events": DETECTIONS}
    return [
        _field(
            name,
            EMBEDDED,
            embedded_doc_type=f"{CORE}.labels.{kinds[name]}",
            fields=[lists[name]],
            description=text,
        )
        for name, text in LABEL_FIELDS.items()
    ]


def _listed(kind: str, more: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The list inside a field of several labels. more: parts beside FiftyOne's own."""
    parts = {"id": IDENTITY, "tags": ITEMS, "label": TEXT, "confidence": NUMBER, **(more or {})}
    fields = [_field(name, ftype) for name, ftype in parts.items()]
    if kind == DETECTIONS:
        fields.append(_field("bounding_box", ITEMS, subfield=NUMBER))
    return _field(
        kind.lower(),
        ITEMS,
        subfield=EMBEDDED,
        embedded_doc_type=f"{CORE}.labels.{kind.removesuffix('s')}",
        fields=fields,
    )
