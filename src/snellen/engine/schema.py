"""The JSON Schema of a configuration file, for editors and other tools."""

from __future__ import annotations

import logging
from typing import Any

from pydantic.json_schema import models_json_schema

from snellen.configuration import Options
from snellen.engine.campaign import CampaignFile
from snellen.methods.kind import METHODS
from snellen.plugins import Registry
from snellen.scenes.registry import READERS
from snellen.subjects.registry import ADAPTERS, READ_AS, READ_AS_MEANING
from snellen.subjects.subject import Task

log = logging.getLogger(__name__)

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema(*, builtin: bool = False) -> dict[str, Any]:
    """The schema of the keys, of each kind of subject and scenes, and of each method's options.

    builtin: only what Snellen itself brings, without the kinds of plug-ins.
    """
    groups = {
        "subject": _options(ADAPTERS, builtin=builtin),
        "scenes": _options(READERS, builtin=builtin),
    }
    methods = _options(METHODS, builtin=builtin)
    models: list[type[Options]] = [CampaignFile, *methods.values()]
    models += [model for group in groups.values() for model in group.values()]
    references, definitions = models_json_schema([(model, "validation") for model in models])
    places = {model: references[model, "validation"] for model in models}
    whole = definitions["$defs"].pop(CampaignFile.__name__)
    for model in groups["subject"].values():
        definition = definitions["$defs"][places[model]["$ref"].rpartition("/")[2]]
        definition["properties"][READ_AS] = {
            "enum": [Task.LABELS.value, None],
            "default": None,
            "description": READ_AS_MEANING,
        }
    for key, group in groups.items():
        whole["properties"][key] = {"oneOf": [_of_kind(k, places[m]) for k, m in group.items()]}
    for name, model in methods.items():
        whole["properties"][name] = {"anyOf": [places[model], {"type": "null"}]}
    whole["properties"]["method"]["enum"] = list(methods)
    needing = [name for name in methods if METHODS.load(name).scenes]
    whole["if"] = {"properties": {"method": {"enum": needing}}}
    whole["then"] = {"required": ["scenes"]}
    whole["properties"]["engine"] = {
        "anyOf": [whole["properties"]["engine"], {"type": "null"}],
    }
    whole["title"] = "Snellen configuration"
    return {"$schema": DIALECT, **whole, **definitions}


def _options(registry: Registry, *, builtin: bool) -> dict[str, type[Options]]:
    """The model of each kind's options; a plug-in whose options have no schema is left out."""
    found: dict[str, type[Options]] = {}
    for kind, loaded in registry.load_all(own=builtin).items():
        try:
            loaded.options.model_json_schema()
        except Exception as error:
            log.warning("%s kind %s is left out of the schema: %r", registry.what, kind, error)
        else:
            found[kind] = loaded.options
    return found


def _of_kind(kind: str, place: Any) -> dict[str, Any]:
    named = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
    return {"allOf": [place, named]}
